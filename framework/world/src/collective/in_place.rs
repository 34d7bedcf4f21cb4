//! The collective verbs with one buffer for what a rank contributes and for what it gets (`MPI_IN_PLACE`).
use wb_comm::{CallSite, CollectiveKind, Rank, Reduces, Result, ViewMut, Wire};

use super::CollectiveArguments;
use crate::World;

#[allow(clippy::missing_errors_doc, reason = "all: Error::Rank, Error::Count, and what the backend can meet")]
impl World {
    /// Reduces `data` of all ranks element by element; every rank's `data` becomes the result (`MPI_Allreduce` with `MPI_IN_PLACE`).
    #[track_caller]
    pub fn allreduce_in_place<T: Wire>(&self, data: &mut [T], operation: impl Reduces<T>) -> Result<()> {
        self.run_in_place(CollectiveKind::Allreduce { operation: operation.into_operation() }, data)
    }

    /// Reduces `data` of all ranks element by element; `data` of `root` becomes the result, that of the other ranks does not change
    /// (`MPI_Reduce` with `MPI_IN_PLACE`).
    #[track_caller]
    pub fn reduce_in_place<T: Wire>(
        &self,
        data: &mut [T],
        operation: impl Reduces<T>,
        root: Rank,
    ) -> Result<()> {
        self.run_in_place(CollectiveKind::Reduce { operation: operation.into_operation(), root }, data)
    }

    /// `data` of rank r becomes the reduction over ranks `0..=r` (`MPI_Scan` with `MPI_IN_PLACE`).
    #[track_caller]
    pub fn scan_in_place<T: Wire>(&self, data: &mut [T], operation: impl Reduces<T>) -> Result<()> {
        self.run_in_place(CollectiveKind::Scan { operation: operation.into_operation() }, data)
    }

    /// `data` of rank r becomes the reduction over ranks `0..r`; rank 0's is unchanged (`MPI_Exscan` with `MPI_IN_PLACE`).
    #[track_caller]
    pub fn exscan_in_place<T: Wire>(&self, data: &mut [T], operation: impl Reduces<T>) -> Result<()> {
        self.run_in_place(CollectiveKind::Exscan { operation: operation.into_operation() }, data)
    }

    /// Reduces `data` of all ranks element by element; the block of `counts[r]` elements of the result is then at the start of `data` of
    /// rank r, and the elements after it have no defined value (`MPI_Reduce_scatter` with `MPI_IN_PLACE`).
    #[track_caller]
    pub fn reduce_scatter_in_place<T: Wire>(
        &self,
        data: &mut [T],
        counts: &[usize],
        operation: impl Reduces<T>,
    ) -> Result<()> {
        let kind = CollectiveKind::ReduceScatter { counts, operation: operation.into_operation() };
        self.run_in_place(kind, data)
    }

    /// As [`reduce_scatter_in_place`](Self::reduce_scatter_in_place) with equal blocks (`MPI_Reduce_scatter_block` with `MPI_IN_PLACE`).
    #[track_caller]
    pub fn reduce_scatter_block_in_place<T: Wire>(
        &self,
        data: &mut [T],
        operation: impl Reduces<T>,
    ) -> Result<()> {
        self.run_in_place(CollectiveKind::ReduceScatterBlock { operation: operation.into_operation() }, data)
    }

    /// Collects equal blocks: `data` of `root` has room for all of them, with its own block at its place; `data` of every other rank is its
    /// block (`MPI_Gather` with `MPI_IN_PLACE`).
    #[track_caller]
    pub fn gather_in_place<T: Wire>(&self, data: &mut [T], root: Rank) -> Result<()> {
        self.run_in_place(CollectiveKind::Gather { root }, data)
    }

    /// Collects equal blocks on every rank, whose own block is at its place in `data` (`MPI_Allgather` with `MPI_IN_PLACE`).
    #[track_caller]
    pub fn allgather_in_place<T: Wire>(&self, data: &mut [T]) -> Result<()> {
        self.run_in_place(CollectiveKind::Allgather, data)
    }

    /// Distributes `data` of `root` in equal blocks; its own block stays at its place, and `data` of every other rank becomes its block
    /// (`MPI_Scatter` with `MPI_IN_PLACE`).
    #[track_caller]
    pub fn scatter_in_place<T: Wire>(&self, data: &mut [T], root: Rank) -> Result<()> {
        self.run_in_place(CollectiveKind::Scatter { root }, data)
    }

    /// Block `j` of `data` goes to rank `j`, and is replaced by the block from rank `j` (`MPI_Alltoall` with `MPI_IN_PLACE`).
    #[track_caller]
    pub fn alltoall_in_place<T: Wire>(&self, data: &mut [T]) -> Result<()> {
        self.run_in_place(CollectiveKind::Alltoall, data)
    }

    #[track_caller]
    fn run_in_place<T: Wire>(&self, kind: CollectiveKind<'_>, data: &mut [T]) -> Result<()> {
        self.run_erased_in_place(CallSite::caller(kind.verb()), kind, ViewMut::from_slice(data))
    }

    fn run_erased_in_place(&self, site: CallSite, kind: CollectiveKind<'_>, data: ViewMut<'_>) -> Result<()> {
        let parts = kind.in_place_parts(self.rank(), self.size(), data.count());
        let parts = parts.expect("every verb of this file has a form in place");
        let counts = (Some(parts.contribution.len()), Some(parts.result.len()));
        let arguments = CollectiveArguments::new(self, (site, data.datatype()), kind, counts);
        self.run_collective(site, arguments.shape(), arguments.bytes(), || {
            let counts = arguments.check()?;
            self.transport().enter_collective_with(|| arguments.call(counts))?;
            self.counted(site, |collectives| collectives.run_in_place(kind, data, site))
        })
    }
}
