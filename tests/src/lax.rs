//! A backend whose windows are as lax as MPI allows: what is put waits until complete, until a flush, or even longer.
//!
//! Threads are strict (a start waits for its post), and a program that leans on one way is right by luck. Under a
//! [`Laxity`] the same program runs under the others, on any backend.
use std::{
    cell::RefCell,
    mem,
    rc::{Rc, Weak},
    sync::atomic::AtomicI64,
};

use wb_comm::{
    Accumulation, Assertion, Block, Fetched, Label, Layout, LockKind, Match, Op, Pending, Rank, Result, Site,
    Source, Status, Transport, Until, View, ViewMut, Window, WindowKind, Word,
};

/// When an access epoch of start and complete takes place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Laxity {
    /// All of it in complete, which may wait: start and put return at once.
    AtComplete,
    /// All of it at the next call on the window after complete: start, put and complete return at once.
    AfterComplete,
    /// Puts wait for what completes them: a flush of their target, an unlock, a fence, a complete.
    AtFlush,
}

/// Another transport, its windows lax. What is kept takes place at the rank's next call on any of them, as an MPI library
/// makes progress in every call.
pub struct Lax {
    inner: Rc<dyn Transport>,
    laxity: Laxity,
    windows: Windows,
}

type Windows = Rc<RefCell<Vec<Weak<Part>>>>;

impl Lax {
    /// Over another transport.
    pub fn over(inner: Rc<dyn Transport>, laxity: Laxity) -> Self {
        Self { inner, laxity, windows: Windows::default() }
    }

    fn alike(&self, inner: Rc<dyn Transport>) -> Rc<dyn Transport> {
        Rc::new(Self { inner, laxity: self.laxity, windows: Rc::clone(&self.windows) })
    }

    fn progress(&self) -> Result<&dyn Transport> {
        progress(&self.windows)?;
        Ok(&*self.inner)
    }
}

fn progress(windows: &Windows) -> Result<()> {
    windows.borrow_mut().retain(|part| part.strong_count() > 0);
    let parts: Vec<_> = windows.borrow().iter().filter_map(Weak::upgrade).collect();
    parts.iter().try_for_each(|part| part.catch_up())
}

/// An epoch that has not taken place yet.
struct Kept {
    targets: Vec<Rank>,
    assertion: Assertion,
    site: Site,
    puts: Vec<Late>,
    completed: Option<Site>,
}

/// A put that has not taken place yet: target, place, elements, and who called.
type Late = (Rank, usize, Block, Site);

struct Part {
    window: Box<dyn Window>,
    kept: RefCell<Option<Kept>>,
    /// What waits for a flush.
    late: RefCell<Vec<Late>>,
}

impl Part {
    /// What is kept takes place now; only its complete may still be to come.
    fn catch_up(&self) -> Result<()> {
        let Some(Kept { targets, assertion, site, puts, completed }) =
            mem::take(&mut *self.kept.borrow_mut())
        else {
            return Ok(());
        };
        self.window.start(&targets, assertion, site)?;
        puts.iter()
            .try_for_each(|(target, at, data, site)| self.window.put(*target, *at, data.view(), *site))?;
        completed.map_or(Ok(()), |site| self.window.complete(site))
    }

    /// What waits for a flush takes place now: that to one rank, or all of it.
    fn flush(&self, target: Option<Rank>) -> Result<()> {
        let now = |(to, ..): &Late| target.is_none_or(|target| target == *to);
        let (now, later): (Vec<_>, Vec<_>) =
            mem::take(&mut *self.late.borrow_mut()).into_iter().partition(now);
        *self.late.borrow_mut() = later;
        now.iter().try_for_each(|(to, at, data, site)| self.window.put(*to, *at, data.view(), *site))
    }
}

struct LaxWindow {
    part: Rc<Part>,
    laxity: Laxity,
    windows: Windows,
}

impl LaxWindow {
    /// The window, once nothing is kept on any.
    fn catch_up(&self) -> Result<&dyn Window> {
        progress(&self.windows)?;
        Ok(&*self.part.window)
    }

    /// As [`catch_up`](Self::catch_up), in a call that completes what was put to `target`, or to all.
    fn complete_to(&self, target: Option<Rank>) -> Result<&dyn Window> {
        let window = self.catch_up()?;
        self.part.flush(target)?;
        Ok(window)
    }
}

/// A copy of the elements, whatever they are.
fn copy(data: View<'_>) -> Block {
    let mut block = Block::zeroed(data.layout(), data.count());
    block.view_mut().bytes().copy_from_slice(data.bytes());
    block
}

impl Window for LaxWindow {
    fn start(&self, group: &[Rank], assertion: Assertion, site: Site) -> Result<()> {
        let window = self.catch_up()?;
        if self.laxity == Laxity::AtFlush {
            return window.start(group, assertion, site);
        }
        let targets = group.to_vec();
        *self.part.kept.borrow_mut() = Some(Kept { targets, assertion, site, puts: vec![], completed: None });
        Ok(())
    }
    fn put(&self, target: Rank, at: usize, data: View<'_>, site: Site) -> Result<()> {
        match &mut *self.part.kept.borrow_mut() {
            Some(kept) if kept.completed.is_none() => kept.puts.push((target, at, copy(data), site)),
            _ if self.laxity == Laxity::AtFlush => {
                self.part.late.borrow_mut().push((target, at, copy(data), site));
            }
            _ => return self.part.window.put(target, at, data, site),
        }
        Ok(())
    }
    fn complete(&self, site: Site) -> Result<()> {
        if let (Some(kept), Laxity::AfterComplete) = (&mut *self.part.kept.borrow_mut(), self.laxity) {
            kept.completed = Some(site);
            return Ok(());
        }
        self.complete_to(None)?.complete(site)
    }
    /// A post never waits, so it lets an earlier epoch wait instead.
    fn post(&self, group: &[Rank], assertion: Assertion, site: Site) -> Result<()> {
        self.part.window.post(group, assertion, site)
    }

    fn rank(&self) -> Rank {
        self.part.window.rank()
    }
    fn size(&self) -> usize {
        self.part.window.size()
    }
    fn layout(&self) -> Layout {
        self.part.window.layout()
    }
    fn count(&self, rank: Rank) -> usize {
        self.part.window.count(rank)
    }
    fn kind(&self) -> WindowKind {
        self.part.window.kind()
    }
    fn get(&self, target: Rank, at: usize, count: usize, site: Site) -> Result<Box<dyn Fetched>> {
        self.catch_up()?.get(target, at, count, site)
    }
    fn accumulate(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        how: Accumulation,
        site: Site,
    ) -> Result<()> {
        self.catch_up()?.accumulate(target, at, data, how, site)
    }
    fn get_accumulate(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        how: Accumulation,
        site: Site,
    ) -> Result<Box<dyn Fetched>> {
        self.catch_up()?.get_accumulate(target, at, data, how, site)
    }
    fn fetch_and_op(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        how: Accumulation,
        site: Site,
    ) -> Result<Box<dyn Fetched>> {
        self.catch_up()?.fetch_and_op(target, at, data, how, site)
    }
    fn compare_and_swap(
        &self,
        target: Rank,
        at: usize,
        expected: View<'_>,
        value: View<'_>,
        site: Site,
    ) -> Result<Box<dyn Fetched>> {
        self.catch_up()?.compare_and_swap(target, at, expected, value, site)
    }
    fn word(&self, target: Rank, at: usize, becomes: Word, site: Site) -> Result<i64> {
        self.catch_up()?.word(target, at, becomes, site)
    }
    fn wait_until(&self, target: Rank, at: usize, until: Until, site: Site) -> Result<()> {
        self.catch_up()?.wait_until(target, at, until, site)
    }
    fn fence(&self, assertion: Assertion, site: Site) -> Result<()> {
        self.complete_to(None)?.fence(assertion, site)
    }
    fn wait(&self, site: Site) -> Result<()> {
        self.catch_up()?.wait(site)
    }
    fn test(&self, site: Site) -> Result<bool> {
        self.catch_up()?.test(site)
    }
    fn lock(&self, kind: LockKind, target: Rank, assertion: Assertion, site: Site) -> Result<()> {
        self.catch_up()?.lock(kind, target, assertion, site)
    }
    fn unlock(&self, target: Rank, site: Site) -> Result<()> {
        self.complete_to(Some(target))?.unlock(target, site)
    }
    fn lock_all(&self, assertion: Assertion, site: Site) -> Result<()> {
        self.catch_up()?.lock_all(assertion, site)
    }
    fn unlock_all(&self, site: Site) -> Result<()> {
        self.complete_to(None)?.unlock_all(site)
    }
    fn flush(&self, target: Option<Rank>, site: Site) -> Result<()> {
        self.complete_to(target)?.flush(target, site)
    }
    fn flush_local(&self, target: Option<Rank>, site: Site) -> Result<()> {
        self.catch_up()?.flush_local(target, site)
    }
    fn sync(&self, site: Site) -> Result<()> {
        self.catch_up()?.sync(site)
    }
    fn unified(&self) -> bool {
        self.part.window.unified()
    }
    fn read(&self, at: usize, into: ViewMut<'_>) -> Result<()> {
        self.catch_up()?.read(at, into)
    }
    fn write(&self, at: usize, from: View<'_>) -> Result<()> {
        self.catch_up()?.write(at, from)
    }
    fn shared(&self) -> Option<&[AtomicI64]> {
        self.part.window.shared()
    }
    fn free(self: Box<Self>, site: Site) -> Result<()> {
        self.complete_to(None)?;
        let Self { part, .. } = *self;
        let Ok(part) = Rc::try_unwrap(part) else { unreachable!("the list holds it weakly") };
        part.window.free(site)
    }
}

impl Transport for Lax {
    fn window(&self, kind: WindowKind, layout: Layout, count: usize, site: Site) -> Result<Box<dyn Window>> {
        let window = self.progress()?.window(kind, layout, count, site)?;
        let part = Rc::new(Part { window, kept: RefCell::default(), late: RefCell::default() });
        self.windows.borrow_mut().push(Rc::downgrade(&part));
        Ok(Box::new(LaxWindow { part, laxity: self.laxity, windows: Rc::clone(&self.windows) }))
    }
    fn contribute(&self, contribution: wb_comm::Contribution) -> Result<()> {
        self.inner.contribute(contribution)
    }
    fn rank(&self) -> Rank {
        self.inner.rank()
    }
    fn size(&self) -> usize {
        self.inner.size()
    }
    fn backend(&self) -> &'static str {
        self.inner.backend()
    }
    fn round(&self, ops: &mut [Op<'_>], site: Site) -> Result<()> {
        self.progress()?.round(ops, site)
    }
    fn post_send(
        &self,
        to: Rank,
        label: Label,
        data: Block,
        synchronous: bool,
        site: Site,
    ) -> Result<Box<dyn Pending>> {
        self.progress()?.post_send(to, label, data, synchronous, site)
    }
    fn post_recv(&self, from: Source, label: Match, into: Block, site: Site) -> Result<Box<dyn Pending>> {
        self.progress()?.post_recv(from, label, into, site)
    }
    fn probe(&self, from: Source, label: Match, site: Site) -> Result<Status> {
        self.progress()?.probe(from, label, site)
    }
    fn iprobe(&self, from: Source, label: Match, site: Site) -> Result<Option<Status>> {
        self.progress()?.iprobe(from, label, site)
    }
    fn split(&self, color: Option<u32>, key: i32, site: Site) -> Result<Option<Rc<dyn Transport>>> {
        Ok(self.progress()?.split(color, key, site)?.map(|part| self.alike(part)))
    }
    fn dup(&self, site: Site) -> Result<Rc<dyn Transport>> {
        Ok(self.alike(self.progress()?.dup(site)?))
    }
    fn nodes(&self, site: Site) -> Result<Vec<usize>> {
        self.progress()?.nodes(site)
    }
    fn one_process(&self) -> bool {
        self.inner.one_process()
    }
    fn now(&self) -> u64 {
        self.inner.now()
    }
}
