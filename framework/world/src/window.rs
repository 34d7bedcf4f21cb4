//! Windows: memory that every rank opens to the others, and the epochs in which it may be touched.
//!
//! A call like put takes part on one side only, so MPI asks for *epochs* that say when it may happen. Here an epoch is a
//! value: what opens it gives a guard, the one-sided calls exist on guards only, and ending the epoch consumes the
//! guard. What types cannot see (one epoch inside another, a target that a start does not name, two puts to one element)
//! is checked when it is called, on every backend alike, and refused with the rule, the rank and both calls
//! ([`Violation`](crate::Violation); the rules are in `docs/rma.md`).
//!
//! ```no_run
//! # fn ring(world: &wb_world::World) -> wb_world::Result<i32> {
//! let (rank, size) = (world.rank(), world.size());
//! let window = world.window::<i32>(1)?;
//! let epoch = window.fence()?;
//! epoch.put(&[rank as i32], (rank + 1) % size, 0)?;
//! epoch.end()?;
//! let left = window.read_all()?[0];
//! window.free()?;
//! # Ok(left) }
//! ```
//!
//! | opened by | guard | ended by |
//! |---|---|---|
//! | [`fence`](Window::fence), all ranks together | [`FenceEpoch`] | [`fence`](FenceEpoch::fence) or [`end`](FenceEpoch::end) |
//! | [`start`](Window::start), to some ranks | [`Access`] | [`complete`](Access::complete) |
//! | [`post`](Window::post), for some ranks | [`Exposure`] | [`wait`](Exposure::wait) or [`test`](Exposure::test) |
//! | [`lock`](Window::lock), of one rank | [`Locked`] | [`unlock`](Locked::unlock) |
//! | [`lock_all`](Window::lock_all) | [`LockedAll`] | [`unlock_all`](LockedAll::unlock_all) |
//!
//! So what follows does not compile: a window by itself has no put, and an epoch that has ended none any more.
//!
//! ```compile_fail,E0599
//! # fn f(window: &wb_world::Window<i32>) -> wb_world::Result<()> {
//! window.put(&[1], 0, 0)
//! # }
//! ```
//! ```compile_fail,E0382
//! # fn f(window: &wb_world::Window<i32>) -> wb_world::Result<()> {
//! let access = window.start(&[0])?;
//! access.complete()?;
//! access.put(&[1], 0, 0)
//! # }
//! ```
//!
//! A guard that is dropped calls nothing, because a call may wait for ranks that are not coming: the epoch stays open, and
//! the next call on the window is refused and says so. (A [`FenceEpoch`] may be dropped: the next fence ends it.)
//! [`Window::raw`] has the same verbs as MPI has them, free of guards, under the same rules.
mod access;
mod balance;
mod board;
mod epoch;
mod footprint;
mod guard;
mod handle;
mod raw;

use std::{cell::Ref, marker::PhantomData, rc::Rc, sync::atomic::AtomicI64};

use wb_comm::{Assertion, LockKind, Rank, Result, Site, Verb, View, ViewMut, WindowKind, Wire};

pub use access::{Accesses, Ticket};
pub use epoch::Model;
pub use guard::{Access, Exposure, FenceEpoch, Locked, LockedAll};
pub use raw::Raw;

use wb_record::Shape;

use crate::World;
use handle::{Handle, Told};

/// A window as one rank sees it.
pub struct Window<T: Wire> {
    handle: Handle,
    element: PhantomData<T>,
}

#[allow(clippy::missing_errors_doc, reason = "all: what the backend can meet")]
impl World {
    /// Collective: a window of `count` elements of this rank's, all zero; other ranks may have other counts
    /// (`MPI_Win_allocate`).
    #[track_caller]
    pub fn window<T: Wire>(&self, count: usize) -> Result<Window<T>> {
        let site = Site::here(Verb::WindowCreate);
        self.collectively(site, Shape::All, 0, || self.open(WindowKind::Allocate, count, site))
    }

    /// Collective: a window with these elements of this rank's (`MPI_Win_create`).
    #[track_caller]
    pub fn window_of<T: Wire>(&self, elements: Vec<T>) -> Result<Window<T>> {
        let site = Site::here(Verb::WindowCreate);
        self.collectively(site, Shape::All, 0, || {
            let transport = self.transport();
            let window = transport.window(WindowKind::Create, T::LAYOUT, elements.len(), site)?;
            window.write(0, View::of(&elements))?;
            // Nobody looks before everybody has written; and no epoch begins here.
            window.fence(Assertion { no_succeed: true, ..Assertion::default() }, site)?;
            self.over(window, site)
        })
    }

    /// Collective: a window whose parts all ranks map, which must be on one node (`MPI_Win_allocate_shared`).
    #[track_caller]
    pub fn window_shared<T: Wire>(&self, count: usize) -> Result<Window<T>> {
        let site = Site::here(Verb::WindowCreate);
        self.collectively(site, Shape::All, 0, || self.open(WindowKind::Shared, count, site))
    }

    fn open<T: Wire>(&self, kind: WindowKind, count: usize, site: Site) -> Result<Window<T>> {
        self.over(self.transport().window(kind, T::LAYOUT, count, site)?, site)
    }

    fn over<T: Wire>(&self, backend: Box<dyn wb_comm::Window>, site: Site) -> Result<Window<T>> {
        let recording = self.recording.as_ref().map(|recorder| recorder.part(self.transport(), None));
        let (transport, ledger) = (Rc::clone(self.transport()), Rc::clone(self.ledger()));
        let told = Told { ledger, recording, element_bytes: T::LAYOUT.size() };
        let handle = Handle::new(backend, transport, told, site)?;
        self.ledger().collective(site);
        // What others put is there without a call of this rank's.
        self.ledger().hear();
        Ok(Window { handle, element: PhantomData })
    }
}

/// # Errors
/// Every verb: [`Error::Epoch`](crate::Error::Epoch) where a rule is broken, [`Error::Rank`](crate::Error::Rank),
/// [`Error::Range`](crate::Error::Range), and what the backend can meet.
#[allow(clippy::missing_errors_doc, reason = "said once for all")]
impl<T: Wire> Window<T> {
    /// This process's rank.
    pub fn rank(&self) -> Rank {
        self.handle.rank
    }

    /// How many ranks there are.
    pub fn size(&self) -> usize {
        self.handle.size
    }

    /// How many elements `rank` has opened; 0 for a rank that does not exist.
    pub fn count(&self, rank: Rank) -> usize {
        self.handle.count(rank)
    }

    /// From now on, how strictly local stores are held against others' puts (rule 8).
    pub fn assume(&self, model: Model) {
        self.handle.machine().model = model;
    }

    /// Collective: ends the epoch of the last fence and opens the next (`MPI_Win_fence`).
    #[track_caller]
    pub fn fence(&self) -> Result<FenceEpoch<'_, T>> {
        self.fence_with(Assertion::default())
    }

    /// As [`fence`](Self::fence), with promises.
    #[track_caller]
    pub fn fence_with(&self, assertion: Assertion) -> Result<FenceEpoch<'_, T>> {
        self.handle.fence(assertion, Site::here(Verb::Fence))?;
        Ok(FenceEpoch { accesses: Accesses::new(self) })
    }

    /// Begins access to the parts of `targets`, each of which must post to this rank (`MPI_Win_start`). May wait for
    /// their posts, or leave that to any later call up to complete.
    #[track_caller]
    pub fn start(&self, targets: &[Rank]) -> Result<Access<'_, T>> {
        self.start_with(targets, Assertion::default())
    }

    /// As [`start`](Self::start), with promises.
    #[track_caller]
    pub fn start_with(&self, targets: &[Rank], assertion: Assertion) -> Result<Access<'_, T>> {
        self.handle.start(targets, assertion, Site::here(Verb::Start))?;
        Ok(Access::new(self))
    }

    /// Exposes this rank's part to `origins`, each of which must start to this rank (`MPI_Win_post`). Never waits.
    #[track_caller]
    pub fn post(&self, origins: &[Rank]) -> Result<Exposure<'_, T>> {
        self.post_with(origins, Assertion::default())
    }

    /// As [`post`](Self::post), with promises.
    #[track_caller]
    pub fn post_with(&self, origins: &[Rank], assertion: Assertion) -> Result<Exposure<'_, T>> {
        self.handle.post(origins, assertion, Site::here(Verb::Post))?;
        Ok(Exposure::new(self))
    }

    /// Begins access to the part of `target`, which takes no part in it (`MPI_Win_lock`). Who comes first is undefined.
    #[track_caller]
    pub fn lock(&self, kind: LockKind, target: Rank) -> Result<Locked<'_, T>> {
        self.lock_with(kind, target, Assertion::default())
    }

    /// As [`lock`](Self::lock), with promises.
    #[track_caller]
    pub fn lock_with(&self, kind: LockKind, target: Rank, assertion: Assertion) -> Result<Locked<'_, T>> {
        self.handle.lock(kind, target, assertion, Site::here(Verb::Lock))?;
        Ok(Locked::new(self, target))
    }

    /// Begins shared access to all parts (`MPI_Win_lock_all`).
    #[track_caller]
    pub fn lock_all(&self) -> Result<LockedAll<'_, T>> {
        self.lock_all_with(Assertion::default())
    }

    /// As [`lock_all`](Self::lock_all), with promises.
    #[track_caller]
    pub fn lock_all_with(&self, assertion: Assertion) -> Result<LockedAll<'_, T>> {
        self.handle.lock_all(assertion, Site::here(Verb::LockAll))?;
        Ok(LockedAll::new(self))
    }

    /// Own elements from `at` on, as many as `into` has.
    #[track_caller]
    pub fn read(&self, at: usize, into: &mut [T]) -> Result<()> {
        self.handle.read(at, ViewMut::of(into), Site::here(Verb::WindowRead))
    }

    /// All own elements.
    #[track_caller]
    pub fn read_all(&self) -> Result<Vec<T>> {
        let mut all = vec![T::default(); self.count(self.rank())];
        self.read(0, &mut all)?;
        Ok(all)
    }

    /// Sets own elements from `at` on.
    #[track_caller]
    pub fn write(&self, at: usize, from: &[T]) -> Result<()> {
        self.handle.write(at, View::of(from), Site::here(Verb::WindowWrite))
    }

    /// The parts of all ranks, one after the other, where the window is shared and `T` is `i64`; never in
    /// virtual time, where nobody may look past the clocks. What is done through them is not checked.
    pub fn shared(&self) -> Option<Ref<'_, [AtomicI64]>> {
        self.handle.shared()
    }

    /// The verbs without guards, as MPI has them.
    pub fn raw(&self) -> Raw<'_, T> {
        Raw { window: self, accesses: Accesses::new(self) }
    }

    /// Collective: gives the window up (`MPI_Win_free`). If one rank may not, nobody does, and all are told.
    #[track_caller]
    pub fn free(self) -> Result<()> {
        self.handle.free(Site::here(Verb::WindowFree))
    }
}
