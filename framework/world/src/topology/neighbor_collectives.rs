//! The neighbourhood collectives of a [`GraphWorld`]: every rank exchanges blocks with its neighbours only.
//!
//! All ranks of the communicator call them, in the same order. Buffers have one block for each neighbour, in the order of
//! [`neighbours`](GraphWorld::neighbours). There is no message to or from the null process: its block of a receive buffer does not change.
use wb_comm::{CollectiveKind, RankBlocks, Result, Wire};

use super::GraphWorld;
use crate::{CollectiveRequest, PersistentCollective};

#[allow(
    clippy::missing_errors_doc,
    reason = "all: Error::Blocks, Error::Count, and what the backend can meet"
)]
impl GraphWorld {
    /// Collective: sends `send` to every destination; block `i` of `recv` comes from source `i` (`MPI_Neighbor_allgather`).
    #[track_caller]
    pub fn neighbor_allgather<T: Wire>(&self, send: &[T], recv: &mut [T]) -> Result<()> {
        let neighbours = self.neighbours();
        self.run_kind(CollectiveKind::NeighborAllgather { neighbours }, Some(send), Some(recv))
    }

    /// Collective: as [`neighbor_allgather`](Self::neighbor_allgather) with blocks of any length; `counts` has one for each source
    /// (`MPI_Neighbor_allgatherv` with contiguous blocks).
    #[track_caller]
    pub fn neighbor_allgatherv<T: Wire>(&self, send: &[T], recv: &mut [T], counts: &[usize]) -> Result<()> {
        let neighbours = self.neighbours();
        self.run_kind(CollectiveKind::NeighborAllgatherv { neighbours, counts }, Some(send), Some(recv))
    }

    /// Collective: block `j` of `send` goes to destination `j`, block `i` of `recv` comes from source `i`, all of one length
    /// (`MPI_Neighbor_alltoall`).
    #[track_caller]
    pub fn neighbor_alltoall<T: Wire>(&self, send: &[T], recv: &mut [T]) -> Result<()> {
        let neighbours = self.neighbours();
        self.run_kind(CollectiveKind::NeighborAlltoall { neighbours }, Some(send), Some(recv))
    }

    /// Collective: as [`neighbor_alltoall`](Self::neighbor_alltoall) with blocks of any length (`MPI_Neighbor_alltoallv` with contiguous
    /// blocks).
    #[track_caller]
    pub fn neighbor_alltoallv<T: Wire>(
        &self,
        send: &[T],
        send_counts: &[usize],
        recv: &mut [T],
        recv_counts: &[usize],
    ) -> Result<()> {
        let neighbours = self.neighbours();
        let kind = CollectiveKind::NeighborAlltoallv { neighbours, send_counts, recv_counts };
        self.run_kind(kind, Some(send), Some(recv))
    }

    /// Collective: starts to send `send` to every destination (`MPI_Ineighbor_allgather`). The wait returns the blocks of the sources; that of
    /// the null process has default values, also in the other operations.
    #[track_caller]
    pub fn ineighbor_allgather<T: Wire>(&self, send: Vec<T>) -> Result<CollectiveRequest<Vec<T>>> {
        let neighbours = self.neighbours();
        let recv = send.len().saturating_mul(neighbours.sources.len());
        self.start_kind(CollectiveKind::NeighborAllgather { neighbours }, Some(send), recv)
    }

    /// Collective: as [`ineighbor_allgather`](Self::ineighbor_allgather) with blocks of any length; `counts` has one for each source
    /// (`MPI_Ineighbor_allgatherv` with contiguous blocks).
    #[track_caller]
    pub fn ineighbor_allgatherv<T: Wire>(
        &self,
        send: Vec<T>,
        counts: &[usize],
    ) -> Result<CollectiveRequest<Vec<T>>> {
        let (neighbours, recv) = (self.neighbours(), RankBlocks::contiguous(counts).end());
        self.start_kind(CollectiveKind::NeighborAllgatherv { neighbours, counts }, Some(send), recv)
    }

    /// Collective: starts to send a block of `count` elements to every destination, and to receive one from every source
    /// (`MPI_Ineighbor_alltoall`). The wait returns the blocks of the sources.
    #[track_caller]
    pub fn ineighbor_alltoall<T: Wire>(
        &self,
        send: Vec<T>,
        count: usize,
    ) -> Result<CollectiveRequest<Vec<T>>> {
        let neighbours = self.neighbours();
        let recv = count.saturating_mul(neighbours.sources.len());
        self.start_kind(CollectiveKind::NeighborAlltoall { neighbours }, Some(send), recv)
    }

    /// Collective: as [`ineighbor_alltoall`](Self::ineighbor_alltoall) with blocks of any length (`MPI_Ineighbor_alltoallv` with contiguous
    /// blocks).
    #[track_caller]
    pub fn ineighbor_alltoallv<T: Wire>(
        &self,
        send: Vec<T>,
        send_counts: &[usize],
        recv_counts: &[usize],
    ) -> Result<CollectiveRequest<Vec<T>>> {
        let (neighbours, recv) = (self.neighbours(), RankBlocks::contiguous(recv_counts).end());
        let kind = CollectiveKind::NeighborAlltoallv { neighbours, send_counts, recv_counts };
        self.start_kind(kind, Some(send), recv)
    }

    /// Collective: makes a persistent operation that sends a block to every destination (`MPI_Neighbor_allgather_init`). Its result has
    /// the blocks of the sources; that of the null process has default values, also in the other operations.
    #[track_caller]
    pub fn neighbor_allgather_init<T: Wire>(&self, send: Vec<T>) -> Result<PersistentCollective<T>> {
        let neighbours = self.neighbours();
        let recv = send.len().saturating_mul(neighbours.sources.len());
        self.make_collective_of(CollectiveKind::NeighborAllgather { neighbours }, Some(send), recv)
    }

    /// Collective: as [`neighbor_allgather_init`](Self::neighbor_allgather_init) with blocks of any length; `counts` has one for each
    /// source (`MPI_Neighbor_allgatherv_init` with contiguous blocks).
    #[track_caller]
    pub fn neighbor_allgatherv_init<T: Wire>(
        &self,
        send: Vec<T>,
        counts: &[usize],
    ) -> Result<PersistentCollective<T>> {
        let (neighbours, recv) = (self.neighbours(), RankBlocks::contiguous(counts).end());
        self.make_collective_of(CollectiveKind::NeighborAllgatherv { neighbours, counts }, Some(send), recv)
    }

    /// Collective: makes a persistent operation that sends a block of `count` elements to every destination and receives one from every
    /// source (`MPI_Neighbor_alltoall_init`).
    #[track_caller]
    pub fn neighbor_alltoall_init<T: Wire>(
        &self,
        send: Vec<T>,
        count: usize,
    ) -> Result<PersistentCollective<T>> {
        let neighbours = self.neighbours();
        let recv = count.saturating_mul(neighbours.sources.len());
        self.make_collective_of(CollectiveKind::NeighborAlltoall { neighbours }, Some(send), recv)
    }

    /// Collective: as [`neighbor_alltoall_init`](Self::neighbor_alltoall_init) with blocks of any length (`MPI_Neighbor_alltoallv_init`
    /// with contiguous blocks).
    #[track_caller]
    pub fn neighbor_alltoallv_init<T: Wire>(
        &self,
        send: Vec<T>,
        send_counts: &[usize],
        recv_counts: &[usize],
    ) -> Result<PersistentCollective<T>> {
        let (neighbours, recv) = (self.neighbours(), RankBlocks::contiguous(recv_counts).end());
        let kind = CollectiveKind::NeighborAlltoallv { neighbours, send_counts, recv_counts };
        self.make_collective_of(kind, Some(send), recv)
    }
}
