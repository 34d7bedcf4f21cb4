//! The library's own collectives, on the users' communicator (MPI separates them from its messages).
use mpi::ffi::{MPI_Ibarrier, MPI_Reduce_local, MPI_Wait};
use wb_comm::{
    BorrowedBuffers, CallSite, CollectiveKind, Collectives, LayoutBuffers, Operation, OwnedBuffers, Pending,
    Rank, Result, View, ViewMut,
};

use crate::{
    blocked_call::{self, WaitTarget},
    check::{check, check_length},
    handles,
    message_args::empty_status,
    request::MpiRequest,
    transport::MpiTransport,
};

mod args;
mod layouts;
mod library_call;

pub(crate) use library_call::Form;
use library_call::LibraryCall;

impl Collectives for MpiTransport {
    fn run(&self, kind: CollectiveKind<'_>, buffers: BorrowedBuffers<'_>, site: CallSite) -> Result<()> {
        let bytes = buffers.send.bytes().len().max(buffers.recv.as_view().bytes().len());
        let mut call = LibraryCall::new(self, Form::Blocking, kind, buffers);
        let _inside = blocked_call::enter(site, WaitTarget::collective(bytes));
        call.run(kind)
    }

    fn start(
        &self,
        kind: CollectiveKind<'_>,
        mut buffers: OwnedBuffers,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        let borrowed = BorrowedBuffers { send: buffers.send.view(), recv: buffers.recv.view_mut() };
        let mut call = LibraryCall::new(self, Form::Nonblocking, kind, borrowed);
        // The elements do not move while their blocks live, which is until the request is complete or for ever.
        call.run(kind)?;
        let LibraryCall { request, counts, .. } = call;
        Ok(Box::new(MpiRequest::collective(&self.communicator, request, buffers, counts, site)))
    }

    fn run_in_place(&self, kind: CollectiveKind<'_>, data: ViewMut<'_>, site: CallSite) -> Result<()> {
        let bytes = data.as_view().bytes().len();
        let mut call = LibraryCall::in_place(self, kind, data)?;
        let _inside = blocked_call::enter(site, WaitTarget::collective(bytes));
        call.run(kind)
    }

    fn run_layout(&self, root: Rank, buffers: LayoutBuffers<'_>, site: CallSite) -> Result<()> {
        let _inside = blocked_call::enter(site, WaitTarget::collective(buffers.byte_count()));
        layouts::run(self, root, buffers)
    }

    fn reduce_local(&self, left: View<'_>, mut into: ViewMut<'_>, operation: Operation) -> Result<()> {
        let op = self.reduction_op(operation, left.datatype())?;
        args::assert_same_type(left.datatype(), into.datatype());
        check_length("reduce_local", "left", left.count(), into.count())?;
        let (from, to) = (self.span(left)?, self.span_mut(&mut into)?);
        // SAFETY: both hold `count` elements, and one of them is exclusive.
        let code = unsafe { MPI_Reduce_local(from.start, to.start, to.count, to.datatype, op) };
        check("MPI_Reduce_local", code)
    }

    fn ibarrier_and_wait(&self, site: CallSite) -> Result<()> {
        let comm = self.comm()?;
        let _inside = blocked_call::enter(site, WaitTarget::COLLECTIVE);
        let mut request = handles::REQUEST_NULL;
        // SAFETY: a live communicator, and a request that is waited for below.
        check("MPI_Ibarrier", unsafe { MPI_Ibarrier(comm, &mut request) })?;
        let mut status = empty_status();
        // SAFETY: the request is the one just made, and one status for the answer.
        check("MPI_Wait", unsafe { MPI_Wait(&mut request, &mut status) })
    }
}
