//! Wakes a rank that waits.
use std::sync::{
    Condvar,
    atomic::{AtomicBool, Ordering},
};

/// Wakes one rank.
#[derive(Debug, Default)]
pub(crate) struct Waker {
    pub(crate) is_notified: AtomicBool,
    pub(crate) condvar: Condvar,
}

impl Waker {
    /// Wakes the rank; call it while the state is locked.
    pub(crate) fn notify(&self) {
        self.is_notified.store(true, Ordering::Release);
        self.condvar.notify_one();
    }
}
