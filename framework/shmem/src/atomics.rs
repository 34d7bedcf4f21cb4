//! Atomic operations on single elements of symmetric arrays.
//!
//! They are atomic among each other; a put to the same element at the same time is not.
use wb_comm::{Accumulation, CallSite, Number, Operation, Rank, Verb, View};

use crate::{Result, Shmem, Symmetric};

#[allow(
    clippy::missing_errors_doc,
    reason = "all: as Shmem::put, and operations that the type does not have"
)]
impl Shmem {
    #[track_caller]
    fn fetch_element<T: Number>(
        &self,
        call: &'static str,
        array: Symmetric<T>,
        (at, pe): (usize, Rank),
        value: T,
        how: Accumulation,
    ) -> Result<T> {
        let site = CallSite::caller(Verb::GetAccumulate);
        let window = self.checked_window(call, array, (at, 1), pe)?;
        let fetched = window.fetch_and_op(pe, at, View::from_slice(&[value]), how, site)?;
        window.flush(Some(pe), site)?;
        Ok(fetched.take()?.view().slice().expect("the window's own type")[0])
    }

    #[track_caller]
    fn update_element<T: Number>(
        &self,
        call: &'static str,
        array: Symmetric<T>,
        (at, pe): (usize, Rank),
        value: T,
        how: Accumulation,
    ) -> Result<()> {
        let window = self.checked_window(call, array, (at, 1), pe)?;
        self.has_pending.set(true);
        Ok(window.accumulate(pe, at, View::from_slice(&[value]), how, CallSite::caller(Verb::Accumulate))?)
    }

    /// The value of an element of `pe` (`shmem_atomic_fetch`).
    #[track_caller]
    pub fn atomic_fetch<T: Number>(&self, array: Symmetric<T>, at: usize, pe: Rank) -> Result<T> {
        self.fetch_element("atomic_fetch", array, (at, pe), T::default(), Accumulation::Keep)
    }

    /// Sets an element of `pe`, some time later (`shmem_atomic_set`).
    #[track_caller]
    pub fn atomic_set<T: Number>(&self, array: Symmetric<T>, at: usize, value: T, pe: Rank) -> Result<()> {
        self.update_element("atomic_set", array, (at, pe), value, Accumulation::Replace)
    }

    /// Adds to an element of `pe`, some time later (`shmem_atomic_add`).
    #[track_caller]
    pub fn atomic_add<T: Number>(&self, array: Symmetric<T>, at: usize, value: T, pe: Rank) -> Result<()> {
        self.update_element("atomic_add", array, (at, pe), value, Accumulation::With(Operation::Sum))
    }

    /// Adds to an element of `pe` immediately and returns the former value (`shmem_atomic_fetch_add`).
    #[track_caller]
    pub fn atomic_fetch_add<T: Number>(
        &self,
        array: Symmetric<T>,
        at: usize,
        value: T,
        pe: Rank,
    ) -> Result<T> {
        self.fetch_element("atomic_fetch_add", array, (at, pe), value, Accumulation::With(Operation::Sum))
    }

    /// Sets an element of `pe` immediately and returns the former value (`shmem_atomic_swap`).
    #[track_caller]
    pub fn atomic_swap<T: Number>(&self, array: Symmetric<T>, at: usize, value: T, pe: Rank) -> Result<T> {
        self.fetch_element("atomic_swap", array, (at, pe), value, Accumulation::Replace)
    }

    /// Combines an element of `pe` with `value` immediately and returns the former value (`shmem_atomic_fetch_and`,
    /// `_or`, `_xor`; also `Min`, `Max` and `Prod`, which exist in MPI but not in OpenSHMEM).
    #[track_caller]
    pub fn atomic_fetch_op<T: Number>(
        &self,
        array: Symmetric<T>,
        at: usize,
        value: T,
        operation: Operation,
        pe: Rank,
    ) -> Result<T> {
        self.fetch_element("atomic_fetch_op", array, (at, pe), value, Accumulation::With(operation))
    }

    /// Sets an element of `pe` to `value` if it is `expected`, immediately, and returns the former value
    /// (`shmem_atomic_compare_swap`).
    #[track_caller]
    pub fn atomic_compare_swap<T: Number>(
        &self,
        array: Symmetric<T>,
        at: usize,
        expected: T,
        value: T,
        pe: Rank,
    ) -> Result<T> {
        let site = CallSite::caller(Verb::CompareAndSwap);
        let window = self.checked_window("atomic_compare_swap", array, (at, 1), pe)?;
        let fetched = window.compare_and_swap(
            pe,
            at,
            View::from_slice(&[expected]),
            View::from_slice(&[value]),
            site,
        )?;
        window.flush(Some(pe), site)?;
        Ok(fetched.take()?.view().slice().expect("the window's own type")[0])
    }
}
