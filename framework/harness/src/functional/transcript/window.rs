//! A window whose synchronisations are written down; what goes on between them concerns its elements and nobody's waiting.
use std::sync::atomic::AtomicI64;

use wb_comm::{
    Accumulation, Assertion, Fetched, Layout, LockKind, Rank, Result, Site, Touched, Until, View, ViewMut,
    Window, WindowKind, Word,
};

use super::{Act, Notes, OnWindow};

/// See the module.
pub(super) struct NotedWindow {
    /// `None` once it is freed.
    inner: Option<Box<dyn Window>>,
    notes: Notes,
    number: usize,
    /// The call that made it.
    made: Site,
}

impl NotedWindow {
    pub(super) fn of(inner: Box<dyn Window>, notes: Notes, number: usize, made: Site) -> Self {
        Self { inner: Some(inner), notes, number, made }
    }

    fn inner(&self) -> &dyn Window {
        &**self.inner.as_ref().expect("only freeing takes it, and consumes the handle")
    }

    fn noted<R>(&self, site: Site, call: OnWindow, verb: impl FnOnce(&dyn Window) -> Result<R>) -> Result<R> {
        self.notes.around(site, self.number, Act::OnWindow(call), || verb(self.inner()))
    }
}

impl Window for NotedWindow {
    fn rank(&self) -> Rank {
        self.inner().rank()
    }

    fn size(&self) -> usize {
        self.inner().size()
    }

    fn layout(&self) -> Layout {
        self.inner().layout()
    }

    fn count(&self, rank: Rank) -> usize {
        self.inner().count(rank)
    }

    fn kind(&self) -> WindowKind {
        self.inner().kind()
    }

    fn unified(&self) -> bool {
        self.inner().unified()
    }

    fn shared(&self) -> Option<&[AtomicI64]> {
        self.inner().shared()
    }

    fn witness(&self, touched: Touched) -> bool {
        self.inner().witness(touched)
    }

    fn put(&self, target: Rank, at: usize, data: View<'_>, site: Site) -> Result<()> {
        self.inner().put(target, at, data, site)
    }

    fn get(&self, target: Rank, at: usize, count: usize, site: Site) -> Result<Box<dyn Fetched>> {
        self.inner().get(target, at, count, site)
    }

    fn accumulate(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        how: Accumulation,
        site: Site,
    ) -> Result<()> {
        self.inner().accumulate(target, at, data, how, site)
    }

    fn get_accumulate(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        how: Accumulation,
        site: Site,
    ) -> Result<Box<dyn Fetched>> {
        self.inner().get_accumulate(target, at, data, how, site)
    }

    fn fetch_and_op(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        how: Accumulation,
        site: Site,
    ) -> Result<Box<dyn Fetched>> {
        self.inner().fetch_and_op(target, at, data, how, site)
    }

    fn compare_and_swap(
        &self,
        target: Rank,
        at: usize,
        expected: View<'_>,
        value: View<'_>,
        site: Site,
    ) -> Result<Box<dyn Fetched>> {
        self.inner().compare_and_swap(target, at, expected, value, site)
    }

    fn word(&self, target: Rank, at: usize, becomes: Word, site: Site) -> Result<i64> {
        self.inner().word(target, at, becomes, site)
    }

    fn update(&self, target: Rank, at: usize, becomes: Word, site: Site) -> Result<()> {
        self.inner().update(target, at, becomes, site)
    }

    fn wait_until(&self, target: Rank, at: usize, until: Until, site: Site) -> Result<()> {
        self.inner().wait_until(target, at, until, site)
    }

    fn flush(&self, target: Option<Rank>, site: Site) -> Result<()> {
        self.inner().flush(target, site)
    }

    fn flush_local(&self, target: Option<Rank>, site: Site) -> Result<()> {
        self.inner().flush_local(target, site)
    }

    fn sync(&self, site: Site) -> Result<()> {
        self.inner().sync(site)
    }

    fn read(&self, at: usize, into: ViewMut<'_>) -> Result<()> {
        self.inner().read(at, into)
    }

    fn write(&self, at: usize, from: View<'_>) -> Result<()> {
        self.inner().write(at, from)
    }

    fn fence(&self, assertion: Assertion, site: Site) -> Result<()> {
        self.noted(site, OnWindow::Fence, |window| window.fence(assertion, site))
    }

    fn post(&self, group: &[Rank], assertion: Assertion, site: Site) -> Result<()> {
        self.noted(site, OnWindow::Post(group.to_vec()), |window| window.post(group, assertion, site))
    }

    fn start(&self, group: &[Rank], assertion: Assertion, site: Site) -> Result<()> {
        self.noted(site, OnWindow::Start(group.to_vec()), |window| window.start(group, assertion, site))
    }

    fn complete(&self, site: Site) -> Result<()> {
        self.noted(site, OnWindow::Complete, |window| window.complete(site))
    }

    fn wait(&self, site: Site) -> Result<()> {
        self.noted(site, OnWindow::Wait, |window| window.wait(site))
    }

    fn lock(&self, kind: LockKind, target: Rank, assertion: Assertion, site: Site) -> Result<()> {
        self.noted(site, OnWindow::Lock { exclusive: kind == LockKind::Exclusive, target }, |window| {
            window.lock(kind, target, assertion, site)
        })
    }

    fn unlock(&self, target: Rank, site: Site) -> Result<()> {
        self.noted(site, OnWindow::Unlock(target), |window| window.unlock(target, site))
    }

    fn lock_all(&self, assertion: Assertion, site: Site) -> Result<()> {
        self.noted(site, OnWindow::LockAll, |window| window.lock_all(assertion, site))
    }

    fn unlock_all(&self, site: Site) -> Result<()> {
        self.noted(site, OnWindow::UnlockAll, |window| window.unlock_all(site))
    }

    fn test(&self, site: Site) -> Result<bool> {
        let over = self.inner().test(site)?;
        if over {
            // What it has found is what a wait would have waited for.
            self.noted(site, OnWindow::Wait, |_| Ok(()))?;
        }
        Ok(over)
    }

    fn free(mut self: Box<Self>, site: Site) -> Result<()> {
        let inner = self.inner.take().expect("only freeing takes it, and consumes the handle");
        self.notes.around(site, self.number, Act::OnWindow(OnWindow::Free), || inner.free(site))
    }
}

impl Drop for NotedWindow {
    fn drop(&mut self) {
        if self.inner.is_some() {
            let note = self.notes.begin(self.made, self.number, Act::OnWindow(OnWindow::Dropped));
            self.notes.end(note, true, |_| {});
        }
    }
}
