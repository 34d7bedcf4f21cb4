//! The library's collectives with `MPI_IN_PLACE`.
//!
//! Memory safety depends on lengths here as in the other calls: the buffer is compared with the blocks that MPI reads and writes in it.
use std::ffi::{c_int, c_void};

use mpi::ffi::{
    MPI_Allgather, MPI_Allreduce, MPI_Alltoall, MPI_Comm, MPI_Datatype, MPI_Exscan, MPI_Gather, MPI_Op,
    MPI_Reduce, MPI_Reduce_scatter, MPI_Reduce_scatter_block, MPI_Scan, MPI_Scatter,
};
use wb_comm::{CollectiveKind, Error, Operation, Rank, Result, ViewMut};

use super::args::{NULL, NULL_MUT, Span};
use crate::{
    buffers::{CountsAndDispls, block_count},
    check::{check, to_count},
    handles,
    transport::MpiTransport,
};

/// The arguments of a call: a buffer of `length` elements from `start` on.
struct InPlaceCall<'a> {
    transport: &'a MpiTransport,
    comm: MPI_Comm,
    verb: &'static str,
    length: usize,
    start: *mut c_void,
    count: c_int,
    datatype: MPI_Datatype,
}

/// Makes the call.
pub(super) fn run(transport: &MpiTransport, kind: CollectiveKind<'_>, mut data: ViewMut<'_>) -> Result<()> {
    let operation = |operation: Operation| transport.reduction_op(operation, data.as_view());
    let op = kind.operation().map(operation).transpose()?;
    let length = data.count();
    let Span { start, count, datatype } = transport.span_mut(&mut data)?;
    let (comm, verb) = (transport.comm()?, kind.verb().name());
    let call = InPlaceCall { transport, comm, verb, length, start, count, datatype };
    match (kind, op) {
        (CollectiveKind::Gather { root }, _) => call.gather(root),
        (CollectiveKind::Scatter { root }, _) => call.scatter(root),
        (CollectiveKind::Reduce { root, .. }, Some(op)) => call.reduce(op, root),
        (CollectiveKind::ReduceScatter { counts, .. }, Some(op)) => call.reduce_scatter(counts, op),
        (_, Some(op)) => call.reduce_everywhere(kind, op),
        (CollectiveKind::Allgather | CollectiveKind::Alltoall, None) => call.exchange(kind),
        _ => Err(not_in_place(kind)),
    }
}

fn not_in_place(kind: CollectiveKind<'_>) -> Error {
    Error::Setup(wb_comm::text::collective::not_in_place(kind.verb().name()))
}

/// SAFETY, of all calls: the buffer has the elements that the arguments say, which is checked before each call.
impl InPlaceCall<'_> {
    /// The length of one of as many equal blocks as there are ranks.
    fn block(&self) -> Result<c_int> {
        to_count(block_count(self.verb, "data", self.length, self.transport.ranks())?)
    }

    fn is_root(&self, root: Rank) -> bool {
        self.transport.communicator.rank == root
    }

    fn gather(&self, root: Rank) -> Result<()> {
        let &Self { comm, start, count, datatype, .. } = self;
        let to_root = self.transport.to_root(root)?;
        let code = if self.is_root(root) {
            let (here, each) = (handles::in_place(), self.block()?);
            // SAFETY: see the implementation.
            unsafe { MPI_Gather(here, 0, datatype, start, each, datatype, to_root, comm) }
        } else {
            // SAFETY: as above; the receive buffer has a meaning on the root only.
            unsafe { MPI_Gather(start, count, datatype, NULL_MUT, count, datatype, to_root, comm) }
        };
        check("MPI_Gather", code)
    }

    fn scatter(&self, root: Rank) -> Result<()> {
        let &Self { comm, start, count, datatype, .. } = self;
        let to_root = self.transport.to_root(root)?;
        let code = if self.is_root(root) {
            let (here, each) = (handles::in_place(), self.block()?);
            // SAFETY: see the implementation.
            unsafe { MPI_Scatter(start, each, datatype, here, 0, datatype, to_root, comm) }
        } else {
            // SAFETY: as above; the send buffer has a meaning on the root only.
            unsafe { MPI_Scatter(NULL, count, datatype, start, count, datatype, to_root, comm) }
        };
        check("MPI_Scatter", code)
    }

    fn reduce(&self, op: MPI_Op, root: Rank) -> Result<()> {
        let &Self { comm, start, count, datatype, .. } = self;
        let to_root = self.transport.to_root(root)?;
        let (from, into) = if self.is_root(root) { (handles::in_place(), start) } else { (start, NULL_MUT) };
        // SAFETY: see the implementation; the receive buffer has a meaning on the root only.
        check("MPI_Reduce", unsafe { MPI_Reduce(from, into, count, datatype, op, to_root, comm) })
    }

    fn reduce_scatter(&self, counts: &[usize], op: MPI_Op) -> Result<()> {
        let &Self { comm, start, datatype, .. } = self;
        let (ranks, here) = (self.transport.ranks(), handles::in_place());
        let blocks = CountsAndDispls::for_buffer((self.verb, "data"), counts.into(), ranks, self.length)?;
        let (lengths, _) = blocks.addresses();
        // SAFETY: see the implementation.
        let code = unsafe { MPI_Reduce_scatter(here, start, lengths, datatype, op, comm) };
        check("MPI_Reduce_scatter", code)
    }

    /// A reduction without a root.
    fn reduce_everywhere(&self, kind: CollectiveKind<'_>, op: MPI_Op) -> Result<()> {
        let &Self { comm, start, count, datatype, .. } = self;
        let here = handles::in_place();
        match kind {
            CollectiveKind::Allreduce { .. } => {
                // SAFETY: see the implementation.
                check("MPI_Allreduce", unsafe { MPI_Allreduce(here, start, count, datatype, op, comm) })
            }
            CollectiveKind::Scan { .. } => {
                // SAFETY: see the implementation.
                check("MPI_Scan", unsafe { MPI_Scan(here, start, count, datatype, op, comm) })
            }
            CollectiveKind::Exscan { .. } => {
                // SAFETY: see the implementation.
                check("MPI_Exscan", unsafe { MPI_Exscan(here, start, count, datatype, op, comm) })
            }
            CollectiveKind::ReduceScatterBlock { .. } => {
                let each = self.block()?;
                // SAFETY: see the implementation.
                let code = unsafe { MPI_Reduce_scatter_block(here, start, each, datatype, op, comm) };
                check("MPI_Reduce_scatter_block", code)
            }
            _ => Err(not_in_place(kind)),
        }
    }

    /// An allgather or an alltoall.
    fn exchange(&self, kind: CollectiveKind<'_>) -> Result<()> {
        let &Self { comm, start, datatype, .. } = self;
        let (here, each) = (handles::in_place(), self.block()?);
        match kind {
            CollectiveKind::Allgather => {
                // SAFETY: see the implementation.
                let code = unsafe { MPI_Allgather(here, 0, datatype, start, each, datatype, comm) };
                check("MPI_Allgather", code)
            }
            _ => {
                // SAFETY: see the implementation.
                let code = unsafe { MPI_Alltoall(here, 0, datatype, start, each, datatype, comm) };
                check("MPI_Alltoall", code)
            }
        }
    }
}
