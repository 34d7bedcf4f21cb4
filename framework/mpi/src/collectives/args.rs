//! The checked arguments of the library's collectives.
use std::{
    ffi::{c_int, c_void},
    ptr,
};

use mpi::ffi::{MPI_Comm, MPI_Datatype, MPI_Op};
use wb_comm::{Context, Datatype, Error, Operation, Rank, Result, View, ViewMut};

use crate::{
    buffers::{buffer_ptr, buffer_ptr_mut},
    check, datatype,
    transport::MpiTransport,
};

/// A buffer that MPI does not use.
pub(super) const NULL: *const c_void = ptr::null();
/// The same of a buffer that MPI writes.
pub(super) const NULL_MUT: *mut c_void = ptr::null_mut();

/// The counts and the displacements of a rank that passes none.
pub(super) const NO_COUNTS: (*const c_int, *const c_int) = (ptr::null(), ptr::null());

/// The start of a buffer, the number of elements that MPI may access there, and their type.
#[derive(Clone, Copy)]
pub(super) struct Span<P> {
    pub(super) start: P,
    pub(super) count: c_int,
    pub(super) datatype: MPI_Datatype,
}

/// Checks that both buffers of a verb have one element type: the callers' types ensure it, and memory safety needs it.
pub(super) fn assert_same_type(send: Datatype, recv: Datatype) {
    assert_eq!(send, recv, "both buffers of a collective have one element type");
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

    pub(super) fn datatype(&self, datatype: Datatype) -> Result<MPI_Datatype> {
        self.communicator.registry.session.datatypes.get(datatype)
    }

    pub(super) fn span(&self, view: View<'_>) -> Result<Span<*const c_void>> {
        let start = buffer_ptr(view);
        Ok(Span { start, count: check::to_count(view.count())?, datatype: self.datatype(view.datatype())? })
    }

    pub(super) fn span_mut(&self, view: &mut ViewMut<'_>) -> Result<Span<*mut c_void>> {
        let (count, datatype) = (check::to_count(view.count())?, self.datatype(view.datatype())?);
        Ok(Span { start: buffer_ptr_mut(view), count, datatype })
    }

    /// The operation of a reduction of these elements.
    pub(super) fn reduction_op(&self, operation: Operation, datatype: Datatype) -> Result<MPI_Op> {
        match operation.is_defined_for(datatype) {
            true => datatype::reduction_op(operation, &self.communicator.registry.session.user_ops),
            false => Err(Error::Operation { operation, datatype }),
        }
    }
}
