//! Coroutines: each rank has its own stack, and one of them runs at a time.
//!
//! The only file with `unsafe`: a coroutine's yielder is lent to its code while the coroutine runs. A verb that
//! suspends the rank, or runs a part on the host stack, reaches the yielder by a pointer.
#![allow(unsafe_code, reason = "the handle of the running coroutine; see the SAFETY lines")]
use std::{cell::Cell, io, ptr, rc::Rc};

use corosensei::{Coroutine, Yielder, stack::DefaultStack};
use wb_comm::{Rank, current_rank};

/// The most address space of all stacks together; a rank touches only a few pages of its own.
const ALL_STACKS_BYTES: usize = 16 << 30;

/// The largest stack of a rank.
const STACK_BYTES_MAX: usize = 2 << 20;

/// The smallest stack of a rank.
const STACK_BYTES_MIN: usize = 64 << 10;

/// A rank's code on its own stack.
pub(crate) type RankCoroutine = Coroutine<(), (), ()>;

/// Resumes and suspends the coroutines of the ranks.
#[derive(Debug)]
pub(crate) struct CoroutineExecutor {
    running: Cell<Option<Rank>>,
    /// The yielder of each rank's coroutine, until that ends.
    yielders: Box<[Cell<*const Yielder<(), ()>>]>,
    /// Whether the running rank uses the host stack.
    is_on_host_stack: Cell<bool>,
}

impl CoroutineExecutor {
    /// An executor for `size` ranks, none of which runs.
    pub(crate) fn new(size: usize) -> Self {
        let handles = vec![Cell::new(ptr::null()); size].into();
        Self { running: Cell::new(None), yielders: handles, is_on_host_stack: Cell::new(false) }
    }

    /// Creates the coroutine of `rank` without running it.
    ///
    /// # Errors
    /// When the system has no memory for the stack.
    pub(crate) fn spawn(
        self: &Rc<Self>,
        rank: Rank,
        body: impl FnOnce() + 'static,
    ) -> io::Result<RankCoroutine> {
        let bytes = (ALL_STACKS_BYTES / self.yielders.len()).clamp(STACK_BYTES_MIN, STACK_BYTES_MAX);
        let stack = DefaultStack::new(bytes)?;
        let executor = Rc::clone(self);
        Ok(Coroutine::with_stack(stack, move |handle, ()| {
            executor.yielders[rank].set(handle);
            let guard = YielderGuard { executor, rank };
            body();
            drop(guard);
        }))
    }

    /// Resumes `rank` and returns when it suspends or ends; `true` if it has ended.
    pub(crate) fn resume(&self, rank: Rank, run: &mut RankCoroutine) -> bool {
        self.running.set(Some(rank));
        let ended = current_rank::run_as(rank, || run.resume(()).as_return().is_some());
        self.running.set(None);
        ended
    }

    /// Suspends `rank`, which runs, and returns when it is resumed.
    pub(crate) fn suspend(&self, rank: Rank) {
        assert_eq!(self.running.get(), Some(rank), "a verb of rank {rank} is called by the code of another");
        assert!(!self.is_on_host_stack.get(), "who runs aside comes back before it gives the baton away");
        let handle = self.yielders[rank].get();
        assert!(!handle.is_null(), "rank {rank} runs, so its handle is lent");
        // SAFETY: the yielder was lent by the coroutine of `rank`, which has not ended (the pointer would be null) and
        // which runs (checked above), so the reference behind it is alive and is used on its own stack.
        unsafe { &*handle }.suspend(());
    }

    /// Runs a part of the running rank's code on the host stack, which all ranks use: it stays in the processor's
    /// caches, while each rank's own stack is cold when the rank is resumed. The part must not suspend the rank.
    pub(crate) fn on_host_stack<R>(&self, part: impl FnOnce() -> R) -> R {
        let handle = self.running.get().map_or(ptr::null(), |holder| self.yielders[holder].get());
        if handle.is_null() || self.is_on_host_stack.replace(true) {
            return part();
        }
        let here = SameThread(part);
        let back = HostStackGuard(&self.is_on_host_stack);
        // SAFETY: as in `suspend`; the part cannot suspend the rank, since `suspend` checks `is_on_host_stack`, so it
        // returns to the rank's own stack before that continues.
        let value = unsafe { &*handle }.on_parent_stack(move || here.run());
        drop(back);
        value
    }
}

/// A part of a rank's code that runs on another stack of the same thread.
struct SameThread<F>(F);

// SAFETY: it does not leave its thread. `on_parent_stack` requires `Send` so that no yielder is used on a stack that
// is not its own, which `CoroutineExecutor::suspend` refuses while a part runs on the host stack.
unsafe impl<F> Send for SameThread<F> {}

impl<F: FnOnce() -> R, R> SameThread<F> {
    fn run(self) -> R {
        (self.0)()
    }
}

/// Marks the end of the part on the host stack when it is dropped, also by a panic.
struct HostStackGuard<'b>(&'b Cell<bool>);

impl Drop for HostStackGuard<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

/// Clears the yielder of a rank's coroutine when it is dropped, also when the stack is unwound before its end.
struct YielderGuard {
    executor: Rc<CoroutineExecutor>,
    rank: Rank,
}

impl Drop for YielderGuard {
    fn drop(&mut self) {
        self.executor.yielders[self.rank].set(ptr::null());
    }
}
