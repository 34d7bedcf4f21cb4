//! Signals and waiting: elements of 64 bits that one PE changes and another waits for.
use wb_comm::{CallSite, Rank, Until, Verb, View, Wire, WordUpdate};

use crate::{Result, Shmem, Symmetric};

/// The effect of a signal on its element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalOp {
    /// The signal becomes the value (`SHMEM_SIGNAL_SET`).
    Set(i64),
    /// The value is added (`SHMEM_SIGNAL_ADD`).
    Add(i64),
}

impl Shmem {
    /// Puts `data` into the elements of `pe` from `at` on; once it has arrived, element `signal.1` of `signal.0`
    /// changes (`shmem_put_signal`). A PE that waits for the signal sees the data.
    ///
    /// # Errors
    /// See [`put`](Self::put), for both arrays.
    #[track_caller]
    pub fn put_signal<T: Wire>(
        &self,
        (array, at): (Symmetric<T>, usize),
        data: &[T],
        signal: (Symmetric<i64>, usize),
        how: SignalOp,
        pe: Rank,
    ) -> Result<()> {
        let site = CallSite::caller(Verb::Put);
        let flag = self.checked_window("put_signal", signal.0, (signal.1, 1), pe)?;
        let window = self.checked_window("put_signal", array, (at, data.len()), pe)?;
        window.put(pe, at, View::from_slice(data), site)?;
        window.flush(Some(pe), site)?;
        let becomes = match how {
            SignalOp::Set(value) => WordUpdate::Replace(value),
            SignalOp::Add(by) => WordUpdate::Add(by),
        };
        Ok(flag.fetch_and_update_word(pe, signal.1, becomes, site).map(drop)?)
    }

    /// Returns once an own element fulfils the condition (`shmem_wait_until`, `shmem_signal_wait_until`). Earlier puts
    /// of this PE complete meanwhile.
    ///
    /// # Errors
    /// See [`put`](Self::put); on threads [`wb_comm::Error::Deadlock`] when no PE will ever change it.
    #[track_caller]
    pub fn wait_until(&self, array: Symmetric<i64>, at: usize, until: Until) -> Result<()> {
        let site = CallSite::caller(Verb::WaitUntil);
        self.complete(site)?;
        let window = self.checked_window("wait_until", array, (at, 1), self.my_pe())?;
        Ok(window.wait_until(self.my_pe(), at, until, site)?)
    }

    /// Whether an own element fulfils the condition (`shmem_test`).
    ///
    /// # Errors
    /// See [`put`](Self::put).
    #[track_caller]
    pub fn test(&self, array: Symmetric<i64>, at: usize, until: Until) -> Result<bool> {
        let site = CallSite::caller(Verb::WaitUntil);
        self.complete(site)?;
        let window = self.checked_window("test", array, (at, 1), self.my_pe())?;
        let value = window.fetch_and_update_word(self.my_pe(), at, WordUpdate::Keep, site)?;
        // A PE that tests in a loop waits: it yields the core and lets the library make progress.
        window.sync(site)?;
        Ok(until.matches(value))
    }
}
