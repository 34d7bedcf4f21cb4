//! Notices between the members of a window.
use wb_comm::LockKind;

use crate::fabric::rma::locks::LockScope;

/// A notice that a member of a window receives from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RmaNotice {
    /// The sender has posted to the receiver.
    Post,
    /// The sender has completed its access.
    Complete,
    /// The sender requests a lock from the receiver.
    LockRequest(LockScope, LockKind),
    /// The receiver has the lock.
    LockGranted(LockScope),
    /// The sender releases a lock.
    Unlock(LockScope),
}
