//! Loom's atomic as an [`AtomicWord`], with the orderings that are to be checked.
use std::{cell::Cell, marker::PhantomData};

use loom::{
    sync::atomic::{AtomicI64, Ordering, fence},
    thread,
};
use wb_comm::cells::{AtomicWord, Orderings};

thread_local! {
    /// How many more polls without success an execution may have before its continuations are no longer varied. Loom runs its
    /// threads on one real thread, so this counts those of all ranks.
    pub(crate) static FRUITLESS_POLLS: Cell<usize> = const { Cell::new(usize::MAX) };
}

pub(crate) struct Atomic<O>(AtomicI64, PhantomData<O>);

impl<O> Atomic<O> {
    pub(crate) fn new(value: i64) -> Self {
        Self(AtomicI64::new(value), PhantomData)
    }
}

impl<O: Orderings> AtomicWord for Atomic<O> {
    type Orderings = O;

    fn load(&self, ordering: Ordering) -> i64 {
        self.0.load(ordering)
    }
    fn store(&self, value: i64, ordering: Ordering) {
        self.0.store(value, ordering);
    }
    fn fetch_add(&self, by: i64, ordering: Ordering) -> i64 {
        self.0.fetch_add(by, ordering)
    }
    fn swap(&self, value: i64, ordering: Ordering) -> i64 {
        self.0.swap(value, ordering)
    }
    fn compare_swap(&self, expected: i64, value: i64, ordering: Ordering, failure: Ordering) -> i64 {
        self.0.compare_exchange(expected, value, ordering, failure).unwrap_or_else(|found| found)
    }
    fn spin_hint() {
        thread::yield_now();
    }
    fn yield_core() {
        FRUITLESS_POLLS.with(|polls| {
            polls.set(polls.get().saturating_sub(1));
            if polls.get() == 0 {
                loom::skip_branch();
            }
        });
        thread::yield_now();
    }
    fn fence(ordering: Ordering) {
        fence(ordering);
    }
}
