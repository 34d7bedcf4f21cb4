//! A request whose completion is recorded.
use std::any::Any;

use wb_comm::{CallSite, Completed, Pending, Result};

use crate::replay::call_trace::{call_action::CallAction, trace::TraceBuffer};

pub(crate) struct TracingRequest {
    /// `None` once it is waited for.
    inner: Option<Box<dyn Pending>>,
    trace: TraceBuffer,
    on: usize,
    number: usize,
    /// Found complete by a test.
    is_complete: bool,
    /// The call that started it.
    site: CallSite,
}

impl TracingRequest {
    pub(crate) fn new(
        inner: Box<dyn Pending>,
        notes: TraceBuffer,
        (on, number): (usize, usize),
        site: CallSite,
    ) -> Self {
        Self { inner: Some(inner), trace: notes, on, number, is_complete: false, site }
    }

    /// The request of a call on several ones: its number and what it decorates.
    pub(crate) fn of(request: &mut dyn Pending) -> (usize, &mut dyn Pending) {
        let own: &mut Self = request.undecorated().downcast_mut().expect("all requests are recorded");
        (own.number, own.inner())
    }

    fn inner(&mut self) -> &mut dyn Pending {
        &mut **self.inner.as_mut().expect("only waiting takes it, and consumes the request")
    }
}

impl Pending for TracingRequest {
    fn test(&mut self, site: CallSite) -> Result<bool> {
        let act = || CallAction::Wait { request: self.number, matched: None };
        let inner = self.inner.as_mut().expect("only waiting takes it, and consumes the request");
        let complete = self.trace.poll((site, self.on), act, || inner.test(site), |complete| !complete);
        // A failed request is complete as well.
        self.is_complete |= !matches!(complete, Ok(false));
        complete
    }

    fn wait(mut self: Box<Self>, site: CallSite) -> Result<Completed> {
        let inner = self.inner.take().expect("only waiting takes it, and consumes the request");
        let note = self.trace.begin(site, self.on, CallAction::Wait { request: self.number, matched: None });
        let result = inner.wait(site);
        self.trace.end(note, result.is_ok(), |act| {
            if let Ok(Completed { status: Some(status), .. }) = &result {
                act.set_match(0, (status.source, status.tag));
            }
        });
        result
    }

    fn cancel(mut self: Box<Self>, site: CallSite) -> Result<Option<Completed>> {
        let inner = self.inner.take().expect("only waiting takes it, and consumes the request");
        let note = self.trace.begin(site, self.on, CallAction::Wait { request: self.number, matched: None });
        let result = inner.cancel(site);
        self.trace.end(note, result.is_ok(), |act| match &result {
            Ok(Some(Completed { status: Some(status), .. })) => act.set_match(0, (status.source, status.tag)),
            Ok(None) => *act = CallAction::Cancel { request: self.number },
            _ => {}
        });
        result
    }

    fn undecorated(&mut self) -> &mut dyn Any {
        self
    }
}

impl Drop for TracingRequest {
    fn drop(&mut self) {
        if self.inner.is_none() {
            return;
        }
        let request = self.number;
        let act = if self.is_complete {
            CallAction::Wait { request, matched: None }
        } else {
            CallAction::Drop { request }
        };
        let note = self.trace.begin(self.site, self.on, act);
        self.trace.end(note, true, |_| {});
    }
}
