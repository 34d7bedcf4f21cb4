//! Persistent requests and matched messages whose calls are recorded.
use wb_comm::{
    Block, CallSite, Datatype, MessageTag, Pending, PendingMessage, Persistent, PersistentArgs, Result,
    Source, Status, TagPattern, ViewMut,
};

use crate::replay::call_trace::{
    call_action::{CallAction, TracedOp},
    pending::TracingRequest,
    trace::TraceBuffer,
};

/// A persistent request: each start is recorded as the start of an operation.
pub(crate) struct TracingPersistent {
    inner: Box<dyn Persistent>,
    trace: TraceBuffer,
    on: usize,
    args: PersistentArgs,
}

impl TracingPersistent {
    pub(crate) fn new(
        inner: Box<dyn Persistent>,
        trace: TraceBuffer,
        on: usize,
        args: PersistentArgs,
    ) -> Self {
        Self { inner, trace, on, args }
    }
}

impl Persistent for TracingPersistent {
    fn start(&mut self, block: Block, site: CallSite) -> Result<Box<dyn Pending>> {
        let elements = (block.view().datatype(), block.view().count());
        let operation = match self.args {
            PersistentArgs::Send { to, tag, mode } => TracedOp::send(to, tag, elements, mode),
            PersistentArgs::Recv { from, tag } => TracedOp::receive(from, tag, elements),
        };
        let request = self.trace.next_request();
        let act = CallAction::Start { request, operation };
        let pending = self.trace.record(site, self.on, act, || self.inner.start(block, site))?;
        Ok(Box::new(TracingRequest::new(pending, self.trace.clone(), (self.on, request), site)))
    }
}

/// A message that a matched probe has taken: its receive is recorded as the receive of this message.
pub(crate) struct TracingMessage {
    inner: Box<dyn PendingMessage>,
    trace: TraceBuffer,
    on: usize,
}

impl TracingMessage {
    pub(crate) fn new(inner: Box<dyn PendingMessage>, trace: TraceBuffer, on: usize) -> Self {
        Self { inner, trace, on }
    }
}

impl PendingMessage for TracingMessage {
    fn status(&self) -> Status {
        self.inner.status()
    }

    fn receive(self: Box<Self>, into: ViewMut<'_>, site: CallSite) -> Result<Status> {
        let Self { inner, trace, on } = *self;
        let Status { source, tag, .. } = inner.status();
        let tag = TagPattern::from(MessageTag::user(tag));
        let elements: (Datatype, usize) = (into.datatype(), into.count());
        let operation = TracedOp::receive(Source::Rank(source), tag, elements);
        trace.record(site, on, CallAction::Round(vec![operation]), || inner.receive(into, site))
    }
}
