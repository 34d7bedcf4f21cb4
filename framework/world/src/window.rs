//! Windows: memory that each rank makes accessible to the others, and the epochs in which it may be accessed.
//!
//! Only the origin calls an operation such as put, so MPI requires *epochs* that define when it may happen. Here an
//! epoch is a value: the call that opens it returns a guard, the one-sided calls exist on guards only, and ending the
//! epoch consumes the guard. What types cannot express (one epoch inside another, a target that a start does not name,
//! two puts to one element) is checked at run time, in the same way on every backend, and refused with the rule, the
//! rank and both calls ([`Violation`](crate::Violation); the rules are in `docs/rma.md`).
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
//! | [`start`](Window::start), to some ranks | [`AccessEpoch`] | [`complete`](AccessEpoch::complete) |
//! | [`post`](Window::post), for some ranks | [`ExposureEpoch`] | [`wait`](ExposureEpoch::wait) or [`test`](ExposureEpoch::test) |
//! | [`lock`](Window::lock), of one rank | [`LockEpoch`] | [`unlock`](LockEpoch::unlock) |
//! | [`lock_all`](Window::lock_all) | [`LockAllEpoch`] | [`unlock_all`](LockAllEpoch::unlock_all) |
//!
//! So the following does not compile: a window itself has no put, and neither has an epoch that has ended.
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
//! Dropping a guard makes no MPI call, because a call may wait for ranks that never arrive: the epoch stays open, and
//! the next call on the window is refused with this reason. (A [`FenceEpoch`] may be dropped: the next fence ends it.)
//! [`Window::raw`] has MPI's verbs without guards, under the same rules.
mod access;
mod checked_window;
mod epoch;
mod epoch_footprint;
mod epoch_registry;
mod epoch_summary;
mod guard;
mod raw;
mod shared_epochs;

use std::{cell::Ref, marker::PhantomData, rc::Rc, sync::atomic::AtomicI64};

use wb_comm::{Assertion, CallSite, LockKind, Rank, Result, Verb, View, ViewMut, WindowKind, Wire};

pub use access::{Accesses, Ticket};
pub use epoch::MemoryModel;
pub use guard::{AccessEpoch, ExposureEpoch, FenceEpoch, LockAllEpoch, LockEpoch};
pub use raw::Raw;

use wb_record::CollectiveShape;

use crate::World;
use checked_window::{CheckedWindow, Observers};

/// A window as one rank sees it.
pub struct Window<T: Wire> {
    handle: CheckedWindow,
    element: PhantomData<T>,
}

#[allow(clippy::missing_errors_doc, reason = "all: what the backend can meet")]
impl World {
    /// Collective: a window of `count` elements on this rank, all zero; other ranks may have other counts
    /// (`MPI_Win_allocate`).
    #[track_caller]
    pub fn window<T: Wire>(&self, count: usize) -> Result<Window<T>> {
        let site = CallSite::caller(Verb::WindowCreate);
        self.run_collective(site, CollectiveShape::All, 0, || self.create(WindowKind::Allocate, count, site))
    }

    /// Collective: a window with these elements on this rank (`MPI_Win_create`).
    #[track_caller]
    pub fn window_of<T: Wire>(&self, elements: Vec<T>) -> Result<Window<T>> {
        let site = CallSite::caller(Verb::WindowCreate);
        self.run_collective(site, CollectiveShape::All, 0, || {
            let transport = self.transport();
            let window = transport.window(WindowKind::Create, T::DATATYPE, elements.len(), site)?;
            window.write(0, View::from_slice(&elements))?;
            // No rank reads before every rank has written. This fence opens no epoch.
            window.fence(Assertion { no_succeed: true, ..Assertion::default() }, site)?;
            self.wrap(window, site)
        })
    }

    /// Collective: a window whose parts all ranks map; all ranks must be on one node (`MPI_Win_allocate_shared`).
    #[track_caller]
    pub fn window_shared<T: Wire>(&self, count: usize) -> Result<Window<T>> {
        let site = CallSite::caller(Verb::WindowCreate);
        self.run_collective(site, CollectiveShape::All, 0, || self.create(WindowKind::Shared, count, site))
    }

    fn create<T: Wire>(&self, kind: WindowKind, count: usize, site: CallSite) -> Result<Window<T>> {
        self.wrap(self.transport().window(kind, T::DATATYPE, count, site)?, site)
    }

    fn wrap<T: Wire>(&self, backend: Box<dyn wb_comm::ErasedWindow>, site: CallSite) -> Result<Window<T>> {
        let recording = self.tracer.as_ref().map(|recorder| recorder.for_child(self.transport(), None));
        let (transport, stats) = (Rc::clone(self.transport()), Rc::clone(self.stats()));
        let observers = Observers { stats, tracer: recording, element_bytes: T::DATATYPE.size() };
        let handle = CheckedWindow::new(backend, transport, observers, site)?;
        self.stats().note_collective(site);
        // Other ranks' puts arrive without a call of this rank.
        self.stats().note_received();
        Ok(Window { handle, element: PhantomData })
    }
}

/// # Errors
/// Every verb: [`Error::Epoch`](crate::Error::Epoch) where a rule is violated, [`Error::Rank`](crate::Error::Rank),
/// [`Error::Range`](crate::Error::Range), and the errors of the backend.
#[allow(clippy::missing_errors_doc, reason = "said once for all")]
impl<T: Wire> Window<T> {
    /// This process's rank.
    pub fn rank(&self) -> Rank {
        self.handle.rank
    }

    /// The number of ranks.
    pub fn size(&self) -> usize {
        self.handle.size
    }

    /// The number of elements in the part of `rank`; 0 for a rank that does not exist.
    pub fn count(&self, rank: Rank) -> usize {
        self.handle.count(rank)
    }

    /// Sets the memory model for the check of local stores against others' puts (rule 8).
    pub fn assume(&self, model: MemoryModel) {
        self.handle.epochs().model = model;
    }

    /// Collective: ends the epoch of the last fence and opens the next (`MPI_Win_fence`).
    #[track_caller]
    pub fn fence(&self) -> Result<FenceEpoch<'_, T>> {
        self.fence_with(Assertion::default())
    }

    /// As [`fence`](Self::fence), with assertions.
    #[track_caller]
    pub fn fence_with(&self, assertion: Assertion) -> Result<FenceEpoch<'_, T>> {
        self.handle.fence(assertion, CallSite::caller(Verb::Fence))?;
        Ok(FenceEpoch { accesses: Accesses::new(self) })
    }

    /// Begins access to the parts of `targets`, each of which must post to this rank (`MPI_Win_start`). The wait for
    /// their posts may happen here or in any later call up to complete.
    #[track_caller]
    pub fn start(&self, targets: &[Rank]) -> Result<AccessEpoch<'_, T>> {
        self.start_with(targets, Assertion::default())
    }

    /// As [`start`](Self::start), with assertions.
    #[track_caller]
    pub fn start_with(&self, targets: &[Rank], assertion: Assertion) -> Result<AccessEpoch<'_, T>> {
        self.handle.start(targets, assertion, CallSite::caller(Verb::Start))?;
        Ok(AccessEpoch::new(self))
    }

    /// Exposes this rank's part to `origins`, each of which must start to this rank (`MPI_Win_post`). Never waits.
    #[track_caller]
    pub fn post(&self, origins: &[Rank]) -> Result<ExposureEpoch<'_, T>> {
        self.post_with(origins, Assertion::default())
    }

    /// As [`post`](Self::post), with assertions.
    #[track_caller]
    pub fn post_with(&self, origins: &[Rank], assertion: Assertion) -> Result<ExposureEpoch<'_, T>> {
        self.handle.post(origins, assertion, CallSite::caller(Verb::Post))?;
        Ok(ExposureEpoch::new(self))
    }

    /// Begins access to the part of `target`, which makes no call (`MPI_Win_lock`). The order of competing locks is
    /// undefined.
    #[track_caller]
    pub fn lock(&self, kind: LockKind, target: Rank) -> Result<LockEpoch<'_, T>> {
        self.lock_with(kind, target, Assertion::default())
    }

    /// As [`lock`](Self::lock), with assertions.
    #[track_caller]
    pub fn lock_with(&self, kind: LockKind, target: Rank, assertion: Assertion) -> Result<LockEpoch<'_, T>> {
        self.handle.lock(kind, target, assertion, CallSite::caller(Verb::Lock))?;
        Ok(LockEpoch::new(self, target))
    }

    /// Begins shared access to all parts (`MPI_Win_lock_all`).
    #[track_caller]
    pub fn lock_all(&self) -> Result<LockAllEpoch<'_, T>> {
        self.lock_all_with(Assertion::default())
    }

    /// As [`lock_all`](Self::lock_all), with assertions.
    #[track_caller]
    pub fn lock_all_with(&self, assertion: Assertion) -> Result<LockAllEpoch<'_, T>> {
        self.handle.lock_all(assertion, CallSite::caller(Verb::LockAll))?;
        Ok(LockAllEpoch::new(self))
    }

    /// Reads own elements from `at` on, as many as `into` has.
    #[track_caller]
    pub fn read(&self, at: usize, into: &mut [T]) -> Result<()> {
        self.handle.read(at, ViewMut::from_slice(into), CallSite::caller(Verb::WindowRead))
    }

    /// Reads all own elements.
    #[track_caller]
    pub fn read_all(&self) -> Result<Vec<T>> {
        let mut all = vec![T::default(); self.count(self.rank())];
        self.read(0, &mut all)?;
        Ok(all)
    }

    /// Sets own elements from `at` on.
    #[track_caller]
    pub fn write(&self, at: usize, from: &[T]) -> Result<()> {
        self.handle.write(at, View::from_slice(from), CallSite::caller(Verb::WindowWrite))
    }

    /// The parts of all ranks, contiguous in rank order, where the window is shared and `T` is `i64`; `None` in virtual
    /// time, where direct access would bypass the ranks' clocks. Accesses through this slice are not checked.
    pub fn shared(&self) -> Option<Ref<'_, [AtomicI64]>> {
        self.handle.shared()
    }

    /// MPI's verbs without guards.
    pub fn raw(&self) -> Raw<'_, T> {
        Raw { window: self, accesses: Accesses::new(self) }
    }

    /// Collective: frees the window (`MPI_Win_free`). If one rank may not free it, no rank does, and every rank gets an
    /// error.
    #[track_caller]
    pub fn free(self) -> Result<()> {
        self.handle.free(CallSite::caller(Verb::WindowFree))
    }
}
