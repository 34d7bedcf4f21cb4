//! Reductions of which every rank gets a block.
use mpi::ffi::{MPI_Reduce_scatter, MPI_Reduce_scatter_block};
use wb_comm::{CallSite, Operation, Result, View, ViewMut};

use super::enter_call;
use crate::{
    buffers::{CountsAndDispls, total_count},
    check::{check, check_length},
    datatype,
    transport::MpiTransport,
};

impl MpiTransport {
    /// The block of rank r has `counts[r]` elements.
    pub(super) fn reduce_to_blocks(
        &self,
        send: View<'_>,
        mut recv: ViewMut<'_>,
        counts: &[usize],
        operation: Operation,
        site: CallSite,
    ) -> Result<()> {
        let (verb, comm) = (site.verb.name(), self.comm()?);
        self.check_reduction(send, &recv, operation)?;
        let blocks = CountsAndDispls::for_buffer(verb, "send", counts, self.ranks(), send.count())?;
        check_length(verb, "recv", recv.count(), counts[self.communicator.rank])?;
        let (from, into) = (self.span(send)?, self.span_mut(&mut recv)?);
        let op = datatype::reduction_op(operation);
        let _inside = enter_call(site, send.bytes().len());
        // SAFETY: `from` holds all blocks, `into` has room for this rank's.
        let code = unsafe {
            MPI_Reduce_scatter(from.start, into.start, blocks.counts.as_ptr(), from.datatype, op, comm)
        };
        check("MPI_Reduce_scatter", code)
    }

    /// All blocks are as long as `recv`.
    pub(super) fn reduce_to_equal_blocks(
        &self,
        send: View<'_>,
        mut recv: ViewMut<'_>,
        operation: Operation,
        site: CallSite,
    ) -> Result<()> {
        let (verb, comm) = (site.verb.name(), self.comm()?);
        self.check_reduction(send, &recv, operation)?;
        check_length(verb, "send", send.count(), total_count(self.ranks(), recv.count()))?;
        let (from, into) = (self.span(send)?, self.span_mut(&mut recv)?);
        let op = datatype::reduction_op(operation);
        let _inside = enter_call(site, send.bytes().len());
        // SAFETY: `from` holds one block for each rank, `into` has room for one.
        let code =
            unsafe { MPI_Reduce_scatter_block(from.start, into.start, into.count, from.datatype, op, comm) };
        check("MPI_Reduce_scatter_block", code)
    }
}
