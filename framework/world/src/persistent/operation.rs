//! The parts common to all persistent requests.
use std::{cell::Cell, rc::Rc};

use wb_comm::{CallSite, Error, Pending, RankCall, Result, Transport, Verb, text::setup};
use wb_record::EventKind;

use crate::{
    CommStats, World,
    call_tracer::{self, CallTracer, OptionalTracer},
    request::StartedRequest,
};

/// A persistent request of any kind.
pub trait PersistentRequest {
    /// Starts it in the call at `site`.
    #[doc(hidden)]
    fn start_at(&mut self, site: CallSite) -> Result<()>;
}

/// What starts operations: the world's parts, and the active operation.
pub(crate) struct Restartable {
    pub(crate) transport: Rc<dyn Transport>,
    pub(crate) stats: Rc<CommStats>,
    pub(crate) tracer: OptionalTracer,
    /// The call that made the request.
    made: CallSite,
    /// The call that started it last, without and with the call that made it.
    start_site: Cell<Option<(CallSite, CallSite)>>,
    active: Option<StartedRequest>,
}

impl Restartable {
    /// Of a request that `made` makes, on this communicator of the world.
    pub(crate) fn new(world: &World, transport: &Rc<dyn Transport>, made: CallSite) -> Self {
        let tracer = world.tracer.as_ref().map(|tracer| match Rc::ptr_eq(transport, world.transport()) {
            true => tracer.clone(),
            false => tracer.for_child(transport, None),
        });
        let (transport, stats) = (Rc::clone(transport), Rc::clone(world.stats()));
        Self { transport, stats, tracer, made, start_site: Cell::new(None), active: None }
    }

    fn state_error(&self, active: bool) -> Error {
        let made = Box::new(RankCall { rank: self.transport.rank(), site: self.made });
        Error::PersistentState { active, made }
    }

    /// Checks that no operation is active, where the caller reads or changes a buffer.
    #[track_caller]
    pub(crate) fn check_access(&self) -> Result<()> {
        self.check_inactive(CallSite::caller(Verb::PersistentData))
    }

    fn check_inactive(&self, site: CallSite) -> Result<()> {
        let refused = if self.active.is_some() { Err(self.state_error(true)) } else { Ok(()) };
        refused.inspect_err(|error| self.stats.note_error(site, error))
    }

    /// The error of a request that has lost its buffers.
    pub(crate) fn failed() -> Error {
        Error::Setup(setup::failed_request())
    }

    /// Checks that no operation is active, and takes the buffers for the next one. They are lost if a start fails.
    pub(crate) fn check_start<B>(&self, site: CallSite, buffers: &mut Option<B>) -> Result<B> {
        self.check_inactive(site)?;
        buffers.take().ok_or_else(Self::failed).inspect_err(|error| self.stats.note_error(site, error))
    }

    /// The call at `site` as the start of this request: findings name it with the call that made the request.
    pub(crate) fn start_site(&self, site: CallSite) -> CallSite {
        let (verb, made) = (self.made.verb.name(), self.made.location);
        let start = match self.start_site.get() {
            Some((known, start)) if known == site => start,
            _ => CallSite { location: site.location.of_request(verb, made), ..site },
        };
        self.start_site.set(Some((site, start)));
        start
    }

    /// Starts an operation, which `post` posts and which is logged as `event` of its number.
    pub(crate) fn start(
        &mut self,
        site: CallSite,
        post: impl FnOnce(&dyn Transport) -> Result<Box<dyn Pending>>,
        event: impl FnOnce(&CallTracer, u32) -> EventKind,
    ) -> Result<()> {
        let request = self.tracer.as_ref().map_or(0, |tracer| tracer.next_request());
        let post = || post(&*self.transport).inspect_err(|error| self.stats.note_error(site, error));
        let pending = call_tracer::trace_call(&self.tracer, site, post, |tracer, _| event(tracer, request))?;
        let (stats, tracer) = (Rc::clone(&self.stats), self.tracer.clone());
        self.active = Some(StartedRequest { pending, stats, tracer, request });
        Ok(())
    }

    /// The active operation.
    pub(crate) fn started(&mut self) -> Result<&mut StartedRequest> {
        if self.active.is_none() {
            return Err(self.state_error(false));
        }
        Ok(self.active.as_mut().expect("checked"))
    }

    /// Tests the active operation.
    pub(crate) fn test(&mut self, site: CallSite) -> Result<bool> {
        let stats = Rc::clone(&self.stats);
        self.started().inspect_err(|error| stats.note_error(site, error))?.test(site)
    }

    /// Takes the active operation, to wait for it.
    pub(crate) fn take(&mut self, site: CallSite) -> Result<StartedRequest> {
        let taken = self.active.take().ok_or_else(|| self.state_error(false));
        taken.inspect_err(|error| self.stats.note_error(site, error))
    }
}
