//! MPI's verbs without guards, so that a program can contain every illegal order; the rules refuse it at run time.
use std::ops::Deref;

use wb_comm::{Assertion, CallSite, LockKind, Rank, Result, Verb, Wire};

use super::{Accesses, Window};

/// The verbs without guards; put, get and the other accesses are those of [`Accesses`].
///
/// # Errors
/// Every verb: [`Error::Epoch`](crate::Error::Epoch) where a rule is violated, and the errors of the backend.
pub struct Raw<'w, T: Wire> {
    pub(super) window: &'w Window<T>,
    pub(super) accesses: Accesses<'w, T>,
}

impl<'w, T: Wire> Deref for Raw<'w, T> {
    type Target = Accesses<'w, T>;

    fn deref(&self) -> &Self::Target {
        &self.accesses
    }
}

#[allow(clippy::missing_errors_doc, reason = "said once for all")]
impl<T: Wire> Raw<'_, T> {
    /// `MPI_Win_fence`.
    #[track_caller]
    pub fn fence(&self, assertion: Assertion) -> Result<()> {
        self.window.handle.fence(assertion, CallSite::caller(Verb::Fence))
    }

    /// `MPI_Win_post`.
    #[track_caller]
    pub fn post(&self, origins: &[Rank], assertion: Assertion) -> Result<()> {
        self.window.handle.post(origins, assertion, CallSite::caller(Verb::Post))
    }

    /// `MPI_Win_start`.
    #[track_caller]
    pub fn start(&self, targets: &[Rank], assertion: Assertion) -> Result<()> {
        self.window.handle.start(targets, assertion, CallSite::caller(Verb::Start))
    }

    /// `MPI_Win_complete`.
    #[track_caller]
    pub fn complete(&self) -> Result<()> {
        self.window.handle.complete(CallSite::caller(Verb::Complete))
    }

    /// `MPI_Win_wait`.
    #[track_caller]
    pub fn wait(&self) -> Result<()> {
        self.window.handle.wait(CallSite::caller(Verb::WindowWait))
    }

    /// `MPI_Win_test`.
    #[track_caller]
    pub fn test(&self) -> Result<bool> {
        self.window.handle.test(CallSite::caller(Verb::WindowTest))
    }

    /// `MPI_Win_lock`.
    #[track_caller]
    pub fn lock(&self, kind: LockKind, target: Rank, assertion: Assertion) -> Result<()> {
        self.window.handle.lock(kind, target, assertion, CallSite::caller(Verb::Lock))
    }

    /// `MPI_Win_unlock`.
    #[track_caller]
    pub fn unlock(&self, target: Rank) -> Result<()> {
        self.window.handle.unlock(target, CallSite::caller(Verb::Unlock))
    }

    /// `MPI_Win_lock_all`.
    #[track_caller]
    pub fn lock_all(&self, assertion: Assertion) -> Result<()> {
        self.window.handle.lock_all(assertion, CallSite::caller(Verb::LockAll))
    }

    /// `MPI_Win_unlock_all`.
    #[track_caller]
    pub fn unlock_all(&self) -> Result<()> {
        self.window.handle.unlock_all(CallSite::caller(Verb::UnlockAll))
    }

    /// `MPI_Win_flush`, or `MPI_Win_flush_all` for `None`.
    #[track_caller]
    pub fn flush(&self, target: Option<Rank>) -> Result<()> {
        self.window.handle.flush(target, CallSite::caller(Verb::Flush))
    }

    /// `MPI_Win_flush_local`, or `MPI_Win_flush_local_all` for `None`.
    #[track_caller]
    pub fn flush_local(&self, target: Option<Rank>) -> Result<()> {
        self.window.handle.flush_local(target, CallSite::caller(Verb::FlushLocal))
    }

    /// `MPI_Win_sync`.
    #[track_caller]
    pub fn sync(&self) -> Result<()> {
        self.window.handle.sync(CallSite::caller(Verb::WindowSync))
    }

    /// `MPI_Win_free`: a refused call leaves the window unchanged.
    #[track_caller]
    pub fn free(&self) -> Result<()> {
        self.window.handle.free(CallSite::caller(Verb::WindowFree))
    }
}
