//! One stack a rank, and the baton that goes from stack to stack: only who holds it runs.
//!
//! The only file with `unsafe`: a coroutine's handle for giving the baton back is lent to its own code for as long as that
//! runs, and the code that gives it back, or goes aside for a while, deep inside a verb, gets at it by a pointer.
#![allow(unsafe_code, reason = "the handle of the running coroutine; see the SAFETY lines")]
use std::{cell::Cell, io, ptr, rc::Rc};

use corosensei::{Coroutine, Yielder, stack::DefaultStack};
use wb_comm::{Rank, current_rank};

/// All stacks together may take so much address space; a rank touches a few pages of its own.
const ALL_STACKS_BYTES: usize = 16 << 30;

/// A rank's stack has at most this much...
const STACK_BYTES_MAX: usize = 2 << 20;

/// ... and at least this much.
const STACK_BYTES_MIN: usize = 64 << 10;

/// A rank's code on a stack of its own.
pub(crate) type RankCoroutine = Coroutine<(), (), ()>;

/// Who runs, and how it gives the baton back.
#[derive(Debug)]
pub(crate) struct CoroutineExecutor {
    running: Cell<Option<Rank>>,
    /// By rank: the handle of its coroutine while that has not come to its end.
    yielders: Box<[Cell<*const Yielder<(), ()>>]>,
    /// Does the holder run on the stack of who handed it the baton?
    is_on_host_stack: Cell<bool>,
}

impl CoroutineExecutor {
    /// For `size` ranks; nobody runs.
    pub(crate) fn new(size: usize) -> Self {
        let handles = vec![Cell::new(ptr::null()); size].into();
        Self { running: Cell::new(None), yielders: handles, is_on_host_stack: Cell::new(false) }
    }

    /// Sets the code of `rank` on a stack, without running it.
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
        let baton = Rc::clone(self);
        Ok(Coroutine::with_stack(stack, move |handle, ()| {
            baton.yielders[rank].set(handle);
            let lent = YielderGuard { executor: baton, rank };
            body();
            drop(lent);
        }))
    }

    /// Hands the baton to `rank` and returns when it gives it back, or has come to its end; tells whether it has.
    pub(crate) fn resume(&self, rank: Rank, run: &mut RankCoroutine) -> bool {
        self.running.set(Some(rank));
        let ended = current_rank::run_as(rank, || run.resume(()).as_return().is_some());
        self.running.set(None);
        ended
    }

    /// `rank`, which holds it, gives the baton back and returns when it has it again.
    pub(crate) fn suspend(&self, rank: Rank) {
        assert_eq!(self.running.get(), Some(rank), "a verb of rank {rank} is called by the code of another");
        assert!(!self.is_on_host_stack.get(), "who runs aside comes back before it gives the baton away");
        let handle = self.yielders[rank].get();
        assert!(!handle.is_null(), "rank {rank} runs, so its handle is lent");
        // SAFETY: the handle was lent by the coroutine of `rank`, which has not come to its end (it would be null) and which
        // is the one that runs (checked above), so the reference behind it is alive and is used on its own stack.
        unsafe { &*handle }.suspend(());
    }

    /// Runs a part of the holder's code on the stack of who handed it the baton, which all ranks use in turn: it stays in
    /// the processor's caches, while each rank's own stack is cold by its next turn. The part must not give the baton away.
    pub(crate) fn on_host_stack<R>(&self, part: impl FnOnce() -> R) -> R {
        let handle = self.running.get().map_or(ptr::null(), |holder| self.yielders[holder].get());
        if handle.is_null() || self.is_on_host_stack.replace(true) {
            return part();
        }
        let here = SameThread(part);
        let back = HostStackGuard(&self.is_on_host_stack);
        // SAFETY: as in `give`; the part cannot give the baton away, which `is_aside` is there to see, so it comes back to
        // the stack it left before that goes on.
        let brought = unsafe { &*handle }.on_parent_stack(move || here.run());
        drop(back);
        brought
    }
}

/// A part of a rank's code that goes aside, to another stack of the same thread.
struct SameThread<F>(F);

// SAFETY: it does not leave its thread. `on_parent_stack` asks for `Send` so that no handle of a coroutine is used on a stack
// that is not its own, which `CoroutineExecutor::suspend` refuses while a part runs aside.
unsafe impl<F> Send for SameThread<F> {}

impl<F: FnOnce() -> R, R> SameThread<F> {
    fn run(self) -> R {
        (self.0)()
    }
}

/// Nobody runs aside any more once this is dropped, also by a panic.
struct HostStackGuard<'b>(&'b Cell<bool>);

impl Drop for HostStackGuard<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

/// The handle of a rank's coroutine, for as long as it is lent: also when its stack is unwound before its end.
struct YielderGuard {
    executor: Rc<CoroutineExecutor>,
    rank: Rank,
}

impl Drop for YielderGuard {
    fn drop(&mut self) {
        self.executor.yielders[self.rank].set(ptr::null());
    }
}
