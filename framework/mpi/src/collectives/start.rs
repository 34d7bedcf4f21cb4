//! The library's nonblocking collectives: each request owns its buffers, and the counts that the library reads until it is complete.
use std::ffi::{c_int, c_void};

use mpi::ffi::{
    MPI_Comm, MPI_Datatype, MPI_Iallgather, MPI_Iallgatherv, MPI_Iallreduce, MPI_Ialltoall, MPI_Ialltoallv,
    MPI_Ibarrier, MPI_Ibcast, MPI_Iexscan, MPI_Igather, MPI_Igatherv, MPI_Ireduce, MPI_Ireduce_scatter,
    MPI_Ireduce_scatter_block, MPI_Iscan, MPI_Iscatter, MPI_Iscatterv, MPI_Op, MPI_Request,
};
use wb_comm::{CallSite, CollectiveKind, Operation, OwnedBuffers, Rank, Result, View, ViewMut};

use super::{
    NULL, NULL_MUT,
    args::{Span, assert_same_type},
};
use crate::{
    buffers::{CountsAndDispls, block_count, total_count},
    check::{self, check, check_length},
    datatype, handles,
    request::{MpiRequest, StartedCollective},
    transport::MpiTransport,
};

/// A nonblocking reduction whose result every rank gets.
type ReductionStart = unsafe extern "C" fn(
    *const c_void,
    *mut c_void,
    c_int,
    MPI_Datatype,
    MPI_Op,
    MPI_Comm,
    *mut MPI_Request,
) -> c_int;

/// An operation that is being started: its arguments as the library takes them. The buffers do not move while their blocks live, which is
/// until the request is complete or for ever; the counts stay with the request.
struct Start<'a> {
    transport: &'a MpiTransport,
    comm: MPI_Comm,
    verb: &'static str,
    send: View<'a>,
    recv: ViewMut<'a>,
    from: Span<*const c_void>,
    into: Span<*mut c_void>,
    /// The counts that the library reads later.
    counts: Vec<CountsAndDispls>,
    request: MPI_Request,
}

impl MpiTransport {
    /// Starts an operation.
    ///
    /// # Errors
    /// If a buffer does not have the length that the arguments say; the library's error.
    pub(super) fn start_collective(
        &self,
        kind: CollectiveKind<'_>,
        buffers: OwnedBuffers,
        site: CallSite,
    ) -> Result<MpiRequest> {
        let OwnedBuffers { send, mut recv } = buffers;
        let (verb, mut room) = (kind.nonblocking_verb().name(), recv.view_mut());
        let (from, into) = (self.span(send.view())?, self.span_mut(&mut room)?);
        let (comm, request) = (self.comm()?, handles::REQUEST_NULL);
        let mut start = Start {
            transport: self,
            comm,
            verb,
            send: send.view(),
            recv: room,
            from,
            into,
            counts: vec![],
            request,
        };
        let code = start.call(kind)?;
        check(verb, code)?;
        let (request, counts) = (start.request, start.counts);
        let started = StartedCollective { send, counts };
        Ok(MpiRequest::collective(&self.communicator, request, recv, started, site))
    }
}

impl Start<'_> {
    fn call(&mut self, kind: CollectiveKind<'_>) -> Result<c_int> {
        use CollectiveKind::{
            Allgather, Allgatherv, Allreduce, Alltoall, Alltoallv, Barrier, Bcast, Exscan, Gather, Gatherv,
            Reduce, ReduceScatter, ReduceScatterBlock, Scan, Scatter, Scatterv,
        };
        match kind {
            // SAFETY: a live communicator.
            Barrier => Ok(unsafe { MPI_Ibarrier(self.comm, &mut self.request) }),
            Bcast { root } => self.bcast(root),
            Scatter { root } => self.scatter(root),
            Scatterv { counts, root } => self.scatterv(counts, root),
            Gather { root } => self.gather(root),
            Gatherv { counts, root } => self.gatherv(counts, root),
            Allgather => self.allgather(),
            Allgatherv { counts } => self.allgatherv(counts),
            Reduce { operation, root } => self.reduce(operation, root),
            Allreduce { operation } => self.reduce_everywhere(MPI_Iallreduce, operation),
            Scan { operation } => self.reduce_everywhere(MPI_Iscan, operation),
            Exscan { operation } => self.reduce_everywhere(MPI_Iexscan, operation),
            ReduceScatter { counts, operation } => self.reduce_scatter(counts, operation),
            ReduceScatterBlock { operation } => self.reduce_scatter_block(operation),
            Alltoall => self.alltoall(),
            Alltoallv { send_counts, recv_counts } => self.alltoallv(send_counts, recv_counts),
        }
    }

    fn ranks(&self) -> usize {
        self.transport.ranks()
    }

    fn is_root(&self, root: Rank) -> bool {
        self.transport.is_root(root)
    }

    /// Keeps the counts of all blocks of a buffer for the library, and returns their addresses.
    fn keep(&mut self, table: CountsAndDispls) -> (*const c_int, *const c_int) {
        let addresses = (table.counts.as_ptr(), table.displs.as_ptr());
        self.counts.push(table);
        addresses
    }

    fn blocks_of_send(&self, counts: &[usize]) -> Result<CountsAndDispls> {
        CountsAndDispls::for_buffer(self.verb, "send", counts, self.ranks(), self.send.count())
    }

    fn blocks_of_recv(&self, counts: &[usize]) -> Result<CountsAndDispls> {
        CountsAndDispls::for_buffer(self.verb, "recv", counts, self.ranks(), self.recv.count())
    }

    fn bcast(&mut self, root: Rank) -> Result<c_int> {
        let Span { start, count, datatype } = self.into;
        let root = self.transport.to_root(root)?;
        // SAFETY: the block holds `count` elements of `datatype`.
        Ok(unsafe { MPI_Ibcast(start, count, datatype, root, self.comm, &mut self.request) })
    }

    fn scatter(&mut self, root: Rank) -> Result<c_int> {
        let mut from = NULL;
        if self.is_root(root) {
            assert_same_type(self.send, &self.recv);
            let all = total_count(self.ranks(), self.recv.count());
            check_length(self.verb, "send", self.send.count(), all)?;
            from = self.from.start;
        }
        let Span { start, count, datatype } = self.into;
        let (root, comm, request) = (self.transport.to_root(root)?, self.comm, &mut self.request);
        // SAFETY: `start` has room for one block, and on the root `from` holds one for each rank.
        Ok(unsafe { MPI_Iscatter(from, count, datatype, start, count, datatype, root, comm, request) })
    }

    fn scatterv(&mut self, counts: Option<&[usize]>, root: Rank) -> Result<c_int> {
        let (mut from, mut table) = (NULL, CountsAndDispls::none());
        if self.is_root(root) {
            let counts = counts.expect("the root passes the counts");
            assert_same_type(self.send, &self.recv);
            table = self.blocks_of_send(counts)?;
            check_length(self.verb, "recv", self.recv.count(), counts[root])?;
            from = self.from.start;
        }
        let (counts, displs) = self.keep(table);
        let Span { start, count, datatype } = self.into;
        let (root, comm, request) = (self.transport.to_root(root)?, self.comm, &mut self.request);
        // SAFETY: `start` has room for its count; on the root all blocks lie inside the buffer at `from`.
        Ok(unsafe {
            MPI_Iscatterv(from, counts, displs, datatype, start, count, datatype, root, comm, request)
        })
    }

    fn gather(&mut self, root: Rank) -> Result<c_int> {
        let mut into = NULL_MUT;
        if self.is_root(root) {
            assert_same_type(self.send, &self.recv);
            let all = total_count(self.ranks(), self.send.count());
            check_length(self.verb, "recv", self.recv.count(), all)?;
            into = self.into.start;
        }
        let Span { start, count, datatype } = self.from;
        let (root, comm, request) = (self.transport.to_root(root)?, self.comm, &mut self.request);
        // SAFETY: `start` holds one block, and on the root `into` has room for one from each rank.
        Ok(unsafe { MPI_Igather(start, count, datatype, into, count, datatype, root, comm, request) })
    }

    fn gatherv(&mut self, counts: Option<&[usize]>, root: Rank) -> Result<c_int> {
        let (mut into, mut table) = (NULL_MUT, CountsAndDispls::none());
        if self.is_root(root) {
            let counts = counts.expect("the root passes the counts");
            assert_same_type(self.send, &self.recv);
            table = self.blocks_of_recv(counts)?;
            check_length(self.verb, "send", self.send.count(), counts[root])?;
            into = self.into.start;
        }
        let (counts, displs) = self.keep(table);
        let Span { start, count, datatype } = self.from;
        let (root, comm, request) = (self.transport.to_root(root)?, self.comm, &mut self.request);
        // SAFETY: `start` holds its count; on the root all blocks lie inside the buffer at `into`.
        Ok(unsafe {
            MPI_Igatherv(start, count, datatype, into, counts, displs, datatype, root, comm, request)
        })
    }

    fn allgather(&mut self) -> Result<c_int> {
        assert_same_type(self.send, &self.recv);
        let all = total_count(self.ranks(), self.send.count());
        check_length(self.verb, "recv", self.recv.count(), all)?;
        let Span { start, count, datatype } = self.from;
        let (into, comm, request) = (self.into.start, self.comm, &mut self.request);
        // SAFETY: `start` holds one block, `into` has room for one from each rank.
        Ok(unsafe { MPI_Iallgather(start, count, datatype, into, count, datatype, comm, request) })
    }

    fn allgatherv(&mut self, counts: &[usize]) -> Result<c_int> {
        assert_same_type(self.send, &self.recv);
        let table = self.blocks_of_recv(counts)?;
        check_length(self.verb, "send", self.send.count(), counts[self.transport.communicator.rank])?;
        let (counts, displs) = self.keep(table);
        let Span { start, count, datatype } = self.from;
        let (into, comm, request) = (self.into.start, self.comm, &mut self.request);
        // SAFETY: `start` holds its count, all blocks lie inside the buffer at `into`.
        Ok(unsafe { MPI_Iallgatherv(start, count, datatype, into, counts, displs, datatype, comm, request) })
    }

    fn reduce(&mut self, operation: Operation, root: Rank) -> Result<c_int> {
        let room = self.is_root(root).then_some(&self.recv);
        let (Span { start, count, datatype }, op) =
            self.transport.reduction(self.verb, self.send, room, operation)?;
        let into = if self.is_root(root) { self.into.start } else { NULL_MUT };
        let (root, comm, request) = (self.transport.to_root(root)?, self.comm, &mut self.request);
        // SAFETY: `start` holds its count, and on the root `into` has room for as many.
        Ok(unsafe { MPI_Ireduce(start, into, count, datatype, op, root, comm, request) })
    }

    fn reduce_everywhere(&mut self, call: ReductionStart, operation: Operation) -> Result<c_int> {
        let (Span { start, count, datatype }, op) =
            self.transport.reduction(self.verb, self.send, Some(&self.recv), operation)?;
        let (into, comm, request) = (self.into.start, self.comm, &mut self.request);
        // SAFETY: `start` holds its count, `into` has room for as many.
        Ok(unsafe { call(start, into, count, datatype, op, comm, request) })
    }

    fn reduce_scatter(&mut self, counts: &[usize], operation: Operation) -> Result<c_int> {
        self.transport.check_reduction(self.send, &self.recv, operation)?;
        let table = self.blocks_of_send(counts)?;
        check_length(self.verb, "recv", self.recv.count(), counts[self.transport.communicator.rank])?;
        let (counts, _) = self.keep(table);
        let Span { start, datatype, .. } = self.from;
        let (into, comm, request) = (self.into.start, self.comm, &mut self.request);
        let op = datatype::reduction_op(operation);
        // SAFETY: `start` holds all blocks, `into` has room for this rank's.
        Ok(unsafe { MPI_Ireduce_scatter(start, into, counts, datatype, op, comm, request) })
    }

    fn reduce_scatter_block(&mut self, operation: Operation) -> Result<c_int> {
        self.transport.check_reduction(self.send, &self.recv, operation)?;
        let all = total_count(self.ranks(), self.recv.count());
        check_length(self.verb, "send", self.send.count(), all)?;
        let (from, Span { start, count, datatype }) = (self.from.start, self.into);
        let (comm, request) = (self.comm, &mut self.request);
        let op = datatype::reduction_op(operation);
        // SAFETY: `from` holds one block for each rank, `start` has room for one.
        Ok(unsafe { MPI_Ireduce_scatter_block(from, start, count, datatype, op, comm, request) })
    }

    fn alltoall(&mut self) -> Result<c_int> {
        assert_same_type(self.send, &self.recv);
        check_length(self.verb, "recv", self.recv.count(), self.send.count())?;
        let count = check::to_count(block_count(self.verb, "send", self.send.count(), self.ranks())?)?;
        let (Span { start, datatype, .. }, into) = (self.from, self.into.start);
        let (comm, request) = (self.comm, &mut self.request);
        // SAFETY: both buffers hold one block for each rank.
        Ok(unsafe { MPI_Ialltoall(start, count, datatype, into, count, datatype, comm, request) })
    }

    fn alltoallv(&mut self, send_counts: &[usize], recv_counts: &[usize]) -> Result<c_int> {
        assert_same_type(self.send, &self.recv);
        let (outgoing, incoming) = (self.blocks_of_send(send_counts)?, self.blocks_of_recv(recv_counts)?);
        let ((out, out_at), (inward, in_at)) = (self.keep(outgoing), self.keep(incoming));
        let (Span { start, datatype, .. }, into) = (self.from, self.into.start);
        let (comm, request) = (self.comm, &mut self.request);
        // SAFETY: all blocks lie inside their buffers.
        Ok(unsafe {
            MPI_Ialltoallv(start, out, out_at, datatype, into, inward, in_at, datatype, comm, request)
        })
    }
}
