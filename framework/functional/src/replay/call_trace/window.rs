//! A window whose synchronisations are written down; what goes on between them concerns its elements and nobody's waiting.
use std::sync::atomic::AtomicI64;

use wb_comm::{
    Access, Accumulation, Assertion, CallSite, Datatype, ErasedWindow, LockKind, PendingFetch, Rank, Result,
    Until, View, ViewMut, WindowKind, WordUpdate,
};

use crate::replay::call_trace::{
    call_action::{CallAction, TracedWindowCall},
    trace::TraceBuffer,
};

/// See the module.
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

    fn inner(&self) -> &dyn ErasedWindow {
        &**self.inner.as_ref().expect("only freeing takes it, and consumes the handle")
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

impl ErasedWindow for TracingWindow {
    fn rank(&self) -> Rank {
        self.inner().rank()
    }

    fn size(&self) -> usize {
        self.inner().size()
    }

    fn datatype(&self) -> Datatype {
        self.inner().datatype()
    }

    fn count(&self, rank: Rank) -> usize {
        self.inner().count(rank)
    }

    fn kind(&self) -> WindowKind {
        self.inner().kind()
    }

    fn is_unified(&self) -> bool {
        self.inner().is_unified()
    }

    fn shared_words(&self) -> Option<&[AtomicI64]> {
        self.inner().shared_words()
    }

    fn observe_access(&self, touched: Access) -> bool {
        self.inner().observe_access(touched)
    }

    fn put(&self, target: Rank, at: usize, data: View<'_>, site: CallSite) -> Result<()> {
        self.inner().put(target, at, data, site)
    }

    fn get(&self, target: Rank, at: usize, count: usize, site: CallSite) -> Result<Box<dyn PendingFetch>> {
        self.inner().get(target, at, count, site)
    }

    fn accumulate(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        how: Accumulation,
        site: CallSite,
    ) -> Result<()> {
        self.inner().accumulate(target, at, data, how, site)
    }

    fn get_accumulate(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        how: Accumulation,
        site: CallSite,
    ) -> Result<Box<dyn PendingFetch>> {
        self.inner().get_accumulate(target, at, data, how, site)
    }

    fn fetch_and_op(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        how: Accumulation,
        site: CallSite,
    ) -> Result<Box<dyn PendingFetch>> {
        self.inner().fetch_and_op(target, at, data, how, site)
    }

    fn compare_and_swap(
        &self,
        target: Rank,
        at: usize,
        expected: View<'_>,
        value: View<'_>,
        site: CallSite,
    ) -> Result<Box<dyn PendingFetch>> {
        self.inner().compare_and_swap(target, at, expected, value, site)
    }

    fn fetch_and_update_word(
        &self,
        target: Rank,
        at: usize,
        becomes: WordUpdate,
        site: CallSite,
    ) -> Result<i64> {
        self.inner().fetch_and_update_word(target, at, becomes, site)
    }

    fn update_word(&self, target: Rank, at: usize, becomes: WordUpdate, site: CallSite) -> Result<()> {
        self.inner().update_word(target, at, becomes, site)
    }

    fn wait_until(&self, target: Rank, at: usize, until: Until, site: CallSite) -> Result<()> {
        self.inner().wait_until(target, at, until, site)
    }

    fn flush(&self, target: Option<Rank>, site: CallSite) -> Result<()> {
        self.inner().flush(target, site)
    }

    fn flush_local(&self, target: Option<Rank>, site: CallSite) -> Result<()> {
        self.inner().flush_local(target, site)
    }

    fn sync(&self, site: CallSite) -> Result<()> {
        self.inner().sync(site)
    }

    fn read(&self, at: usize, into: ViewMut<'_>) -> Result<()> {
        self.inner().read(at, into)
    }

    fn write(&self, at: usize, from: View<'_>) -> Result<()> {
        self.inner().write(at, from)
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
        let over = self.inner().test(site)?;
        if over {
            // What it has found is what a wait would have waited for.
            self.record(site, TracedWindowCall::Wait, |_| Ok(()))?;
        }
        Ok(over)
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
