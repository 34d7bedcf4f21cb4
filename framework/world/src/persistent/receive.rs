//! A persistent receive.
use std::{marker::PhantomData, rc::Rc};

#[cfg(doc)]
use wb_comm::Error;
use wb_comm::{Block, CallSite, Completed, Persistent, Result, Source, Status, TagPattern, Verb, Wire};
use wb_record::EventKind;

use super::operation::{PersistentRequest, Restartable};
use crate::{
    World, message_calls,
    message_status::element_count,
    request::{Request, StartedOperation, StartedRequest},
};

/// A persistent receive (`MPI_Recv_init`). Its drop frees it (`MPI_Request_free`).
pub struct PersistentRecv<T> {
    request: Restartable,
    from: Source,
    tag: TagPattern,
    /// The buffer, unless the receive is active.
    block: Option<Block>,
    /// The number of elements that came last.
    count: usize,
    /// The library's request, if it has one.
    library: Option<Box<dyn Persistent>>,
    element: PhantomData<T>,
}

impl<T: Wire> PersistentRecv<T> {
    pub(super) fn new(
        world: &World,
        site: CallSite,
        (from, tag): (Source, TagPattern),
        block: Block,
        library: Option<Box<dyn Persistent>>,
    ) -> Self {
        let request = Restartable::new(world, world.transport(), site);
        Self { request, from, tag, block: Some(block), count: 0, library, element: PhantomData }
    }

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

    /// The elements that the last message had.
    ///
    /// # Errors
    /// [`Error::PersistentState`] while it is active: the receive may still write them.
    #[track_caller]
    pub fn data(&self) -> Result<&[T]> {
        self.request.check_access()?;
        let block = self.block.as_ref().ok_or_else(Restartable::failed)?;
        Ok(block.view().part(0, self.count).slice().expect("it was made of these elements"))
    }

    /// Completes the receive: the status of the message (`MPI_Wait`); the request can be started again.
    ///
    /// # Errors
    /// [`Error::PersistentState`] while it is not active; the errors of the receive.
    #[track_caller]
    pub fn wait(&mut self) -> Result<Status> {
        Request::complete(self, CallSite::caller(Verb::Wait), None)
    }
}

impl<T: Wire> PersistentRequest for PersistentRecv<T> {
    fn start_at(&mut self, site: CallSite) -> Result<()> {
        let Self { request, from, tag, block, library, .. } = self;
        let block = request.check_start(site, block)?;
        let site = request.start_site(site);
        let post = |transport: &dyn wb_comm::Transport| match library {
            Some(library) => library.start(block, site),
            None => message_calls::post_recv(transport, (*from, *tag), block, site),
        };
        request.start(site, post, |_, request| EventKind::StartReceive { request })
    }
}

impl<T: Wire> StartedOperation for &mut PersistentRecv<T> {
    fn started(&mut self) -> Result<&mut StartedRequest> {
        self.request.started()
    }
}

impl<T: Wire> Request for &mut PersistentRecv<T> {
    type Output = Status;

    fn complete(self, site: CallSite, begin: Option<u64>) -> Result<Status> {
        let started = self.request.take(site)?;
        let stats = Rc::clone(&started.stats);
        let Completed { block, status, .. } = started.finish_receive(site, begin)?;
        let status = status.expect("a completed receive has a status");
        stats.note_message_received(&status);
        self.block = Some(block);
        self.count = element_count::<T>(&status).inspect_err(|error| stats.note_error(site, error))?;
        Ok(status)
    }
}
