//! The checked arguments of the library's collectives.
use std::ffi::{c_int, c_void};

use mpi::ffi::{MPI_Comm, MPI_Datatype, MPI_Op};
use wb_comm::{Context, Error, Operation, Rank, Result, View, ViewMut};

use crate::{
    buffers::{buffer_ptr, buffer_ptr_mut},
    check::{self, check_length},
    datatype,
    transport::MpiTransport,
};

/// The start of a buffer, the number of elements that MPI may access there, and their type.
#[derive(Clone, Copy)]
pub(super) struct Span<P> {
    pub(super) start: P,
    pub(super) count: c_int,
    pub(super) datatype: MPI_Datatype,
}

/// Checks that both buffers of a verb have one element type: the callers' types ensure it, and memory safety needs it.
pub(super) fn assert_same_type(send: View<'_>, recv: &ViewMut<'_>) {
    assert_eq!(send.datatype(), recv.datatype(), "both buffers of a collective have one element type");
}

fn check_operation(operation: Operation, send: View<'_>) -> Result<()> {
    match operation.is_defined_for(send.datatype()) {
        true => Ok(()),
        false => Err(Error::Operation { operation, datatype: send.datatype() }),
    }
}

impl MpiTransport {
    pub(super) fn comm(&self) -> Result<MPI_Comm> {
        self.communicator.comm_of(Context::User)
    }

    pub(super) fn ranks(&self) -> usize {
        self.communicator.size
    }

    pub(super) fn to_root(&self, root: Rank) -> Result<c_int> {
        check::to_peer("root", root, self.ranks())
    }

    pub(super) fn is_root(&self, root: Rank) -> bool {
        self.communicator.rank == root
    }

    pub(super) fn datatype(&self, layout: wb_comm::Datatype) -> MPI_Datatype {
        self.communicator.registry.session.datatypes.get(layout)
    }

    pub(super) fn span(&self, view: View<'_>) -> Result<Span<*const c_void>> {
        let start = buffer_ptr(view);
        Ok(Span { start, count: check::to_count(view.count())?, datatype: self.datatype(view.datatype()) })
    }

    pub(super) fn span_mut(&self, view: &mut ViewMut<'_>) -> Result<Span<*mut c_void>> {
        let (count, datatype) = (check::to_count(view.count())?, self.datatype(view.datatype()));
        Ok(Span { start: buffer_ptr_mut(view), count, datatype })
    }

    /// Checks the types of a reduction of which each rank gets a block.
    pub(super) fn check_reduction(
        &self,
        send: View<'_>,
        recv: &ViewMut<'_>,
        operation: Operation,
    ) -> Result<()> {
        assert_same_type(send, recv);
        check_operation(operation, send)
    }

    /// The arguments that all reductions share.
    pub(super) fn reduction(
        &self,
        verb: &'static str,
        send: View<'_>,
        recv: Option<&ViewMut<'_>>,
        operation: Operation,
    ) -> Result<(Span<*const c_void>, MPI_Op)> {
        check_operation(operation, send)?;
        if let Some(recv) = recv {
            assert_same_type(send, recv);
            check_length(verb, "recv", recv.count(), send.count())?;
        }
        Ok((self.span(send)?, datatype::reduction_op(operation)))
    }
}
