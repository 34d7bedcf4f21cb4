//! Reductions of which every rank gets a block.
use wb_comm::{CallSite, CollectiveCounts, Number, Operation, Result, Verb, View, ViewMut};
use wb_record::CollectiveShape;

use super::{check_count, check_operation, collective_call};
use crate::World;

#[allow(
    clippy::missing_errors_doc,
    reason = "all: Error::Count, Error::Operation, and what the backend can meet"
)]
impl World {
    /// Reduces `send` of all ranks element by element; the block of `counts[r]` elements goes to `recv` of rank r
    /// (`MPI_Reduce_scatter`).
    #[track_caller]
    pub fn reduce_scatter<T: Number>(
        &self,
        send: &[T],
        recv: &mut [T],
        counts: &[usize],
        operation: Operation,
    ) -> Result<()> {
        let site = CallSite::caller(Verb::ReduceScatter);
        self.run_collective(site, CollectiveShape::All, size_of_val(send), || {
            check_operation(operation, T::DATATYPE)?;
            self.check_blocks(site, "send", send.len(), counts)?;
            check_count(site, "recv", recv.len(), counts[self.rank()])?;
            let brings = collective_call::<T>(site, CollectiveCounts::Table(counts.to_vec()));
            self.counted(brings.with_operation(operation), |c| {
                c.reduce_scatter(View::from_slice(send), ViewMut::from_slice(recv), counts, operation, site)
            })
        })
    }

    /// As [`reduce_scatter`](Self::reduce_scatter) with equal blocks (`MPI_Reduce_scatter_block`).
    #[track_caller]
    pub fn reduce_scatter_block<T: Number>(
        &self,
        send: &[T],
        recv: &mut [T],
        operation: Operation,
    ) -> Result<()> {
        let site = CallSite::caller(Verb::ReduceScatterBlock);
        self.run_collective(site, CollectiveShape::All, size_of_val(send), || {
            check_operation(operation, T::DATATYPE)?;
            self.check_equal_blocks(site, "send", send.len(), recv.len())?;
            let brings = collective_call::<T>(site, CollectiveCounts::Equal(send.len()));
            self.counted(brings.with_operation(operation), |c| {
                c.reduce_scatter_block(View::from_slice(send), ViewMut::from_slice(recv), operation, site)
            })
        })
    }
}
