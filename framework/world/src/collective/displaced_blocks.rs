//! The collective verbs whose blocks start where the caller says (the displacements of MPI's `v` verbs).
//!
//! Elements that belong to no block do not travel, and do not change where they are received. A nonblocking verb makes its receive buffer:
//! there they have the type's default value.
use wb_comm::{CollectiveKind, Rank, RankBlocks, Result, Wire};

use crate::{CollectiveRequest, World};

#[allow(
    clippy::missing_errors_doc,
    reason = "all: Error::Layout, Error::Rank, Error::Count, and what the backend can meet"
)]
impl World {
    /// As [`scatterv`](Self::scatterv) with blocks that start anywhere in `send` (`MPI_Scatterv`). They may share elements.
    #[track_caller]
    pub fn scatterv_at<T: Wire>(
        &self,
        send: Option<(&[T], RankBlocks<'_>)>,
        recv: &mut [T],
        root: Rank,
    ) -> Result<()> {
        let (send, blocks) = send.unzip();
        self.run_kind(CollectiveKind::Scatterv { blocks, root }, send, Some(recv))
    }

    /// As [`gatherv`](Self::gatherv) with blocks that start anywhere in `recv` (`MPI_Gatherv`). They may share no element.
    ///
    /// ```no_run
    /// # use wb_world::{RankBlocks, World};
    /// # fn run(world: &World) -> wb_world::Result<()> {
    /// // Two ranks; their blocks in the other order.
    /// let mut all = [0.0; 5];
    /// let recv = (world.rank() == 0).then_some((&mut all[..], RankBlocks::new(&[2, 3], &[3, 0])));
    /// world.gatherv_at(&vec![1.5; 2 + world.rank()], recv, 0)?;
    /// # Ok(())
    /// # }
    /// ```
    #[track_caller]
    pub fn gatherv_at<T: Wire>(
        &self,
        send: &[T],
        recv: Option<(&mut [T], RankBlocks<'_>)>,
        root: Rank,
    ) -> Result<()> {
        let (recv, blocks) = recv.unzip();
        self.run_kind(CollectiveKind::Gatherv { blocks, root }, Some(send), recv)
    }

    /// As [`allgatherv`](Self::allgatherv) with blocks that start anywhere in `recv` (`MPI_Allgatherv`). They may share no element; each rank
    /// chooses its displacements.
    #[track_caller]
    pub fn allgatherv_at<T: Wire>(&self, send: &[T], recv: &mut [T], blocks: RankBlocks<'_>) -> Result<()> {
        self.run_kind(CollectiveKind::Allgatherv { blocks }, Some(send), Some(recv))
    }

    /// As [`alltoallv`](Self::alltoallv) with blocks that start anywhere in both buffers (`MPI_Alltoallv`). Those of `recv` may share no
    /// element.
    #[track_caller]
    pub fn alltoallv_at<T: Wire>(
        &self,
        send: &[T],
        send_blocks: RankBlocks<'_>,
        recv: &mut [T],
        recv_blocks: RankBlocks<'_>,
    ) -> Result<()> {
        self.run_kind(CollectiveKind::Alltoallv { send_blocks, recv_blocks }, Some(send), Some(recv))
    }

    /// Starts what [`scatterv_at`](Self::scatterv_at) does (`MPI_Iscatterv`). The wait returns this rank's block of `count` elements.
    #[track_caller]
    pub fn iscatterv_at<T: Wire>(
        &self,
        send: Option<(Vec<T>, RankBlocks<'_>)>,
        count: usize,
        root: Rank,
    ) -> Result<CollectiveRequest<Vec<T>>> {
        let (send, blocks) = send.unzip();
        self.start_kind(CollectiveKind::Scatterv { blocks, root }, send, count)
    }

    /// Starts what [`gatherv_at`](Self::gatherv_at) does (`MPI_Igatherv`). The wait returns a buffer that ends with the last block on `root`, and
    /// `None` on the other ranks.
    #[track_caller]
    pub fn igatherv_at<T: Wire>(
        &self,
        send: Vec<T>,
        blocks: Option<RankBlocks<'_>>,
        root: Rank,
    ) -> Result<CollectiveRequest<Option<Vec<T>>>> {
        let recv = blocks.filter(|_| self.rank() == root).map_or(0, RankBlocks::end);
        self.start_kind(CollectiveKind::Gatherv { blocks, root }, Some(send), recv)
    }

    /// Starts what [`allgatherv_at`](Self::allgatherv_at) does (`MPI_Iallgatherv`). The wait returns a buffer that ends with the last block.
    #[track_caller]
    pub fn iallgatherv_at<T: Wire>(
        &self,
        send: Vec<T>,
        blocks: RankBlocks<'_>,
    ) -> Result<CollectiveRequest<Vec<T>>> {
        self.start_kind(CollectiveKind::Allgatherv { blocks }, Some(send), blocks.end())
    }

    /// Starts what [`alltoallv_at`](Self::alltoallv_at) does (`MPI_Ialltoallv`). The wait returns a buffer that ends with the last received block.
    #[track_caller]
    pub fn ialltoallv_at<T: Wire>(
        &self,
        send: Vec<T>,
        send_blocks: RankBlocks<'_>,
        recv_blocks: RankBlocks<'_>,
    ) -> Result<CollectiveRequest<Vec<T>>> {
        self.start_kind(CollectiveKind::Alltoallv { send_blocks, recv_blocks }, Some(send), recv_blocks.end())
    }
}
