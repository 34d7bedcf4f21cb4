//! Persistent collective operations (MPI 4.0, 6.13).
//!
//! Each has a communicator of its own, so ranks may start several of them in different orders. The library's nonblocking operation is started
//! each time: not every library has persistent ones.
use std::{marker::PhantomData, rc::Rc};

#[cfg(doc)]
use wb_comm::Error;
use wb_comm::{
    Block, CallSite, CollectiveCall, CollectiveKind, OwnedBuffers, OwnedCollectiveKind, Rank, RankBlocks,
    Reduces, Result, Transport, Verb, Wire,
};
use wb_record::CollectiveShape;

use super::operation::{PersistentRequest, Restartable};
use crate::{
    World,
    collective::CollectiveArguments,
    comm_stats::HeldCommunicator,
    nonblocking,
    request::{Request, StartedOperation, StartedRequest},
};

/// A persistent collective operation (`MPI_Bcast_init` and so on). Its drop frees it (`MPI_Request_free`).
pub struct PersistentCollective<T> {
    request: Restartable,
    kind: OwnedCollectiveKind,
    /// The description of the call, which must match those of the other ranks.
    call: CollectiveCall,
    shape: CollectiveShape,
    bytes: usize,
    /// The buffers, unless the operation is active.
    buffers: Option<OwnedBuffers>,
    element: PhantomData<T>,
    _held: HeldCommunicator,
}

#[allow(clippy::missing_errors_doc, reason = "all: Error::Rank, Error::Count, and what the backend can meet")]
impl World {
    /// Makes a persistent barrier (`MPI_Barrier_init`).
    #[track_caller]
    pub fn barrier_init(&self) -> Result<PersistentCollective<u8>> {
        self.make_collective_of::<u8>(CollectiveKind::Barrier, None, 0)
    }

    /// Makes a persistent broadcast of `root`'s `data`; the other ranks pass as many elements (`MPI_Bcast_init`).
    #[track_caller]
    pub fn bcast_init<T: Wire>(&self, data: Vec<T>, root: Rank) -> Result<PersistentCollective<T>> {
        let count = data.len();
        let buffers = || OwnedBuffers { send: Block::from_vec(Vec::<T>::new()), recv: Block::from_vec(data) };
        self.make_collective(CollectiveKind::Bcast { root }, (Some(0), Some(count)), buffers)
    }

    /// Makes a persistent scatter of equal blocks of `count` elements (`MPI_Scatter_init`).
    #[track_caller]
    pub fn scatter_init<T: Wire>(
        &self,
        send: Option<Vec<T>>,
        count: usize,
        root: Rank,
    ) -> Result<PersistentCollective<T>> {
        self.make_collective_of(CollectiveKind::Scatter { root }, send, count)
    }

    /// Makes a persistent scatter of blocks of any length; this rank's has `count` elements (`MPI_Scatterv_init`).
    #[track_caller]
    pub fn scatterv_init<T: Wire>(
        &self,
        send: Option<(Vec<T>, &[usize])>,
        count: usize,
        root: Rank,
    ) -> Result<PersistentCollective<T>> {
        let (send, counts) = send.unzip();
        self.make_collective_of(
            CollectiveKind::Scatterv { blocks: counts.map(RankBlocks::contiguous), root },
            send,
            count,
        )
    }

    /// Makes a persistent gather of equal blocks (`MPI_Gather_init`).
    #[track_caller]
    pub fn gather_init<T: Wire>(&self, send: Vec<T>, root: Rank) -> Result<PersistentCollective<T>> {
        let recv = if self.rank() == root { send.len().saturating_mul(self.size()) } else { 0 };
        self.make_collective_of(CollectiveKind::Gather { root }, Some(send), recv)
    }

    /// Makes a persistent gather of blocks of any length, whose counts the root passes (`MPI_Gatherv_init`).
    #[track_caller]
    pub fn gatherv_init<T: Wire>(
        &self,
        send: Vec<T>,
        counts: Option<&[usize]>,
        root: Rank,
    ) -> Result<PersistentCollective<T>> {
        let recv =
            counts.filter(|_| self.rank() == root).map_or(0, |counts| RankBlocks::contiguous(counts).end());
        self.make_collective_of(
            CollectiveKind::Gatherv { blocks: counts.map(RankBlocks::contiguous), root },
            Some(send),
            recv,
        )
    }

    /// Makes a persistent allgather of equal blocks (`MPI_Allgather_init`).
    #[track_caller]
    pub fn allgather_init<T: Wire>(&self, send: Vec<T>) -> Result<PersistentCollective<T>> {
        let recv = send.len().saturating_mul(self.size());
        self.make_collective_of(CollectiveKind::Allgather, Some(send), recv)
    }

    /// Makes a persistent allgather of blocks of any length (`MPI_Allgatherv_init`).
    #[track_caller]
    pub fn allgatherv_init<T: Wire>(
        &self,
        send: Vec<T>,
        counts: &[usize],
    ) -> Result<PersistentCollective<T>> {
        let recv = RankBlocks::contiguous(counts).end();
        self.make_collective_of(CollectiveKind::Allgatherv { blocks: counts.into() }, Some(send), recv)
    }

    /// Makes a persistent reduction to `root` (`MPI_Reduce_init`).
    #[track_caller]
    pub fn reduce_init<T: Wire>(
        &self,
        send: Vec<T>,
        operation: impl Reduces<T>,
        root: Rank,
    ) -> Result<PersistentCollective<T>> {
        let recv = if self.rank() == root { send.len() } else { 0 };
        self.make_collective_of(
            CollectiveKind::Reduce { operation: operation.into_operation(), root },
            Some(send),
            recv,
        )
    }

    /// Makes a persistent reduction whose result every rank gets (`MPI_Allreduce_init`).
    #[track_caller]
    pub fn allreduce_init<T: Wire>(
        &self,
        send: Vec<T>,
        operation: impl Reduces<T>,
    ) -> Result<PersistentCollective<T>> {
        let recv = send.len();
        self.make_collective_of(
            CollectiveKind::Allreduce { operation: operation.into_operation() },
            Some(send),
            recv,
        )
    }

    /// Makes a persistent reduction of which rank r gets the block of `counts[r]` elements (`MPI_Reduce_scatter_init`).
    #[track_caller]
    pub fn reduce_scatter_init<T: Wire>(
        &self,
        send: Vec<T>,
        counts: &[usize],
        operation: impl Reduces<T>,
    ) -> Result<PersistentCollective<T>> {
        let recv = counts.get(self.rank()).copied().unwrap_or(0);
        self.make_collective_of(
            CollectiveKind::ReduceScatter { counts, operation: operation.into_operation() },
            Some(send),
            recv,
        )
    }

    /// Makes a persistent reduction of which every rank gets an equal block (`MPI_Reduce_scatter_block_init`).
    #[track_caller]
    pub fn reduce_scatter_block_init<T: Wire>(
        &self,
        send: Vec<T>,
        operation: impl Reduces<T>,
    ) -> Result<PersistentCollective<T>> {
        let recv = send.len() / self.size();
        self.make_collective_of(
            CollectiveKind::ReduceScatterBlock { operation: operation.into_operation() },
            Some(send),
            recv,
        )
    }

    /// Makes a persistent reduction over the ranks `0..=r` (`MPI_Scan_init`).
    #[track_caller]
    pub fn scan_init<T: Wire>(
        &self,
        send: Vec<T>,
        operation: impl Reduces<T>,
    ) -> Result<PersistentCollective<T>> {
        let recv = send.len();
        self.make_collective_of(
            CollectiveKind::Scan { operation: operation.into_operation() },
            Some(send),
            recv,
        )
    }

    /// Makes a persistent reduction over the ranks `0..r` (`MPI_Exscan_init`).
    #[track_caller]
    pub fn exscan_init<T: Wire>(
        &self,
        send: Vec<T>,
        operation: impl Reduces<T>,
    ) -> Result<PersistentCollective<T>> {
        let recv = send.len();
        self.make_collective_of(
            CollectiveKind::Exscan { operation: operation.into_operation() },
            Some(send),
            recv,
        )
    }

    /// Makes a persistent exchange of equal blocks (`MPI_Alltoall_init`).
    #[track_caller]
    pub fn alltoall_init<T: Wire>(&self, send: Vec<T>) -> Result<PersistentCollective<T>> {
        let recv = send.len();
        self.make_collective_of(CollectiveKind::Alltoall, Some(send), recv)
    }

    /// Makes a persistent exchange of blocks of any length (`MPI_Alltoallv_init`).
    #[track_caller]
    pub fn alltoallv_init<T: Wire>(
        &self,
        send: Vec<T>,
        send_counts: &[usize],
        recv_counts: &[usize],
    ) -> Result<PersistentCollective<T>> {
        let recv = RankBlocks::contiguous(recv_counts).end();
        self.make_collective_of(
            CollectiveKind::Alltoallv { send_blocks: send_counts.into(), recv_blocks: recv_counts.into() },
            Some(send),
            recv,
        )
    }

    /// Makes an operation with room for `recv` elements; what only the root passes may be absent.
    #[track_caller]
    pub(crate) fn make_collective_of<T: Wire>(
        &self,
        kind: CollectiveKind<'_>,
        send: Option<Vec<T>>,
        recv: usize,
    ) -> Result<PersistentCollective<T>> {
        let counts = (send.as_ref().map(Vec::len), Some(recv));
        let buffers = || OwnedBuffers {
            send: Block::from_vec(send.unwrap_or_default()),
            recv: Block::from_vec(vec![T::default(); recv]),
        };
        self.make_collective(kind, counts, buffers)
    }

    #[track_caller]
    fn make_collective<T: Wire>(
        &self,
        kind: CollectiveKind<'_>,
        counts: (Option<usize>, Option<usize>),
        buffers: impl FnOnce() -> OwnedBuffers,
    ) -> Result<PersistentCollective<T>> {
        let site = CallSite::caller(kind.persistent_verb());
        let arguments = CollectiveArguments::new(self, (site, T::DATATYPE), kind, counts);
        let (shape, bytes) = (arguments.shape(), arguments.bytes());
        let make = || {
            let call = arguments.call(arguments.check()?);
            self.transport().enter_collective_with(|| call.clone())?;
            Ok((self.transport().dup(site)?, call))
        };
        let (transport, call) = self.run_collective(site, CollectiveShape::All, 0, make)?;
        let _held = HeldCommunicator::new(self.stats(), site)?;
        let request = Restartable::new(self, &transport, site);
        if let (Some(tracer), Some(neighbours)) = (&request.tracer, kind.neighbours()) {
            tracer.set_neighbours(neighbours);
        }
        let kind = OwnedCollectiveKind::new(arguments.kind);
        let buffers = Some(buffers());
        Ok(PersistentCollective { request, kind, call, shape, bytes, buffers, element: PhantomData, _held })
    }
}

impl<T: Wire> PersistentCollective<T> {
    /// Starts it (`MPI_Start`).
    ///
    /// # Errors
    /// [`Error::PersistentState`] while it is active; the errors of the operation.
    #[track_caller]
    pub fn start(&mut self) -> Result<()> {
        self.start_at(CallSite::caller(Verb::StartPersistent))
    }

    /// True once [`wait`](Self::wait) would not block (`MPI_Test`, but the request must still be waited for).
    ///
    /// # Errors
    /// [`Error::PersistentState`] while it is not active; the errors of the operation.
    #[track_caller]
    pub fn test(&mut self) -> Result<bool> {
        self.request.test(CallSite::caller(Verb::Test))
    }

    /// The elements that the next start contributes; those of a broadcast are the [result](Self::result_mut).
    ///
    /// # Errors
    /// [`Error::PersistentState`] while it is active: the operation may still read them.
    #[track_caller]
    pub fn send_mut(&mut self) -> Result<&mut [T]> {
        self.request.check_access()?;
        let buffers = self.buffers.as_mut().ok_or_else(Restartable::failed)?;
        Ok(buffers.send.view_mut().slice().expect("it was made of these elements"))
    }

    /// What this rank has got from the last completed operation; empty if it gets nothing.
    ///
    /// # Errors
    /// [`Error::PersistentState`] while it is active: the operation may still write it.
    #[track_caller]
    pub fn result_mut(&mut self) -> Result<&mut [T]> {
        self.request.check_access()?;
        let buffers = self.buffers.as_mut().ok_or_else(Restartable::failed)?;
        Ok(buffers.recv.view_mut().slice().expect("it was made of these elements"))
    }

    /// Completes the operation (`MPI_Wait`); the request can be started again.
    ///
    /// # Errors
    /// [`Error::PersistentState`] while it is not active; the errors of the operation.
    #[track_caller]
    pub fn wait(&mut self) -> Result<()> {
        Request::complete(self, CallSite::caller(Verb::Wait), None)
    }
}

impl<T: Wire> PersistentRequest for PersistentCollective<T> {
    fn start_at(&mut self, site: CallSite) -> Result<()> {
        let Self { request, kind, call, shape, bytes, buffers, .. } = self;
        let buffers = request.check_start(site, buffers)?;
        let (kind, shape, bytes) = (kind.kind(), *shape, *bytes);
        // The operation is started as a nonblocking one, in the line of the start.
        let site = CallSite { verb: kind.nonblocking_verb(), ..request.start_site(site) };
        let tracer = request.tracer.clone();
        let post = |transport: &dyn Transport| {
            transport.enter_collective_with(|| CollectiveCall { site, ..call.clone() })?;
            nonblocking::start_operation(transport, &tracer, kind, buffers, site)
        };
        request.start(site, post, |tracer, request| tracer.start_collective(shape, bytes, request))?;
        Rc::clone(&request.stats).note_collective(site);
        Ok(())
    }
}

impl<T: Wire> StartedOperation for &mut PersistentCollective<T> {
    fn started(&mut self) -> Result<&mut StartedRequest> {
        self.request.started()
    }
}

impl<T: Wire> Request for &mut PersistentCollective<T> {
    type Output = ();

    fn complete(self, site: CallSite, begin: Option<u64>) -> Result<()> {
        let started = self.request.take(site)?;
        let done = started.finish_collective(site, begin)?;
        let send = done.read.unwrap_or_else(|| Block::zeroed(T::DATATYPE, 0));
        self.buffers = Some(OwnedBuffers { send, recv: done.block });
        Ok(())
    }
}
