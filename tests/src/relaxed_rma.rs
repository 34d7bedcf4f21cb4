//! A backend whose windows are as relaxed as MPI allows: a put waits until complete, until a flush, or even longer.
//!
//! Threads are strict (a start waits for its post), and a program that leans on one way is right by luck. Under a
//! [`CompletionPolicy`] the same program runs under the others, on any backend.
use std::{
    cell::RefCell,
    mem,
    rc::{Rc, Weak},
};

use wb_comm::{
    Assertion, Block, CallSite, Collectives, Datatype, ErasedWindow, Rank, Result, Transport,
    TransportDecorator, View, WindowDecorator, WindowKind,
};

/// When an access epoch of start and complete takes place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionPolicy {
    /// All of it in complete, which may wait: start and put return immediately.
    AtComplete,
    /// All of it at the next call on the window after complete: start, put and complete return immediately.
    AfterComplete,
    /// Puts wait for what completes them: a flush of their target, an unlock, a fence, a complete.
    AtFlush,
}

/// Another transport with relaxed windows. A delayed operation takes place at the rank's next call on any of them, as an MPI library
/// makes progress in every call.
pub struct RelaxedTransport {
    inner: Rc<dyn Transport>,
    policy: CompletionPolicy,
    windows: Windows,
}

type Windows = Rc<RefCell<Vec<Weak<RelaxedWindowState>>>>;

impl RelaxedTransport {
    /// Over another transport.
    pub fn new(inner: Rc<dyn Transport>, laxity: CompletionPolicy) -> Self {
        Self { inner, policy: laxity, windows: Windows::default() }
    }

    fn progress(&self) -> Result<&dyn Transport> {
        progress(&self.windows)?;
        Ok(&*self.inner)
    }
}

fn progress(windows: &Windows) -> Result<()> {
    windows.borrow_mut().retain(|part| part.strong_count() > 0);
    let parts: Vec<_> = windows.borrow().iter().filter_map(Weak::upgrade).collect();
    parts.iter().try_for_each(|part| part.apply_pending())
}

/// An epoch that has not taken place yet.
struct PendingEpoch {
    targets: Vec<Rank>,
    assertion: Assertion,
    site: CallSite,
    puts: Vec<PendingPut>,
    completed: Option<CallSite>,
}

/// A put that has not taken place yet: target, place, elements, and who called.
type PendingPut = (Rank, usize, Block, CallSite);

struct RelaxedWindowState {
    window: Box<dyn ErasedWindow>,
    pending_epoch: RefCell<Option<PendingEpoch>>,
    /// The accesses that wait for a flush.
    pending_puts: RefCell<Vec<PendingPut>>,
}

impl RelaxedWindowState {
    /// Applies the pending accesses; only their complete may still be to come.
    fn apply_pending(&self) -> Result<()> {
        let Some(PendingEpoch { targets, assertion, site, puts, completed }) =
            mem::take(&mut *self.pending_epoch.borrow_mut())
        else {
            return Ok(());
        };
        self.window.start(&targets, assertion, site)?;
        puts.iter()
            .try_for_each(|(target, at, data, site)| self.window.put(*target, *at, data.view(), *site))?;
        completed.map_or(Ok(()), |site| self.window.complete(site))
    }

    /// Applies the accesses that wait for a flush: those to one rank, or all of them.
    fn flush(&self, target: Option<Rank>) -> Result<()> {
        let now = |(to, ..): &PendingPut| target.is_none_or(|target| target == *to);
        let (now, later): (Vec<_>, Vec<_>) =
            mem::take(&mut *self.pending_puts.borrow_mut()).into_iter().partition(now);
        *self.pending_puts.borrow_mut() = later;
        now.iter().try_for_each(|(to, at, data, site)| self.window.put(*to, *at, data.view(), *site))
    }
}

struct RelaxedWindow {
    part: Rc<RelaxedWindowState>,
    policy: CompletionPolicy,
    windows: Windows,
}

impl RelaxedWindow {
    /// The window, once nothing is kept on any.
    fn apply_pending(&self) -> Result<&dyn ErasedWindow> {
        progress(&self.windows)?;
        Ok(&*self.part.window)
    }

    /// As [`apply_pending`](Self::apply_pending), in a call that completes what was put to `target`, or to all.
    fn flush_to(&self, target: Option<Rank>) -> Result<&dyn ErasedWindow> {
        let window = self.apply_pending()?;
        self.part.flush(target)?;
        Ok(window)
    }
}

/// A copy of the elements, whatever they are.
fn copy(data: View<'_>) -> Block {
    let mut block = Block::zeroed(data.datatype(), data.count());
    block.view_mut().bytes().copy_from_slice(data.bytes());
    block
}

impl WindowDecorator for RelaxedWindow {
    fn inner(&self) -> &dyn ErasedWindow {
        &*self.part.window
    }
    fn inner_for_call(&self) -> Result<&dyn ErasedWindow> {
        self.apply_pending()
    }
    fn start(&self, group: &[Rank], assertion: Assertion, site: CallSite) -> Result<()> {
        let window = self.apply_pending()?;
        if self.policy == CompletionPolicy::AtFlush {
            return window.start(group, assertion, site);
        }
        let targets = group.to_vec();
        *self.part.pending_epoch.borrow_mut() =
            Some(PendingEpoch { targets, assertion, site, puts: vec![], completed: None });
        Ok(())
    }
    fn put(&self, target: Rank, at: usize, data: View<'_>, site: CallSite) -> Result<()> {
        match &mut *self.part.pending_epoch.borrow_mut() {
            Some(kept) if kept.completed.is_none() => kept.puts.push((target, at, copy(data), site)),
            _ if self.policy == CompletionPolicy::AtFlush => {
                self.part.pending_puts.borrow_mut().push((target, at, copy(data), site));
            }
            _ => return self.part.window.put(target, at, data, site),
        }
        Ok(())
    }
    fn complete(&self, site: CallSite) -> Result<()> {
        if let (Some(kept), CompletionPolicy::AfterComplete) =
            (&mut *self.part.pending_epoch.borrow_mut(), self.policy)
        {
            kept.completed = Some(site);
            return Ok(());
        }
        self.flush_to(None)?.complete(site)
    }
    /// A post never waits, so it lets an earlier epoch wait instead.
    fn post(&self, group: &[Rank], assertion: Assertion, site: CallSite) -> Result<()> {
        self.part.window.post(group, assertion, site)
    }

    fn fence(&self, assertion: Assertion, site: CallSite) -> Result<()> {
        self.flush_to(None)?.fence(assertion, site)
    }
    fn unlock(&self, target: Rank, site: CallSite) -> Result<()> {
        self.flush_to(Some(target))?.unlock(target, site)
    }
    fn unlock_all(&self, site: CallSite) -> Result<()> {
        self.flush_to(None)?.unlock_all(site)
    }
    fn flush(&self, target: Option<Rank>, site: CallSite) -> Result<()> {
        self.flush_to(target)?.flush(target, site)
    }
    fn free(self: Box<Self>, site: CallSite) -> Result<()> {
        self.flush_to(None)?;
        let Self { part, .. } = *self;
        let Ok(part) = Rc::try_unwrap(part) else { unreachable!("the list holds it weakly") };
        part.window.free(site)
    }
}

impl TransportDecorator for RelaxedTransport {
    fn inner(&self) -> &dyn Transport {
        &*self.inner
    }
    fn inner_for_call(&self) -> Result<&dyn Transport> {
        self.progress()
    }
    fn native_collectives(&self) -> Option<&dyn Collectives> {
        None
    }
    fn window(
        &self,
        kind: WindowKind,
        datatype: Datatype,
        count: usize,
        site: CallSite,
    ) -> Result<Box<dyn ErasedWindow>> {
        let window = self.progress()?.window(kind, datatype, count, site)?;
        let part = Rc::new(RelaxedWindowState {
            window,
            pending_epoch: RefCell::default(),
            pending_puts: RefCell::default(),
        });
        self.windows.borrow_mut().push(Rc::downgrade(&part));
        Ok(Box::new(RelaxedWindow { part, policy: self.policy, windows: Rc::clone(&self.windows) }))
    }
    fn decorate(&self, inner: Rc<dyn Transport>) -> Rc<dyn Transport> {
        Rc::new(Self { inner, policy: self.policy, windows: Rc::clone(&self.windows) })
    }
}
