//! A persistent send.
use std::{marker::PhantomData, rc::Rc};

#[cfg(doc)]
use wb_comm::Error;
use wb_comm::{Block, CallSite, MessageTag, Persistent, Rank, Result, SendMode, Verb, Wire};
use wb_record::EventKind;

use super::operation::{PersistentRequest, Restartable};
use crate::{
    World, message_calls,
    message_status::message_envelope,
    request::{Request, StartedOperation, StartedRequest},
};

/// A persistent send (`MPI_Send_init` and so on). Its drop frees it (`MPI_Request_free`).
pub struct PersistentSend<T> {
    request: Restartable,
    to: Rank,
    tag: MessageTag,
    mode: SendMode,
    /// The buffer, unless the send is active.
    block: Option<Block>,
    /// The library's request, if it has one.
    library: Option<Box<dyn Persistent>>,
    element: PhantomData<T>,
}

impl<T: Wire> PersistentSend<T> {
    pub(super) fn new(
        world: &World,
        site: CallSite,
        (to, tag, mode): (Rank, MessageTag, SendMode),
        block: Block,
        library: Option<Box<dyn Persistent>>,
    ) -> Self {
        let request = Restartable::new(world, world.transport(), site);
        Self { request, to, tag, mode, block: Some(block), library, element: PhantomData }
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

    /// The elements that the next start sends.
    ///
    /// # Errors
    /// [`Error::PersistentState`] while it is active: the send may still read them.
    #[track_caller]
    pub fn data_mut(&mut self) -> Result<&mut [T]> {
        self.request.check_access()?;
        let block = self.block.as_mut().ok_or_else(Restartable::failed)?;
        Ok(block.view_mut().slice().expect("it was made of these elements"))
    }

    /// Completes the send (`MPI_Wait`); the request can be started again.
    ///
    /// # Errors
    /// [`Error::PersistentState`] while it is not active; the errors of the send.
    #[track_caller]
    pub fn wait(&mut self) -> Result<()> {
        Request::complete(self, CallSite::caller(Verb::Wait), None)
    }
}

impl<T: Wire> PersistentRequest for PersistentSend<T> {
    fn start_at(&mut self, site: CallSite) -> Result<()> {
        let Self { request, to: dest, tag, mode, block, library, .. } = self;
        let block = request.check_start(site, block)?;
        let site = request.start_site(site);
        let bytes = block.view().bytes().len();
        let post = |transport: &dyn wb_comm::Transport| match library {
            Some(library) => library.start(block, site),
            None => message_calls::post_send(transport, (*dest, *tag), block, *mode, site),
        };
        let to = message_envelope(*dest, tag.tag, bytes);
        request.start(site, post, |_, request| EventKind::StartSend { to, request })?;
        Rc::clone(&request.stats).note_sent(*dest, bytes);
        Ok(())
    }
}

impl<T: Wire> StartedOperation for &mut PersistentSend<T> {
    fn started(&mut self) -> Result<&mut StartedRequest> {
        self.request.started()
    }
}

impl<T: Wire> Request for &mut PersistentSend<T> {
    type Output = ();

    fn complete(self, site: CallSite, begin: Option<u64>) -> Result<()> {
        self.block = Some(self.request.take(site)?.finish_send(site, begin)?.block);
        Ok(())
    }
}
