//! What the members of a window report to each other.
use wb_comm::LockKind;

use crate::rma::locks::LockScope;

/// What a member of a window hears of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RmaNotice {
    /// It has posted to the one who hears it.
    Post,
    /// It has completed its access.
    Complete,
    /// It asks the one who hears it for a lock.
    LockRequest(LockScope, LockKind),
    /// The one who hears it has the lock.
    LockGranted(LockScope),
    /// It gives a lock back.
    Unlock(LockScope),
}
