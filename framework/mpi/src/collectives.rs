//! The library's own collectives, on the users' communicator (MPI separates them from its messages).
//!
//! Memory safety depends on lengths and types here, because MPI writes as many elements as the call says: every buffer
//! is compared with the counts before the call. The arguments of other ranks cannot be checked from here; MPI
//! truncates.
use std::{
    ffi::{c_int, c_void},
    ptr,
};

use mpi::ffi::{
    MPI_Allgather, MPI_Allgatherv, MPI_Allreduce, MPI_Alltoall, MPI_Alltoallv, MPI_Barrier, MPI_Bcast,
    MPI_Comm, MPI_Datatype, MPI_Exscan, MPI_Gather, MPI_Gatherv, MPI_Ibarrier, MPI_Op, MPI_Reduce, MPI_Scan,
    MPI_Scatter, MPI_Scatterv, MPI_Wait,
};
use wb_comm::{
    CallSite, CollectiveKind, Collectives, Operation, OwnedBuffers, Pending, Rank, Result, View, ViewMut,
};

use crate::{
    blocked_call::{self, CallGuard, WaitTarget},
    buffers::{CountsAndDispls, block_count, buffer_ptr, buffer_ptr_mut, total_count},
    check::{self, check, check_length},
    handles,
    message_args::empty_status,
    transport::MpiTransport,
};

mod args;
mod reduce_scatter;
mod start;

use args::{Span, assert_same_type};

/// An MPI reduction whose result every rank gets.
type ReductionCall =
    unsafe extern "C" fn(*const c_void, *mut c_void, c_int, MPI_Datatype, MPI_Op, MPI_Comm) -> c_int;

const NULL: *const c_void = ptr::null();
const NULL_MUT: *mut c_void = ptr::null_mut();

impl MpiTransport {
    /// A reduction whose result every rank gets.
    fn reduce_everywhere(
        &self,
        (name, call): (&'static str, ReductionCall),
        verb: &'static str,
        send: View<'_>,
        mut recv: ViewMut<'_>,
        operation: Operation,
        site: CallSite,
    ) -> Result<()> {
        let comm = self.comm()?;
        let (Span { start, count, datatype }, op) = self.reduction(verb, send, Some(&recv), operation)?;
        let into = buffer_ptr_mut(&mut recv);
        let _inside = enter_call(site, send.bytes().len());
        // SAFETY: `start` holds `count` elements and `into` has room for as many, which is all that such a call
        // requires.
        check(name, unsafe { call(start, into, count, datatype, op, comm) })
    }
}

fn enter_call(site: CallSite, bytes: usize) -> CallGuard {
    blocked_call::enter(site, WaitTarget::collective(bytes))
}

impl Collectives for MpiTransport {
    fn barrier(&self, site: CallSite) -> Result<()> {
        let comm = self.comm()?;
        let _inside = blocked_call::enter(site, WaitTarget::COLLECTIVE);
        // SAFETY: a live communicator.
        check("MPI_Barrier", unsafe { MPI_Barrier(comm) })
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

    fn bcast(&self, mut data: ViewMut<'_>, root: Rank, site: CallSite) -> Result<()> {
        let comm = self.comm()?;
        let root = self.to_root(root)?;
        let Span { start, count, datatype } = self.span_mut(&mut data)?;
        let _inside = enter_call(site, data.bytes().len());
        // SAFETY: the exclusive view holds `count` elements of `datatype` for as long as the call lasts.
        check("MPI_Bcast", unsafe { MPI_Bcast(start, count, datatype, root, comm) })
    }

    fn scatter(
        &self,
        send: Option<View<'_>>,
        mut recv: ViewMut<'_>,
        root: Rank,
        site: CallSite,
    ) -> Result<()> {
        let (comm, root_int) = (self.comm()?, self.to_root(root)?);
        let mut start = NULL;
        if self.is_root(root) {
            let send = send.expect("the root passes what is to be scattered");
            assert_same_type(send, &recv);
            check_length("scatter", "send", send.count(), total_count(self.ranks(), recv.count()))?;
            start = buffer_ptr(send);
        }
        let into = self.span_mut(&mut recv)?;
        let _inside = enter_call(site, recv.bytes().len());
        // SAFETY: `into` has room for one block, and on the root `start` holds one for each rank.
        let code = unsafe {
            MPI_Scatter(
                start,
                into.count,
                into.datatype,
                into.start,
                into.count,
                into.datatype,
                root_int,
                comm,
            )
        };
        check("MPI_Scatter", code)
    }

    fn scatterv(
        &self,
        send: Option<(View<'_>, &[usize])>,
        mut recv: ViewMut<'_>,
        root: Rank,
        site: CallSite,
    ) -> Result<()> {
        let (comm, root_int) = (self.comm()?, self.to_root(root)?);
        let mut start = NULL;
        let mut blocks = CountsAndDispls::none();
        if self.is_root(root) {
            let (send, counts) = send.expect("the root passes what is to be scattered");
            assert_same_type(send, &recv);
            blocks = CountsAndDispls::for_buffer("scatterv", "send", counts, self.ranks(), send.count())?;
            check_length("scatterv", "recv", recv.count(), counts[root])?;
            start = buffer_ptr(send);
        }
        let into = self.span_mut(&mut recv)?;
        let _inside = enter_call(site, recv.bytes().len());
        // SAFETY: `into` has room for its count; on the root all blocks lie inside the buffer at `start`; elsewhere MPI
        // does not read the first four arguments.
        let code = unsafe {
            MPI_Scatterv(
                start,
                blocks.counts.as_ptr(),
                blocks.displs.as_ptr(),
                into.datatype,
                into.start,
                into.count,
                into.datatype,
                root_int,
                comm,
            )
        };
        check("MPI_Scatterv", code)
    }

    fn gather(&self, send: View<'_>, recv: Option<ViewMut<'_>>, root: Rank, site: CallSite) -> Result<()> {
        let (comm, root_int) = (self.comm()?, self.to_root(root)?);
        let from = self.span(send)?;
        let mut start = NULL_MUT;
        if self.is_root(root) {
            let mut recv = recv.expect("the root passes room for what is gathered");
            assert_same_type(send, &recv);
            check_length("gather", "recv", recv.count(), total_count(self.ranks(), send.count()))?;
            start = buffer_ptr_mut(&mut recv);
        }
        let _inside = enter_call(site, send.bytes().len());
        // SAFETY: `from` holds one block, and on the root `start` has room for one from each rank; the view that it was
        // taken from was passed to us for the whole call.
        let code = unsafe {
            MPI_Gather(
                from.start,
                from.count,
                from.datatype,
                start,
                from.count,
                from.datatype,
                root_int,
                comm,
            )
        };
        check("MPI_Gather", code)
    }

    fn gatherv(
        &self,
        send: View<'_>,
        recv: Option<(ViewMut<'_>, &[usize])>,
        root: Rank,
        site: CallSite,
    ) -> Result<()> {
        let (comm, root_int) = (self.comm()?, self.to_root(root)?);
        let from = self.span(send)?;
        let mut start = NULL_MUT;
        let mut blocks = CountsAndDispls::none();
        if self.is_root(root) {
            let (mut recv, counts) = recv.expect("the root passes room for what is gathered");
            assert_same_type(send, &recv);
            blocks = CountsAndDispls::for_buffer("gatherv", "recv", counts, self.ranks(), recv.count())?;
            check_length("gatherv", "send", send.count(), counts[root])?;
            start = buffer_ptr_mut(&mut recv);
        }
        let _inside = enter_call(site, send.bytes().len());
        // SAFETY: `from` holds its count; on the root all blocks lie inside the buffer at `start`; elsewhere MPI does
        // not read the receiving arguments.
        let code = unsafe {
            MPI_Gatherv(
                from.start,
                from.count,
                from.datatype,
                start,
                blocks.counts.as_ptr(),
                blocks.displs.as_ptr(),
                from.datatype,
                root_int,
                comm,
            )
        };
        check("MPI_Gatherv", code)
    }

    fn allgather(&self, send: View<'_>, mut recv: ViewMut<'_>, site: CallSite) -> Result<()> {
        let comm = self.comm()?;
        assert_same_type(send, &recv);
        check_length("allgather", "recv", recv.count(), total_count(self.ranks(), send.count()))?;
        let Span { start, count, datatype } = self.span(send)?;
        let into = buffer_ptr_mut(&mut recv);
        let _inside = enter_call(site, send.bytes().len());
        // SAFETY: `start` holds one block, `into` has room for one from each rank.
        let code = unsafe { MPI_Allgather(start, count, datatype, into, count, datatype, comm) };
        check("MPI_Allgather", code)
    }

    fn allgatherv(
        &self,
        send: View<'_>,
        mut recv: ViewMut<'_>,
        counts: &[usize],
        site: CallSite,
    ) -> Result<()> {
        let comm = self.comm()?;
        assert_same_type(send, &recv);
        let blocks = CountsAndDispls::for_buffer("allgatherv", "recv", counts, self.ranks(), recv.count())?;
        check_length("allgatherv", "send", send.count(), counts[self.communicator.rank])?;
        let from = self.span(send)?;
        let _inside = enter_call(site, send.bytes().len());
        // SAFETY: `from` holds its count, all blocks lie inside `recv`.
        let code = unsafe {
            MPI_Allgatherv(
                from.start,
                from.count,
                from.datatype,
                buffer_ptr_mut(&mut recv),
                blocks.counts.as_ptr(),
                blocks.displs.as_ptr(),
                from.datatype,
                comm,
            )
        };
        check("MPI_Allgatherv", code)
    }

    fn reduce(
        &self,
        send: View<'_>,
        recv: Option<ViewMut<'_>>,
        operation: Operation,
        root: Rank,
        site: CallSite,
    ) -> Result<()> {
        let (comm, root_int) = (self.comm()?, self.to_root(root)?);
        let mut recv = if self.is_root(root) { recv } else { None };
        assert!(recv.is_some() || !self.is_root(root), "the root passes room for the result");
        let (from, op) = self.reduction("reduce", send, recv.as_ref(), operation)?;
        let into = recv.as_mut().map_or(NULL_MUT, buffer_ptr_mut);
        let _inside = enter_call(site, send.bytes().len());
        // SAFETY: `from` holds its count, and on the root `into` has room for as many.
        let code = unsafe { MPI_Reduce(from.start, into, from.count, from.datatype, op, root_int, comm) };
        check("MPI_Reduce", code)
    }

    fn allreduce(
        &self,
        send: View<'_>,
        recv: ViewMut<'_>,
        operation: Operation,
        site: CallSite,
    ) -> Result<()> {
        self.reduce_everywhere(("MPI_Allreduce", MPI_Allreduce), "allreduce", send, recv, operation, site)
    }

    fn reduce_scatter(
        &self,
        send: View<'_>,
        recv: ViewMut<'_>,
        counts: &[usize],
        operation: Operation,
        site: CallSite,
    ) -> Result<()> {
        self.reduce_to_blocks(send, recv, counts, operation, site)
    }

    fn reduce_scatter_block(
        &self,
        send: View<'_>,
        recv: ViewMut<'_>,
        operation: Operation,
        site: CallSite,
    ) -> Result<()> {
        self.reduce_to_equal_blocks(send, recv, operation, site)
    }

    fn start(
        &self,
        kind: CollectiveKind<'_>,
        buffers: OwnedBuffers,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        Ok(Box::new(self.start_collective(kind, buffers, site)?))
    }

    fn scan(&self, send: View<'_>, recv: ViewMut<'_>, operation: Operation, site: CallSite) -> Result<()> {
        self.reduce_everywhere(("MPI_Scan", MPI_Scan), "scan", send, recv, operation, site)
    }

    fn exscan(&self, send: View<'_>, recv: ViewMut<'_>, operation: Operation, site: CallSite) -> Result<()> {
        self.reduce_everywhere(("MPI_Exscan", MPI_Exscan), "exscan", send, recv, operation, site)
    }

    fn alltoall(&self, send: View<'_>, mut recv: ViewMut<'_>, site: CallSite) -> Result<()> {
        let comm = self.comm()?;
        assert_same_type(send, &recv);
        check_length("alltoall", "recv", recv.count(), send.count())?;
        let block = check::to_count(block_count("alltoall", "send", send.count(), self.ranks())?)?;
        let datatype = self.datatype(send.datatype());
        let (from, into) = (buffer_ptr(send), buffer_ptr_mut(&mut recv));
        let _inside = enter_call(site, send.bytes().len());
        // SAFETY: both buffers hold one block for each rank.
        let code = unsafe { MPI_Alltoall(from, block, datatype, into, block, datatype, comm) };
        check("MPI_Alltoall", code)
    }

    fn alltoallv(
        &self,
        send: View<'_>,
        send_counts: &[usize],
        mut recv: ViewMut<'_>,
        recv_counts: &[usize],
        site: CallSite,
    ) -> Result<()> {
        let comm = self.comm()?;
        assert_same_type(send, &recv);
        let out = CountsAndDispls::for_buffer("alltoallv", "send", send_counts, self.ranks(), send.count())?;
        let into = CountsAndDispls::for_buffer("alltoallv", "recv", recv_counts, self.ranks(), recv.count())?;
        let datatype = self.datatype(send.datatype());
        let _inside = enter_call(site, send.bytes().len());
        // SAFETY: all blocks lie inside their buffers.
        let code = unsafe {
            MPI_Alltoallv(
                buffer_ptr(send),
                out.counts.as_ptr(),
                out.displs.as_ptr(),
                datatype,
                buffer_ptr_mut(&mut recv),
                into.counts.as_ptr(),
                into.displs.as_ptr(),
                datatype,
                comm,
            )
        };
        check("MPI_Alltoallv", code)
    }
}
