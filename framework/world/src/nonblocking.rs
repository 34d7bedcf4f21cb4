//! The nonblocking collective verbs of a [`World`]: they check the arguments, then start the library's call or our rounds.
//!
//! A request owns its buffers: what is sent is passed by value, and the wait returns what is received. All ranks of the communicator must
//! start their collective operations, blocking and nonblocking ones, in the same order.
use std::marker::PhantomData;

use wb_algorithms::collectives::Algorithms;
use wb_comm::{
    Block, CallSite, CollectiveKind, Collectives as _, MultipleCompletion, OwnedBuffers, Pending, Rank,
    RankBlocks, Reduces, Result, Transport, Wire,
};

use crate::{
    CollectiveRequest, World,
    call_tracer::{OptionalTracer, TracedCall},
    collective::CollectiveArguments,
    request::StartedRequest,
};

#[allow(clippy::missing_errors_doc, reason = "all: Error::Rank, Error::Count, and what the backend can meet")]
impl World {
    /// Enters a barrier without waiting for the others (`MPI_Ibarrier`): the wait returns when all ranks have entered.
    #[track_caller]
    pub fn ibarrier(&self) -> Result<CollectiveRequest<()>> {
        self.start_kind::<u8, _>(CollectiveKind::Barrier, None, 0)
    }

    /// Starts to copy `root`'s `data` to every rank, which passes as many elements (`MPI_Ibcast`). The wait returns the data.
    #[track_caller]
    pub fn ibcast<T: Wire>(&self, data: Vec<T>, root: Rank) -> Result<CollectiveRequest<Vec<T>>> {
        let (kind, counts) = (CollectiveKind::Bcast { root }, (Some(0), Some(data.len())));
        let site = CallSite::caller(kind.nonblocking_verb());
        let buffers = OwnedBuffers { send: Block::from_vec(Vec::<T>::new()), recv: Block::from_vec(data) };
        self.start(site, kind, counts, buffers, None)
    }

    /// Starts to distribute `send` (on `root` only) in equal blocks of `count` elements (`MPI_Iscatter`). The wait returns this rank's block.
    #[track_caller]
    pub fn iscatter<T: Wire>(
        &self,
        send: Option<Vec<T>>,
        count: usize,
        root: Rank,
    ) -> Result<CollectiveRequest<Vec<T>>> {
        self.start_kind(CollectiveKind::Scatter { root }, send, count)
    }

    /// Starts to distribute `send` (on `root` only: the elements and each rank's count) in blocks; this rank's has `count` elements
    /// (`MPI_Iscatterv` with contiguous blocks). The wait returns it.
    #[track_caller]
    pub fn iscatterv<T: Wire>(
        &self,
        send: Option<(Vec<T>, &[usize])>,
        count: usize,
        root: Rank,
    ) -> Result<CollectiveRequest<Vec<T>>> {
        let (send, counts) = send.unzip();
        self.start_kind(
            CollectiveKind::Scatterv { blocks: counts.map(RankBlocks::contiguous), root },
            send,
            count,
        )
    }

    /// Starts to collect equal blocks on `root` in rank order (`MPI_Igather`). The wait returns them there, and `None` on the other ranks.
    #[track_caller]
    pub fn igather<T: Wire>(&self, send: Vec<T>, root: Rank) -> Result<CollectiveRequest<Option<Vec<T>>>> {
        let room = if self.rank() == root { send.len().saturating_mul(self.size()) } else { 0 };
        self.start_kind(CollectiveKind::Gather { root }, Some(send), room)
    }

    /// Starts to collect blocks of any length on `root`, which passes each rank's count (`MPI_Igatherv`). The wait returns them there, and
    /// `None` on the other ranks.
    #[track_caller]
    pub fn igatherv<T: Wire>(
        &self,
        send: Vec<T>,
        counts: Option<&[usize]>,
        root: Rank,
    ) -> Result<CollectiveRequest<Option<Vec<T>>>> {
        let room =
            counts.filter(|_| self.rank() == root).map_or(0, |counts| RankBlocks::contiguous(counts).end());
        self.start_kind(
            CollectiveKind::Gatherv { blocks: counts.map(RankBlocks::contiguous), root },
            Some(send),
            room,
        )
    }

    /// Starts to collect equal blocks on every rank (`MPI_Iallgather`). The wait returns them in rank order.
    #[track_caller]
    pub fn iallgather<T: Wire>(&self, send: Vec<T>) -> Result<CollectiveRequest<Vec<T>>> {
        let room = send.len().saturating_mul(self.size());
        self.start_kind(CollectiveKind::Allgather, Some(send), room)
    }

    /// Starts to collect blocks of any length on every rank; `counts` are the same on all ranks (`MPI_Iallgatherv`). The wait returns them in
    /// rank order.
    #[track_caller]
    pub fn iallgatherv<T: Wire>(&self, send: Vec<T>, counts: &[usize]) -> Result<CollectiveRequest<Vec<T>>> {
        self.start_kind(
            CollectiveKind::Allgatherv { blocks: counts.into() },
            Some(send),
            RankBlocks::contiguous(counts).end(),
        )
    }

    /// Starts to reduce `send` of all ranks element by element (`MPI_Ireduce`). The wait returns the result on `root`, and `None` on the
    /// other ranks.
    #[track_caller]
    pub fn ireduce<T: Wire>(
        &self,
        send: Vec<T>,
        operation: impl Reduces<T>,
        root: Rank,
    ) -> Result<CollectiveRequest<Option<Vec<T>>>> {
        let room = if self.rank() == root { send.len() } else { 0 };
        self.start_kind(
            CollectiveKind::Reduce { operation: operation.into_operation(), root },
            Some(send),
            room,
        )
    }

    /// Starts to reduce `send` of all ranks element by element (`MPI_Iallreduce`). The wait returns the result on every rank.
    #[track_caller]
    pub fn iallreduce<T: Wire>(
        &self,
        send: Vec<T>,
        operation: impl Reduces<T>,
    ) -> Result<CollectiveRequest<Vec<T>>> {
        let count = send.len();
        self.start_kind(
            CollectiveKind::Allreduce { operation: operation.into_operation() },
            Some(send),
            count,
        )
    }

    /// Starts to reduce `send` of the ranks `0..=r` element by element (`MPI_Iscan`). The wait returns the result on rank r.
    #[track_caller]
    pub fn iscan<T: Wire>(
        &self,
        send: Vec<T>,
        operation: impl Reduces<T>,
    ) -> Result<CollectiveRequest<Vec<T>>> {
        let count = send.len();
        self.start_kind(CollectiveKind::Scan { operation: operation.into_operation() }, Some(send), count)
    }

    /// Starts to reduce `send` of the ranks `0..r` element by element (`MPI_Iexscan`). The wait returns the result on rank r, and `None` on
    /// rank 0.
    #[track_caller]
    pub fn iexscan<T: Wire>(
        &self,
        send: Vec<T>,
        operation: impl Reduces<T>,
    ) -> Result<CollectiveRequest<Option<Vec<T>>>> {
        let count = send.len();
        self.start_kind(CollectiveKind::Exscan { operation: operation.into_operation() }, Some(send), count)
    }

    /// Starts to reduce `send` of all ranks element by element; rank r gets the block of `counts[r]` elements (`MPI_Ireduce_scatter`). The
    /// wait returns it.
    #[track_caller]
    pub fn ireduce_scatter<T: Wire>(
        &self,
        send: Vec<T>,
        counts: &[usize],
        operation: impl Reduces<T>,
    ) -> Result<CollectiveRequest<Vec<T>>> {
        let room = counts.get(self.rank()).copied().unwrap_or(0);
        self.start_kind(
            CollectiveKind::ReduceScatter { counts, operation: operation.into_operation() },
            Some(send),
            room,
        )
    }

    /// As [`ireduce_scatter`](Self::ireduce_scatter) with equal blocks (`MPI_Ireduce_scatter_block`).
    #[track_caller]
    pub fn ireduce_scatter_block<T: Wire>(
        &self,
        send: Vec<T>,
        operation: impl Reduces<T>,
    ) -> Result<CollectiveRequest<Vec<T>>> {
        let room = send.len() / self.size();
        self.start_kind(
            CollectiveKind::ReduceScatterBlock { operation: operation.into_operation() },
            Some(send),
            room,
        )
    }

    /// Starts to send block j of `send` to rank j (`MPI_Ialltoall`). The wait returns the blocks from all ranks in rank order.
    #[track_caller]
    pub fn ialltoall<T: Wire>(&self, send: Vec<T>) -> Result<CollectiveRequest<Vec<T>>> {
        let count = send.len();
        self.start_kind(CollectiveKind::Alltoall, Some(send), count)
    }

    /// As [`ialltoall`](Self::ialltoall) with blocks of any length (`MPI_Ialltoallv` with contiguous blocks).
    #[track_caller]
    pub fn ialltoallv<T: Wire>(
        &self,
        send: Vec<T>,
        send_counts: &[usize],
        recv_counts: &[usize],
    ) -> Result<CollectiveRequest<Vec<T>>> {
        let room = RankBlocks::contiguous(recv_counts).end();
        self.start_kind(
            CollectiveKind::Alltoallv { send_blocks: send_counts.into(), recv_blocks: recv_counts.into() },
            Some(send),
            room,
        )
    }

    /// Starts an operation with room for `recv` elements; what only the root passes may be absent.
    #[track_caller]
    pub(crate) fn start_kind<T: Wire, O>(
        &self,
        kind: CollectiveKind<'_>,
        send: Option<Vec<T>>,
        recv: usize,
    ) -> Result<CollectiveRequest<O>> {
        let site = CallSite::caller(kind.nonblocking_verb());
        let counts = (send.as_ref().map(Vec::len), Some(recv));
        let send = Block::from_vec(send.unwrap_or_default());
        let buffers = OwnedBuffers { send, recv: Block::from_vec(Vec::<T>::new()) };
        let room = |count| Block::from_vec(vec![T::default(); count]);
        self.start(site, kind, counts, buffers, Some(room))
    }

    fn start<O>(
        &self,
        site: CallSite,
        kind: CollectiveKind<'_>,
        counts: (Option<usize>, Option<usize>),
        buffers: OwnedBuffers,
        room: Option<fn(usize) -> Block>,
    ) -> Result<CollectiveRequest<O>> {
        let gets = kind.gives_result_to(self.rank());
        match self.start_erased(site, kind, counts, buffers, room) {
            Ok(started) => Ok(CollectiveRequest { started, gets, output: PhantomData }),
            Err(error) => Err(error),
        }
    }

    /// Starts an operation with these buffers if its arguments are right; `room` makes the receive buffer, unless it is there.
    fn start_erased(
        &self,
        site: CallSite,
        kind: CollectiveKind<'_>,
        counts: (Option<usize>, Option<usize>),
        buffers: OwnedBuffers,
        room: Option<fn(usize) -> Block>,
    ) -> Result<StartedRequest> {
        let datatype = buffers.recv.view().datatype();
        let arguments = CollectiveArguments::new(self, (site, datatype), kind, counts);
        let (call, request) = (TracedCall::begin(&self.tracer), self.next_request());
        let pending = self.start_checked(&arguments, buffers, room);
        call.end(site, &pending, |tracer, _| {
            tracer.start_collective(arguments.shape(), arguments.bytes(), request)
        });
        let pending = pending.inspect_err(|error| self.stats().note_error(site, error))?;
        Ok(self.start_request(pending, request))
    }

    fn start_checked(
        &self,
        arguments: &CollectiveArguments<'_>,
        mut buffers: OwnedBuffers,
        room: Option<fn(usize) -> Block>,
    ) -> Result<Box<dyn Pending>> {
        let counts = arguments.check()?;
        self.transport().enter_collective_with(|| arguments.call(counts))?;
        if arguments.send.is_none() {
            buffers.send = Block::zeroed(arguments.datatype, 0);
        }
        if let Some(room) = room {
            buffers.recv = room(arguments.recv.unwrap_or(0));
        }
        let pending =
            start_operation(&**self.transport(), &self.tracer, arguments.kind, buffers, arguments.site)?;
        self.stats().note_collective(arguments.site);
        Ok(pending)
    }
}

/// Starts an operation: the library's, or one of our algorithms. In a pass without overlap it is complete afterwards.
#[inline]
pub(crate) fn start_operation(
    transport: &dyn Transport,
    tracer: &OptionalTracer,
    kind: CollectiveKind<'_>,
    buffers: OwnedBuffers,
    site: CallSite,
) -> Result<Box<dyn Pending>> {
    let mut pending = match transport.native_collectives() {
        Some(library) => library.start(kind, buffers, site),
        None => Algorithms(transport).start(kind, buffers, site),
    }?;
    if tracer.as_ref().is_some_and(|tracer| tracer.completes_at_start()) {
        transport.complete(&mut [&mut *pending], MultipleCompletion::WaitAll, site)?;
    }
    Ok(pending)
}
