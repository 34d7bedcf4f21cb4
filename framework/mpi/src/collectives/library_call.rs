//! One collective operation as a call of the library, blocking or nonblocking: its arguments are checked once for both forms.
//!
//! Memory safety depends on lengths and types here, because MPI writes as many elements as the call says: every buffer
//! is compared with the counts before the call. The arguments of other ranks cannot be checked from here; MPI
//! truncates.
use std::{
    ffi::{c_int, c_void},
    marker::PhantomData,
};

use mpi::ffi::{
    MPI_Allgather, MPI_Allgatherv, MPI_Allreduce, MPI_Alltoall, MPI_Alltoallv, MPI_Alltoallw, MPI_Barrier,
    MPI_Bcast, MPI_Exscan, MPI_Gather, MPI_Gatherv, MPI_Iallgather, MPI_Iallgatherv, MPI_Iallreduce,
    MPI_Ialltoall, MPI_Ialltoallv, MPI_Ialltoallw, MPI_Ibarrier, MPI_Ibcast, MPI_Iexscan, MPI_Igather,
    MPI_Igatherv, MPI_Ireduce, MPI_Ireduce_scatter, MPI_Ireduce_scatter_block, MPI_Iscan, MPI_Iscatter,
    MPI_Iscatterv, MPI_Reduce, MPI_Reduce_scatter, MPI_Reduce_scatter_block, MPI_Request, MPI_Scan,
    MPI_Scatter, MPI_Scatterv,
};
use wb_comm::{
    BorrowedBuffers, CollectiveKind, Datatype, Error, InPlaceParts, Layout, Operation, Rank, RankBlocks,
    Result, Verb, ViewMut, text,
};

use super::args::{NO_COUNTS, NULL, NULL_MUT, Span, assert_same_type};
use crate::{
    buffers::{CountsAndDispls, block_count, buffer_ptr, buffer_ptr_mut, total_count},
    check::{self, check, check_length},
    handles,
    transport::MpiTransport,
};

/// Whether the library's call returns when the operation is complete, or starts it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Blocking,
    Nonblocking,
}

/// A buffer of a call: the address that MPI takes, and the elements that are there.
struct CallBuffer<P> {
    start: P,
    count: usize,
    datatype: Datatype,
}

/// An operation with its arguments as the library takes them. The caller keeps the buffers, and the [`counts`](Self::counts), until the
/// operation is complete.
pub(super) struct LibraryCall<'a> {
    transport: &'a MpiTransport,
    form: Form,
    verb: Verb,
    send: CallBuffer<*const c_void>,
    recv: CallBuffer<*mut c_void>,
    buffers: PhantomData<BorrowedBuffers<'a>>,
    /// The counts of send and receive buffers, if the blocks have different lengths: the library reads them until the operation is complete.
    pub(super) counts: Vec<CountsAndDispls>,
    /// The request of a nonblocking form.
    pub(super) request: MPI_Request,
}

/// Calls the blocking or the nonblocking function with the same arguments; the latter takes the request, too.
///
/// SAFETY, of all uses: the buffers have the elements that the arguments say, which is checked before; counts and displacements lie in
/// [`LibraryCall::counts`]; the caller keeps all of them until the operation is complete.
macro_rules! library_call {
    ($call:ident, $blocking:ident | $nonblocking:ident, $($argument:expr),*) => {
        match $call.form {
            // SAFETY: see the macro.
            Form::Blocking => check(stringify!($blocking), unsafe { $blocking($($argument,)* $call.transport.comm()?) }),
            Form::Nonblocking => {
                // SAFETY: see the macro.
                let code = unsafe { $nonblocking($($argument,)* $call.transport.comm()?, &mut $call.request) };
                check(stringify!($nonblocking), code)
            }
        }
    };
}

mod neighbors;

impl<'a> LibraryCall<'a> {
    /// The call of an operation on `transport`'s communicator.
    #[inline]
    pub(super) fn new(
        transport: &'a MpiTransport,
        form: Form,
        kind: CollectiveKind<'_>,
        buffers: BorrowedBuffers<'a>,
    ) -> Self {
        let BorrowedBuffers { send, mut recv } = buffers;
        let verb = if form == Form::Blocking { kind.verb() } else { kind.nonblocking_verb() };
        let send = CallBuffer { start: buffer_ptr(send), count: send.count(), datatype: send.datatype() };
        let recv =
            CallBuffer { start: buffer_ptr_mut(&mut recv), count: recv.count(), datatype: recv.datatype() };
        Self::with_buffers(transport, form, verb, (send, recv))
    }

    /// The blocking call with `MPI_IN_PLACE`.
    pub(super) fn in_place(
        transport: &'a MpiTransport,
        kind: CollectiveKind<'_>,
        mut data: ViewMut<'a>,
    ) -> Result<Self> {
        let (rank, verb) = (transport.communicator.rank, kind.verb());
        let parts = kind.in_place_parts(rank, transport.ranks(), data.count());
        let InPlaceParts { contribution, result } =
            parts.ok_or_else(|| Error::Setup(text::collective::not_in_place(verb.name())))?;
        let (start, here) = (buffer_ptr_mut(&mut data), handles::in_place());
        let (from, into) = match (kind, kind.root()) {
            (CollectiveKind::Scatter { root }, _) if root == rank => (start, here),
            (CollectiveKind::Scatter { .. }, _) => (NULL_MUT, start),
            (_, Some(root)) if root != rank => (start, NULL_MUT),
            _ => (here, start),
        };
        let datatype = data.datatype();
        let send = CallBuffer { start: from.cast_const(), count: contribution.len(), datatype };
        let recv = CallBuffer { start: into, count: result.len(), datatype };
        Ok(Self::with_buffers(transport, Form::Blocking, verb, (send, recv)))
    }

    #[inline]
    fn with_buffers(
        transport: &'a MpiTransport,
        form: Form,
        verb: Verb,
        (send, recv): (CallBuffer<*const c_void>, CallBuffer<*mut c_void>),
    ) -> Self {
        let (counts, request) = (vec![], handles::REQUEST_NULL);
        Self { transport, form, verb, send, recv, buffers: PhantomData, counts, request }
    }

    /// Makes the call.
    pub(super) fn run(&mut self, kind: CollectiveKind<'_>) -> Result<()> {
        use CollectiveKind::{
            Allgather, Allgatherv, Allreduce, Alltoall, Alltoallv, Alltoallw, Barrier, Bcast, Exscan, Gather,
            Gatherv, NeighborAllgather, NeighborAllgatherv, NeighborAlltoall, NeighborAlltoallv, Reduce,
            ReduceScatter, ReduceScatterBlock, Scan, Scatter, Scatterv,
        };
        match kind {
            Barrier => library_call!(self, MPI_Barrier | MPI_Ibarrier,),
            Bcast { root } => self.bcast(root),
            Scatter { root } => self.scatter(root),
            Scatterv { blocks, root } => self.scatterv(blocks, root),
            Gather { root } => self.gather(root),
            Gatherv { blocks, root } => self.gatherv(blocks, root),
            Allgather => self.allgather(),
            Allgatherv { blocks } => self.allgatherv(blocks),
            Reduce { operation, root } => self.reduce(operation, root),
            Allreduce { .. } | Scan { .. } | Exscan { .. } => self.reduce_everywhere(kind),
            ReduceScatter { counts, operation } => self.reduce_scatter(counts, operation),
            ReduceScatterBlock { operation } => self.reduce_scatter_block(operation),
            Alltoall => self.alltoall(),
            Alltoallv { send_blocks, recv_blocks } => self.alltoallv(send_blocks, recv_blocks),
            Alltoallw { send_layouts, recv_layouts } => self.alltoallw(send_layouts, recv_layouts),
            NeighborAllgather { .. }
            | NeighborAllgatherv { .. }
            | NeighborAlltoall { .. }
            | NeighborAlltoallv { .. } => self.run_neighbors(kind),
        }
    }

    /// The buffer that the library sends.
    fn send_span(&self) -> Result<Span<*const c_void>> {
        let CallBuffer { start, count, datatype } = self.send;
        Ok(Span { start, count: check::to_count(count)?, datatype: self.transport.datatype(datatype)? })
    }

    /// Where the library receives.
    fn recv_span(&self) -> Result<Span<*mut c_void>> {
        let CallBuffer { start, count, datatype } = self.recv;
        Ok(Span { start, count: check::to_count(count)?, datatype: self.transport.datatype(datatype)? })
    }

    fn ranks(&self) -> usize {
        self.transport.ranks()
    }

    fn is_root(&self, root: Rank) -> bool {
        self.transport.communicator.rank == root
    }

    /// The block of this rank.
    fn own(&self, counts: &[usize]) -> usize {
        counts[self.transport.communicator.rank]
    }

    /// Keeps counts for the library, and returns their addresses.
    fn keep(&mut self, made: CountsAndDispls) -> (*const c_int, *const c_int) {
        let addresses = made.addresses();
        self.counts.push(made);
        addresses
    }

    /// Keeps the counts of all blocks of the send buffer for the library, and returns their addresses.
    fn blocks_of_send(&mut self, blocks: RankBlocks<'_>) -> Result<(*const c_int, *const c_int)> {
        let made =
            CountsAndDispls::for_buffer((self.verb.name(), "send"), blocks, self.ranks(), self.send.count)?;
        Ok(self.keep(made))
    }

    /// The same of the receive buffer.
    fn blocks_of_recv(&mut self, blocks: RankBlocks<'_>) -> Result<(*const c_int, *const c_int)> {
        let made =
            CountsAndDispls::for_buffer((self.verb.name(), "recv"), blocks, self.ranks(), self.recv.count)?;
        Ok(self.keep(made))
    }

    fn assert_same_type(&self) {
        assert_same_type(self.send.datatype, self.recv.datatype);
    }

    fn check_length(&self, buffer: &'static str, got: usize, expected: usize) -> Result<()> {
        if got == expected { Ok(()) } else { check_length(self.verb.name(), buffer, got, expected) }
    }

    /// Checks that a buffer has one block of `each` elements for every rank.
    fn check_blocks(&self, buffer: &'static str, got: usize, each: usize) -> Result<()> {
        self.check_length(buffer, got, total_count(self.ranks(), each))
    }

    fn bcast(&mut self, root: Rank) -> Result<()> {
        let Span { start, count, datatype } = self.recv_span()?;
        let root = self.transport.to_root(root)?;
        library_call!(self, MPI_Bcast | MPI_Ibcast, start, count, datatype, root)
    }

    fn scatter(&mut self, root: Rank) -> Result<()> {
        let (mut from, to_root) = (NULL, self.transport.to_root(root)?);
        if self.is_root(root) {
            self.assert_same_type();
            self.check_blocks("send", self.send.count, self.recv.count)?;
            from = self.send_span()?.start;
        }
        let Span { start, count, datatype } = self.recv_span()?;
        library_call!(
            self,
            MPI_Scatter | MPI_Iscatter,
            from,
            count,
            datatype,
            start,
            count,
            datatype,
            to_root
        )
    }

    fn scatterv(&mut self, blocks: Option<RankBlocks<'_>>, root: Rank) -> Result<()> {
        let (mut from, to_root) = (NULL, self.transport.to_root(root)?);
        let (mut lengths, mut displs) = NO_COUNTS;
        if self.is_root(root) {
            let blocks = blocks.expect("the root passes the blocks");
            self.assert_same_type();
            (lengths, displs) = self.blocks_of_send(blocks)?;
            self.check_length("recv", self.recv.count, blocks.counts()[root])?;
            from = self.send_span()?.start;
        }
        let Span { start, count, datatype } = self.recv_span()?;
        library_call!(
            self,
            MPI_Scatterv | MPI_Iscatterv,
            from,
            lengths,
            displs,
            datatype,
            start,
            count,
            datatype,
            to_root
        )
    }

    fn gather(&mut self, root: Rank) -> Result<()> {
        let (mut into, to_root) = (NULL_MUT, self.transport.to_root(root)?);
        if self.is_root(root) {
            self.assert_same_type();
            self.check_blocks("recv", self.recv.count, self.send.count)?;
            into = self.recv_span()?.start;
        }
        let Span { start, count, datatype } = self.send_span()?;
        library_call!(self, MPI_Gather | MPI_Igather, start, count, datatype, into, count, datatype, to_root)
    }

    fn gatherv(&mut self, blocks: Option<RankBlocks<'_>>, root: Rank) -> Result<()> {
        let (mut into, to_root) = (NULL_MUT, self.transport.to_root(root)?);
        let (mut lengths, mut displs) = NO_COUNTS;
        if self.is_root(root) {
            let blocks = blocks.expect("the root passes the blocks");
            self.assert_same_type();
            (lengths, displs) = self.blocks_of_recv(blocks)?;
            self.check_length("send", self.send.count, blocks.counts()[root])?;
            into = self.recv_span()?.start;
        }
        let Span { start, count, datatype } = self.send_span()?;
        library_call!(
            self,
            MPI_Gatherv | MPI_Igatherv,
            start,
            count,
            datatype,
            into,
            lengths,
            displs,
            datatype,
            to_root
        )
    }

    fn allgather(&mut self) -> Result<()> {
        self.assert_same_type();
        self.check_blocks("recv", self.recv.count, self.send.count)?;
        let (Span { start, count, datatype }, into) = (self.send_span()?, self.recv_span()?.start);
        library_call!(self, MPI_Allgather | MPI_Iallgather, start, count, datatype, into, count, datatype)
    }

    fn allgatherv(&mut self, blocks: RankBlocks<'_>) -> Result<()> {
        self.assert_same_type();
        let (lengths, displs) = self.blocks_of_recv(blocks)?;
        self.check_length("send", self.send.count, self.own(blocks.counts()))?;
        let (Span { start, count, datatype }, into) = (self.send_span()?, self.recv_span()?.start);
        library_call!(
            self,
            MPI_Allgatherv | MPI_Iallgatherv,
            start,
            count,
            datatype,
            into,
            lengths,
            displs,
            datatype
        )
    }

    fn reduce(&mut self, operation: Operation, root: Rank) -> Result<()> {
        let to_root = self.transport.to_root(root)?;
        let op = self.transport.reduction_op(operation, self.send.datatype)?;
        let mut into = NULL_MUT;
        if self.is_root(root) {
            self.assert_same_type();
            self.check_length("recv", self.recv.count, self.send.count)?;
            into = self.recv_span()?.start;
        }
        let Span { start, count, datatype } = self.send_span()?;
        library_call!(self, MPI_Reduce | MPI_Ireduce, start, into, count, datatype, op, to_root)
    }

    /// A reduction whose result every rank gets.
    fn reduce_everywhere(&mut self, kind: CollectiveKind<'_>) -> Result<()> {
        let operation = kind.operation().expect("a reduction");
        let op = self.transport.reduction_op(operation, self.send.datatype)?;
        self.assert_same_type();
        self.check_length("recv", self.recv.count, self.send.count)?;
        let (Span { start, count, datatype }, into) = (self.send_span()?, self.recv_span()?.start);
        match kind {
            CollectiveKind::Scan { .. } => {
                library_call!(self, MPI_Scan | MPI_Iscan, start, into, count, datatype, op)
            }
            CollectiveKind::Exscan { .. } => {
                library_call!(self, MPI_Exscan | MPI_Iexscan, start, into, count, datatype, op)
            }
            _ => library_call!(self, MPI_Allreduce | MPI_Iallreduce, start, into, count, datatype, op),
        }
    }

    fn reduce_scatter(&mut self, counts: &[usize], operation: Operation) -> Result<()> {
        let op = self.transport.reduction_op(operation, self.send.datatype)?;
        self.assert_same_type();
        let (lengths, _) = self.blocks_of_send(counts.into())?;
        self.check_length("recv", self.recv.count, self.own(counts))?;
        let (Span { start, datatype, .. }, into) = (self.send_span()?, self.recv_span()?.start);
        library_call!(self, MPI_Reduce_scatter | MPI_Ireduce_scatter, start, into, lengths, datatype, op)
    }

    fn reduce_scatter_block(&mut self, operation: Operation) -> Result<()> {
        let op = self.transport.reduction_op(operation, self.send.datatype)?;
        self.assert_same_type();
        self.check_blocks("send", self.send.count, self.recv.count)?;
        let (from, Span { start, count, datatype }) = (self.send_span()?.start, self.recv_span()?);
        library_call!(
            self,
            MPI_Reduce_scatter_block | MPI_Ireduce_scatter_block,
            from,
            start,
            count,
            datatype,
            op
        )
    }

    fn alltoall(&mut self) -> Result<()> {
        self.assert_same_type();
        self.check_length("recv", self.recv.count, self.send.count)?;
        let count = check::to_count(block_count(self.verb.name(), "send", self.send.count, self.ranks())?)?;
        let (Span { start, datatype, .. }, into) = (self.send_span()?, self.recv_span()?.start);
        library_call!(self, MPI_Alltoall | MPI_Ialltoall, start, count, datatype, into, count, datatype)
    }

    fn alltoallv(&mut self, send_blocks: RankBlocks<'_>, recv_blocks: RankBlocks<'_>) -> Result<()> {
        self.assert_same_type();
        let (out, out_at) = self.blocks_of_send(send_blocks)?;
        let (inward, in_at) = self.blocks_of_recv(recv_blocks)?;
        let (Span { start, datatype, .. }, into) = (self.send_span()?, self.recv_span()?.start);
        library_call!(
            self,
            MPI_Alltoallv | MPI_Ialltoallv,
            start,
            out,
            out_at,
            datatype,
            into,
            inward,
            in_at,
            datatype
        )
    }

    fn alltoallw(&mut self, send_layouts: &[Layout], recv_layouts: &[Layout]) -> Result<()> {
        self.assert_same_type();
        let [sent, received] = [
            self.layouts_of("send", self.send.count, send_layouts)?,
            self.layouts_of("recv", self.recv.count, recv_layouts)?,
        ];
        let (out_types, in_types) = (sent.datatypes.as_ptr(), received.datatypes.as_ptr());
        let ((out, out_at), (inward, in_at)) = (self.keep(sent), self.keep(received));
        let (from, into) = (self.send_span()?.start, self.recv_span()?.start);
        library_call!(
            self,
            MPI_Alltoallw | MPI_Ialltoallw,
            from,
            out,
            out_at,
            out_types,
            into,
            inward,
            in_at,
            in_types
        )
    }

    /// The blocks of a buffer, one for each rank, as types of the library.
    fn layouts_of(&self, buffer: &'static str, length: usize, layouts: &[Layout]) -> Result<CountsAndDispls> {
        self.check_length(buffer, layouts.len(), self.ranks())?;
        let (element, mut blocks) = (self.send.datatype, CountsAndDispls::default());
        for layout in layouts {
            layout.check_slice(length, element.size())?;
            let (count, datatype, offset) = self.transport.communicator.layout_args(layout, element)?;
            blocks.counts.push(count);
            blocks.displs.push(if count == 0 { 0 } else { check::to_count(offset)? });
            blocks.datatypes.push(datatype);
        }
        Ok(blocks)
    }
}
