//! A window whose synchronisations are recorded; accesses between them concern its elements, and no rank waits for
//! them.
use wb_comm::{Assertion, CallSite, ErasedWindow, LockKind, Rank, Result, WindowDecorator};

use crate::replay::call_trace::{
    call_action::{CallAction, TracedWindowCall},
    trace::TraceBuffer,
};

pub(crate) struct TracingWindow {
    /// `None` once it is freed.
    inner: Option<Box<dyn ErasedWindow>>,
    trace: TraceBuffer,
    number: usize,
    /// The call that made it.
    created_at: CallSite,
}

impl TracingWindow {
    pub(crate) fn new(
        inner: Box<dyn ErasedWindow>,
        notes: TraceBuffer,
        number: usize,
        made: CallSite,
    ) -> Self {
        Self { inner: Some(inner), trace: notes, number, created_at: made }
    }

    fn record<R>(
        &self,
        site: CallSite,
        call: TracedWindowCall,
        verb: impl FnOnce(&dyn ErasedWindow) -> Result<R>,
    ) -> Result<R> {
        self.trace.record(site, self.number, CallAction::OnWindow(call), || verb(self.inner()))
    }
}

impl WindowDecorator for TracingWindow {
    fn inner(&self) -> &dyn ErasedWindow {
        &**self.inner.as_ref().expect("only freeing takes it, and consumes the handle")
    }

    fn fence(&self, assertion: Assertion, site: CallSite) -> Result<()> {
        self.record(site, TracedWindowCall::Fence, |window| window.fence(assertion, site))
    }

    fn post(&self, group: &[Rank], assertion: Assertion, site: CallSite) -> Result<()> {
        self.record(site, TracedWindowCall::Post(group.to_vec()), |window| {
            window.post(group, assertion, site)
        })
    }

    fn start(&self, group: &[Rank], assertion: Assertion, site: CallSite) -> Result<()> {
        self.record(site, TracedWindowCall::Start(group.to_vec()), |window| {
            window.start(group, assertion, site)
        })
    }

    fn complete(&self, site: CallSite) -> Result<()> {
        self.record(site, TracedWindowCall::Complete, |window| window.complete(site))
    }

    fn wait(&self, site: CallSite) -> Result<()> {
        self.record(site, TracedWindowCall::Wait, |window| window.wait(site))
    }

    fn lock(&self, kind: LockKind, target: Rank, assertion: Assertion, site: CallSite) -> Result<()> {
        self.record(
            site,
            TracedWindowCall::Lock { exclusive: kind == LockKind::Exclusive, target },
            |window| window.lock(kind, target, assertion, site),
        )
    }

    fn unlock(&self, target: Rank, site: CallSite) -> Result<()> {
        self.record(site, TracedWindowCall::Unlock(target), |window| window.unlock(target, site))
    }

    fn lock_all(&self, assertion: Assertion, site: CallSite) -> Result<()> {
        self.record(site, TracedWindowCall::LockAll, |window| window.lock_all(assertion, site))
    }

    fn unlock_all(&self, site: CallSite) -> Result<()> {
        self.record(site, TracedWindowCall::UnlockAll, |window| window.unlock_all(site))
    }

    fn test(&self, site: CallSite) -> Result<bool> {
        let act = || CallAction::OnWindow(TracedWindowCall::Wait);
        let test = || self.inner().test(site);
        let complete = self.trace.poll((site, self.number), act, test, |complete| !complete)?;
        if complete {
            // The calls that it has found are those for which a wait would have waited.
            self.record(site, TracedWindowCall::Wait, |_| Ok(()))?;
        }
        Ok(complete)
    }

    fn free(mut self: Box<Self>, site: CallSite) -> Result<()> {
        let inner = self.inner.take().expect("only freeing takes it, and consumes the handle");
        self.trace
            .record(site, self.number, CallAction::OnWindow(TracedWindowCall::Free), || inner.free(site))
    }
}

impl Drop for TracingWindow {
    fn drop(&mut self) {
        if self.inner.is_some() {
            let note = self.trace.begin(
                self.created_at,
                self.number,
                CallAction::OnWindow(TracedWindowCall::Dropped),
            );
            self.trace.end(note, true, |_| {});
        }
    }
}
