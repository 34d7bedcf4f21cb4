//! The library's nonblocking collectives: each request owns its buffers, and the counts that the library reads until it is complete.
use std::ffi::c_int;

use mpi::ffi::{
    MPI_Iallgather, MPI_Iallgatherv, MPI_Iallreduce, MPI_Ialltoall, MPI_Ialltoallv, MPI_Ibarrier, MPI_Ibcast,
    MPI_Iexscan, MPI_Igather, MPI_Igatherv, MPI_Ireduce, MPI_Ireduce_scatter, MPI_Ireduce_scatter_block,
    MPI_Iscan, MPI_Iscatter, MPI_Iscatterv,
};
use wb_comm::{CallSite, CollectiveKind, OwnedBuffers, Rank, Result};

use super::{NULL, NULL_MUT, args::assert_same_type};
use crate::{
    buffers::{CountsAndDispls, block_count, total_count},
    check::{self, check, check_length},
    datatype, handles,
    request::{MpiRequest, StartedCollective},
    transport::MpiTransport,
};

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
        let mut started = StartedCollective { send: buffers.send, counts: vec![] };
        let mut recv = buffers.recv;
        let request = self.post_collective(kind, &mut started, &mut recv)?;
        Ok(MpiRequest::collective(&self.communicator, request, recv, started, site))
    }

    /// The buffers do not move while their blocks live, which is until the request is complete or for ever.
    fn post_collective(
        &self,
        kind: CollectiveKind<'_>,
        started: &mut StartedCollective,
        recv: &mut wb_comm::Block,
    ) -> Result<mpi::ffi::MPI_Request> {
        use CollectiveKind::{
            Allgather, Allgatherv, Allreduce, Alltoall, Alltoallv, Barrier, Bcast, Exscan, Gather, Gatherv,
            Reduce, ReduceScatter, ReduceScatterBlock, Scan, Scatter, Scatterv,
        };
        let (comm, ranks) = (self.comm()?, self.ranks());
        let verb = kind.nonblocking_verb().name();
        let (send, mut recv) = (started.send.view(), recv.view_mut());
        let (sends, receives) = (send.count(), recv.count());
        let is_root = |root: Rank| self.is_root(root);
        let from = self.span(send)?;
        let into = self.span_mut(&mut recv)?;
        let blocks =
            |buffer, counts: &[usize], room| CountsAndDispls::for_buffer(verb, buffer, counts, ranks, room);
        let mut request = handles::REQUEST_NULL;
        let answer = &mut request;
        let code: c_int = match kind {
            // SAFETY: a live communicator.
            Barrier => unsafe { MPI_Ibarrier(comm, answer) },
            Bcast { root } => {
                let root = self.to_root(root)?;
                // SAFETY: the block holds `count` elements of `datatype`.
                unsafe { MPI_Ibcast(into.start, into.count, into.datatype, root, comm, answer) }
            }
            Scatter { root } => {
                let start = if is_root(root) { from.start } else { NULL };
                if is_root(root) {
                    assert_same_type(send, &recv);
                    check_length(verb, "send", sends, total_count(ranks, receives))?;
                }
                let (count, datatype, root) = (into.count, into.datatype, self.to_root(root)?);
                // SAFETY: `into` has room for one block, and on the root `start` holds one for each rank.
                unsafe {
                    MPI_Iscatter(start, count, datatype, into.start, count, datatype, root, comm, answer)
                }
            }
            Scatterv { counts, root } => {
                let (mut start, mut table) = (NULL, CountsAndDispls::none());
                if is_root(root) {
                    let counts = counts.expect("the root passes the counts");
                    assert_same_type(send, &recv);
                    table = blocks("send", counts, sends)?;
                    check_length(verb, "recv", receives, counts[root])?;
                    start = from.start;
                }
                let (counts, displs) = (table.counts.as_ptr(), table.displs.as_ptr());
                started.counts.push(table);
                let (datatype, root) = (into.datatype, self.to_root(root)?);
                // SAFETY: `into` has room for its count; on the root all blocks lie inside the buffer at `start`.
                unsafe {
                    MPI_Iscatterv(
                        start, counts, displs, datatype, into.start, into.count, datatype, root, comm, answer,
                    )
                }
            }
            Gather { root } => {
                let start = if is_root(root) { into.start } else { NULL_MUT };
                if is_root(root) {
                    assert_same_type(send, &recv);
                    check_length(verb, "recv", receives, total_count(ranks, sends))?;
                }
                let (count, datatype, root) = (from.count, from.datatype, self.to_root(root)?);
                // SAFETY: `from` holds one block, and on the root `start` has room for one from each rank.
                unsafe {
                    MPI_Igather(from.start, count, datatype, start, count, datatype, root, comm, answer)
                }
            }
            Gatherv { counts, root } => {
                let (mut start, mut table) = (NULL_MUT, CountsAndDispls::none());
                if is_root(root) {
                    let counts = counts.expect("the root passes the counts");
                    assert_same_type(send, &recv);
                    table = blocks("recv", counts, receives)?;
                    check_length(verb, "send", sends, counts[root])?;
                    start = into.start;
                }
                let (counts, displs) = (table.counts.as_ptr(), table.displs.as_ptr());
                started.counts.push(table);
                let (datatype, root) = (from.datatype, self.to_root(root)?);
                // SAFETY: `from` holds its count; on the root all blocks lie inside the buffer at `start`.
                unsafe {
                    MPI_Igatherv(
                        from.start, from.count, datatype, start, counts, displs, datatype, root, comm, answer,
                    )
                }
            }
            Allgather => {
                assert_same_type(send, &recv);
                check_length(verb, "recv", receives, total_count(ranks, sends))?;
                let (count, datatype) = (from.count, from.datatype);
                // SAFETY: `from` holds one block, `into` has room for one from each rank.
                unsafe {
                    MPI_Iallgather(from.start, count, datatype, into.start, count, datatype, comm, answer)
                }
            }
            Allgatherv { counts } => {
                assert_same_type(send, &recv);
                let table = blocks("recv", counts, receives)?;
                check_length(verb, "send", sends, counts[self.communicator.rank])?;
                let (counts, displs) = (table.counts.as_ptr(), table.displs.as_ptr());
                started.counts.push(table);
                let datatype = from.datatype;
                // SAFETY: `from` holds its count, all blocks lie inside `into`.
                unsafe {
                    MPI_Iallgatherv(
                        from.start, from.count, datatype, into.start, counts, displs, datatype, comm, answer,
                    )
                }
            }
            Reduce { operation, root } => {
                let room = is_root(root).then_some(&recv);
                let (from, op) = self.reduction(verb, send, room, operation)?;
                let start = if is_root(root) { into.start } else { NULL_MUT };
                let root = self.to_root(root)?;
                // SAFETY: `from` holds its count, and on the root `start` has room for as many.
                unsafe { MPI_Ireduce(from.start, start, from.count, from.datatype, op, root, comm, answer) }
            }
            Allreduce { operation } | Scan { operation } | Exscan { operation } => {
                let (from, op) = self.reduction(verb, send, Some(&recv), operation)?;
                let call = match kind {
                    Allreduce { .. } => MPI_Iallreduce,
                    Scan { .. } => MPI_Iscan,
                    _ => MPI_Iexscan,
                };
                // SAFETY: `from` holds its count, `into` has room for as many.
                unsafe { call(from.start, into.start, from.count, from.datatype, op, comm, answer) }
            }
            ReduceScatter { counts, operation } => {
                self.check_reduction(send, &recv, operation)?;
                let table = blocks("send", counts, sends)?;
                check_length(verb, "recv", receives, counts[self.communicator.rank])?;
                let counts = table.counts.as_ptr();
                started.counts.push(table);
                let (datatype, op) = (from.datatype, datatype::reduction_op(operation));
                // SAFETY: `from` holds all blocks, `into` has room for this rank's.
                unsafe { MPI_Ireduce_scatter(from.start, into.start, counts, datatype, op, comm, answer) }
            }
            ReduceScatterBlock { operation } => {
                self.check_reduction(send, &recv, operation)?;
                check_length(verb, "send", sends, total_count(ranks, receives))?;
                let (count, datatype, op) = (into.count, from.datatype, datatype::reduction_op(operation));
                // SAFETY: `from` holds one block for each rank, `into` has room for one.
                unsafe {
                    MPI_Ireduce_scatter_block(from.start, into.start, count, datatype, op, comm, answer)
                }
            }
            Alltoall => {
                assert_same_type(send, &recv);
                check_length(verb, "recv", receives, sends)?;
                let block = check::to_count(block_count(verb, "send", sends, ranks)?)?;
                let datatype = from.datatype;
                // SAFETY: both buffers hold one block for each rank.
                unsafe {
                    MPI_Ialltoall(from.start, block, datatype, into.start, block, datatype, comm, answer)
                }
            }
            Alltoallv { send_counts, recv_counts } => {
                assert_same_type(send, &recv);
                let tables = [blocks("send", send_counts, sends)?, blocks("recv", recv_counts, receives)?];
                let [(out, out_at), (inward, in_at)] =
                    tables.each_ref().map(|table| (table.counts.as_ptr(), table.displs.as_ptr()));
                started.counts.extend(tables);
                let datatype = from.datatype;
                // SAFETY: all blocks lie inside their buffers.
                unsafe {
                    MPI_Ialltoallv(
                        from.start, out, out_at, datatype, into.start, inward, in_at, datatype, comm, answer,
                    )
                }
            }
        };
        check(verb, code)?;
        Ok(request)
    }
}
