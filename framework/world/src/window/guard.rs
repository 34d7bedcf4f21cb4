//! Epoch guards: a guard has the calls that its epoch allows, and ending the epoch consumes the guard.
//!
//! Dropping a guard makes no MPI call (see the [module above](super)). It only updates the rules' state, and the next
//! call is refused.
use std::ops::Deref;

use wb_comm::{Accumulation, Assertion, CallSite, Number, Rank, Result, Verb, Wire};

use super::{Accesses, Ticket, Window, epoch::DroppedEpoch};

/// The epoch between two fences: all ranks may access all parts.
#[must_use = "one-sided calls are made on the epoch"]
pub struct FenceEpoch<'w, T: Wire> {
    pub(super) accesses: Accesses<'w, T>,
}

impl<'w, T: Wire> Deref for FenceEpoch<'w, T> {
    type Target = Accesses<'w, T>;

    fn deref(&self) -> &Self::Target {
        &self.accesses
    }
}

impl<'w, T: Wire> FenceEpoch<'w, T> {
    /// Collective: ends this epoch and opens the next.
    ///
    /// # Errors
    /// As [`Window::fence`].
    #[track_caller]
    pub fn fence(self) -> Result<Self> {
        self.accesses.window().fence()
    }

    /// Collective: ends this epoch and opens none (`MPI_MODE_NOSUCCEED`).
    ///
    /// # Errors
    /// As [`Window::fence`].
    #[track_caller]
    pub fn end(self) -> Result<()> {
        let assertion = Assertion { no_succeed: true, ..Assertion::default() };
        self.accesses.window().handle.fence(assertion, CallSite::caller(Verb::Fence))
    }
}

/// The common part of all guards except the fence's: the window, and the kind of epoch to record on drop.
struct OpenEpoch<'w, T: Wire> {
    window: &'w Window<T>,
    kind: DroppedEpoch,
}

impl<'w, T: Wire> OpenEpoch<'w, T> {
    /// Takes the window out of the guard: the end of the epoch has been called, with whatever result.
    fn into_window(self) -> &'w Window<T> {
        let window = self.window;
        std::mem::forget(self);
        window
    }
}

impl<T: Wire> Drop for OpenEpoch<'_, T> {
    fn drop(&mut self) {
        self.window.handle.guard_dropped(self.kind);
    }
}

/// From start to complete: this rank may access the parts of the targets of start.
#[must_use = "an access epoch must be completed"]
pub struct AccessEpoch<'w, T: Wire> {
    open: OpenEpoch<'w, T>,
    accesses: Accesses<'w, T>,
}

impl<'w, T: Wire> AccessEpoch<'w, T> {
    pub(super) fn new(window: &'w Window<T>) -> Self {
        Self { open: OpenEpoch { window, kind: DroppedEpoch::Access }, accesses: Accesses::new(window) }
    }

    /// Ends the epoch: the calls are complete at the origin, not yet at their targets (`MPI_Win_complete`).
    ///
    /// # Errors
    /// The errors of the backend.
    #[track_caller]
    pub fn complete(self) -> Result<()> {
        self.open.into_window().handle.complete(CallSite::caller(Verb::Complete))
    }
}

impl<'w, T: Wire> Deref for AccessEpoch<'w, T> {
    type Target = Accesses<'w, T>;

    fn deref(&self) -> &Self::Target {
        &self.accesses
    }
}

/// From post to wait: the origins of post may access this rank's part.
#[must_use = "an exposure epoch must be waited for"]
pub struct ExposureEpoch<'w, T: Wire> {
    open: OpenEpoch<'w, T>,
}

impl<'w, T: Wire> ExposureEpoch<'w, T> {
    pub(super) fn new(window: &'w Window<T>) -> Self {
        Self { open: OpenEpoch { window, kind: DroppedEpoch::Exposure } }
    }

    /// Returns once every origin has completed: their puts are complete here (`MPI_Win_wait`).
    ///
    /// # Errors
    /// Rule 8, where two accesses of the epoch conflict; the errors of the backend.
    #[track_caller]
    pub fn wait(self) -> Result<()> {
        self.open.into_window().handle.wait(CallSite::caller(Verb::WindowWait))
    }

    /// As [`wait`](Self::wait), without waiting: returns the guard while the epoch is not over (`MPI_Win_test`).
    ///
    /// # Errors
    /// As [`wait`](Self::wait).
    #[track_caller]
    pub fn test(self) -> Result<Option<Self>> {
        let window = self.open.into_window();
        let complete = window.handle.test(CallSite::caller(Verb::WindowTest))?;
        Ok((!complete).then(|| Self::new(window)))
    }
}

/// From lock to unlock: this rank may access the part of one rank.
///
/// # Errors
/// Every call: as those of [`Accesses`].
#[must_use = "a lock must be given back"]
pub struct LockEpoch<'w, T: Wire> {
    open: OpenEpoch<'w, T>,
    accesses: Accesses<'w, T>,
    target: Rank,
}

#[allow(clippy::missing_errors_doc, reason = "said once for all")]
impl<'w, T: Wire> LockEpoch<'w, T> {
    pub(super) fn new(window: &'w Window<T>, target: Rank) -> Self {
        Self {
            open: OpenEpoch { window, kind: DroppedEpoch::Lock(target) },
            accesses: Accesses::new(window),
            target,
        }
    }

    /// See [`Accesses::put`].
    #[track_caller]
    pub fn put(&self, data: &[T], at: usize) -> Result<()> {
        self.accesses.put(data, self.target, at)
    }

    /// See [`Accesses::get`].
    #[track_caller]
    pub fn get(&self, count: usize, at: usize) -> Result<Ticket<T>> {
        self.accesses.get(count, self.target, at)
    }

    /// Completes the calls so far, at origin and target (`MPI_Win_flush`).
    #[track_caller]
    pub fn flush(&self) -> Result<()> {
        self.open.window.handle.flush(Some(self.target), CallSite::caller(Verb::Flush))
    }

    /// Completes the calls so far at the origin (`MPI_Win_flush_local`).
    #[track_caller]
    pub fn flush_local(&self) -> Result<()> {
        self.open.window.handle.flush_local(Some(self.target), CallSite::caller(Verb::FlushLocal))
    }

    /// Ends the epoch: the calls are complete at origin and target (`MPI_Win_unlock`).
    #[track_caller]
    pub fn unlock(self) -> Result<()> {
        self.open.into_window().handle.unlock(self.target, CallSite::caller(Verb::Unlock))
    }
}

#[allow(clippy::missing_errors_doc, reason = "said once for all")]
impl<T: Number> LockEpoch<'_, T> {
    /// See [`Accesses::accumulate`].
    #[track_caller]
    pub fn accumulate(&self, data: &[T], at: usize, op: impl Into<Accumulation>) -> Result<()> {
        self.accesses.accumulate(data, self.target, at, op)
    }

    /// See [`Accesses::get_accumulate`].
    #[track_caller]
    pub fn get_accumulate(&self, data: &[T], at: usize, op: impl Into<Accumulation>) -> Result<Ticket<T>> {
        self.accesses.get_accumulate(data, self.target, at, op)
    }

    /// See [`Accesses::fetch_and_op`].
    #[track_caller]
    pub fn fetch_and_op(&self, value: T, at: usize, op: impl Into<Accumulation>) -> Result<Ticket<T>> {
        self.accesses.fetch_and_op(value, self.target, at, op)
    }

    /// See [`Accesses::compare_and_swap`].
    #[track_caller]
    pub fn compare_and_swap(&self, expected: T, value: T, at: usize) -> Result<Ticket<T>> {
        self.accesses.compare_and_swap(expected, value, self.target, at)
    }
}

/// From `lock_all` to `unlock_all`: this rank may access all parts; other ranks may hold such an epoch at the same
/// time.
///
/// # Errors
/// Every call: as those of [`Accesses`].
#[must_use = "a lock must be given back"]
pub struct LockAllEpoch<'w, T: Wire> {
    open: OpenEpoch<'w, T>,
    accesses: Accesses<'w, T>,
}

#[allow(clippy::missing_errors_doc, reason = "said once for all")]
impl<'w, T: Wire> LockAllEpoch<'w, T> {
    pub(super) fn new(window: &'w Window<T>) -> Self {
        // The epoch has no single target: 0 represents all ranks.
        Self { open: OpenEpoch { window, kind: DroppedEpoch::Lock(0) }, accesses: Accesses::new(window) }
    }

    /// Completes the calls to `target` so far, at origin and target (`MPI_Win_flush`).
    #[track_caller]
    pub fn flush(&self, target: Rank) -> Result<()> {
        self.open.window.handle.flush(Some(target), CallSite::caller(Verb::Flush))
    }

    /// Completes all calls so far, at origin and target (`MPI_Win_flush_all`).
    #[track_caller]
    pub fn flush_all(&self) -> Result<()> {
        self.open.window.handle.flush(None, CallSite::caller(Verb::Flush))
    }

    /// Completes the calls to `target` so far at the origin (`MPI_Win_flush_local`).
    #[track_caller]
    pub fn flush_local(&self, target: Rank) -> Result<()> {
        self.open.window.handle.flush_local(Some(target), CallSite::caller(Verb::FlushLocal))
    }

    /// Makes other ranks' puts visible to own loads, and own stores visible to other ranks (`MPI_Win_sync`).
    #[track_caller]
    pub fn sync(&self) -> Result<()> {
        self.open.window.handle.sync(CallSite::caller(Verb::WindowSync))
    }

    /// Ends the epoch: the calls are complete at origin and target (`MPI_Win_unlock_all`).
    #[track_caller]
    pub fn unlock_all(self) -> Result<()> {
        self.open.into_window().handle.unlock_all(CallSite::caller(Verb::UnlockAll))
    }
}

impl<'w, T: Wire> Deref for LockAllEpoch<'w, T> {
    type Target = Accesses<'w, T>;

    fn deref(&self) -> &Self::Target {
        &self.accesses
    }
}
