//! Requests: operations that are started and not yet completed.
//!
//! A request owns its buffer until the wait, so no borrow can outlive the operation, and even a forgotten request is
//! sound. Dropping a request without a wait is an error that the harness reports. There is no `MPI_Request_free`: after it, its caller
//! could not learn when the buffer may be used again.
use std::rc::Rc;

use wb_comm::{CallSite, Completed, Pending, Result};
use wb_record::EventKind;

use crate::{
    CommStats,
    call_tracer::{self, OptionalTracer, TracedCall},
    message_status::source_envelope,
};

mod collective;
mod mixed;
mod receive;
mod send;

pub use collective::{CollectiveOutput, CollectiveRequest};
pub use mixed::{CompletedRequest, MixedRequest};
pub use receive::RecvRequest;
pub use send::SendRequest;

/// A started operation that its owner must complete.
pub trait Request: Sized + started::StartedOperation {
    /// What the wait returns.
    type Output;

    /// Completes the operation in the call at `site`, which began at `begin` if the operation is complete already.
    #[doc(hidden)]
    fn complete(self, site: CallSite, begin: Option<u64>) -> Result<Self::Output>;
}

/// The parts common to all kinds of request.
pub(crate) mod started {
    use super::{CommStats, OptionalTracer, Pending, Rc, Result};

    /// A started operation in the log and on its backend.
    pub struct StartedRequest {
        pub(crate) pending: Box<dyn Pending>,
        pub(crate) stats: Rc<CommStats>,
        pub(crate) tracer: OptionalTracer,
        /// The request's number in the log.
        pub(crate) request: u32,
    }

    /// Only requests of this crate have one.
    pub trait StartedOperation {
        /// The parts common to all kinds; an error if a persistent request is not active.
        fn started(&mut self) -> Result<&mut StartedRequest>;
    }
}

pub(crate) use started::{StartedOperation, StartedRequest};

impl StartedRequest {
    pub(crate) fn test(&mut self, site: CallSite) -> Result<bool> {
        call_tracer::trace_call(&self.tracer, site, || self.pending.test(site), |_, _| EventKind::Local)
    }

    /// Withdraws a receive, or completes it and records that.
    pub(crate) fn cancel(self, site: CallSite) -> Result<Option<Completed>> {
        let Self { pending, stats, tracer, request } = self;
        let cancel = || pending.cancel(site).inspect_err(|error| stats.note_error(site, error));
        call_tracer::trace_call(&tracer, site, cancel, |_, completed: &Option<Completed>| {
            completed.as_ref().map_or(EventKind::Local, |completed| received(request, completed))
        })
    }

    /// Completes a send and records it.
    pub(crate) fn finish_send(self, site: CallSite, begin: Option<u64>) -> Result<Completed> {
        self.finish(site, begin, |request, _| EventKind::FinishSend { request })
    }

    /// Completes a receive and records it.
    pub(crate) fn finish_receive(self, site: CallSite, begin: Option<u64>) -> Result<Completed> {
        self.finish(site, begin, received)
    }

    /// Completes a collective operation and records it.
    pub(crate) fn finish_collective(self, site: CallSite, begin: Option<u64>) -> Result<Completed> {
        self.finish(site, begin, |request, _| EventKind::FinishCollective { request })
    }

    /// Completes the operation and records it. A call that completes several operations has waited for all of them since `begin`.
    fn finish(
        self,
        site: CallSite,
        begin: Option<u64>,
        event: impl FnOnce(u32, &Completed) -> EventKind,
    ) -> Result<Completed> {
        let Self { pending, stats, tracer, request } = self;
        let call = match begin {
            Some(begin) => TracedCall::begun(&tracer, begin),
            None => TracedCall::begin(&tracer),
        };
        let completed = pending.wait(site).inspect_err(|error| stats.note_error(site, error));
        call.end(site, &completed, |_, completed| event(request, completed));
        completed
    }
}

/// The event of the call that completes a receive.
fn received(request: u32, completed: &Completed) -> EventKind {
    let from = source_envelope(&completed.status.expect("a completed receive has a status"));
    EventKind::FinishReceive { request, from }
}
