//! Persistent collective operations (MPI 4.0, 6.13).
//!
//! Each has a communicator of its own, so ranks may start several of them in different orders. The library's nonblocking operation is started
//! each time: not every library has persistent ones.
use std::{marker::PhantomData, rc::Rc};

#[cfg(doc)]
use wb_comm::Error;
use wb_comm::{
    Block, CallSite, CollectiveCall, CollectiveKind, OwnedBuffers, OwnedCollectiveKind, Result, Transport,
    Verb, Wire,
};
use wb_record::CollectiveShape;

use super::operation::{PersistentRequest, Restartable};
use crate::{
    World,
    collective::{CollectiveArguments, Owned, Received, room},
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
        self.make_persistent::<u8>((CollectiveKind::Barrier, None, Received::Room(0)))
    }

    /// Makes a persistent operation; what only the root passes may be absent.
    #[track_caller]
    pub(crate) fn make_persistent<T: Wire>(
        &self,
        (kind, send, recv): Owned<'_, T>,
    ) -> Result<PersistentCollective<T>> {
        let counts = (send.as_ref().map(Vec::len), Some(recv.count()));
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
        let send = Block::from_vec(send.unwrap_or_default());
        let buffers = Some(OwnedBuffers { send, recv: recv.into_block(room::<T>) });
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
