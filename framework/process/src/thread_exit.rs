//! Detects threads that do not end after their work.
//!
//! After its last statement a thread still runs the destructors of its thread-local values, and after `main` the process runs
//! its exit hooks. A thread that computes there for [`MAX_CPU_TIME`] or waits there for [`MAX_BLOCKED_TIME`] is reported. What
//! counts first is processor time: a thread that gets no processor is not reported, however long it takes.

use std::{
    io,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use crate::stack::{StackSample, Thread};

/// The processor time that a thread may use to end.
pub const MAX_CPU_TIME: Duration = Duration::from_secs(1);

/// The longest time that a thread may sleep or wait for a lock before it ends.
pub const MAX_BLOCKED_TIME: Duration = Duration::from_secs(10);

/// The longest pause between two checks.
const MAX_POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Whether the exit hook of [`register_exit_hook`] has run.
static EXIT_HOOKS_RAN: AtomicBool = AtomicBool::new(false);

/// A thread that does not end, and its stack, where it could be sampled.
#[derive(Debug)]
pub struct RunningThread {
    /// The thread.
    pub thread: Thread,
    /// The stack of the thread.
    pub sample: Option<StackSample>,
}

/// Waits until all `threads` have ended.
///
/// # Errors
/// With the first thread that does not end. It is still running.
pub fn wait_for_threads(threads: impl IntoIterator<Item = Thread>) -> Result<(), RunningThread> {
    let since = Instant::now();
    let running = |thread: Thread| Some((thread, thread.processor_time()?));
    let mut left: Vec<_> = threads.into_iter().filter_map(running).collect();
    left.dedup_by_key(|(thread, _)| *thread);
    let mut pause = Duration::from_micros(50);
    loop {
        left.retain(|(thread, _)| thread.processor_time().is_some());
        if left.is_empty() {
            return Ok(());
        }
        let stuck = left.iter().find(|(thread, before)| {
            let waits = since.elapsed() >= MAX_BLOCKED_TIME && thread.is_asleep();
            waits || has_exceeded_cpu_time(*thread, *before)
        });
        if let Some((thread, _)) = stuck {
            return Err(RunningThread { thread: *thread, sample: thread.sample() });
        }
        thread::sleep(pause);
        pause = (pause * 2).min(MAX_POLL_INTERVAL);
    }
}

fn has_exceeded_cpu_time(thread: Thread, before: Duration) -> bool {
    thread.processor_time().is_some_and(|now| now.saturating_sub(before) >= MAX_CPU_TIME)
}

/// Lets [`watch_thread`] know when this process has run the exit hooks that are registered after this call. Those that are
/// registered before it, a library's exit hook among them, may take any time.
///
/// # Errors
/// When the C library has no room for one more exit hook.
pub fn register_exit_hook() -> io::Result<()> {
    extern "C" fn mark() {
        EXIT_HOOKS_RAN.store(true, Ordering::SeqCst);
    }
    // SAFETY: `mark` is a function of this program, valid until the process is gone, and takes no argument.
    match unsafe { libc::atexit(mark) } {
        0 => Ok(()),
        _ => Err(io::Error::other("the C library refused an exit hook")),
    }
}

/// Watches the calling thread once it ends, and after it the main thread: `unended` is called on a thread of its own when one
/// of them does not end. `is_over` returns true when the main thread has other work again.
///
/// Thread-local values that are made after this call are dropped before the watch begins.
pub fn watch_thread(
    is_over: impl Fn() -> bool + Send + 'static,
    unended: impl FnOnce(RunningThread) + Send + 'static,
) {
    let Some(calling) = Thread::current() else { return };
    on_thread_end(move || {
        let watch = move || {
            if let Err(found) = wait_for_threads([calling]).and_then(|()| wait_for_exit(is_over)) {
                unended(found);
            }
        };
        // Without a watch the job's own limit still holds.
        let _unwatched = thread::Builder::new().name("wb-ending".to_owned()).spawn(watch);
    });
}

/// Watches the main thread on its way out of the process, as [`watch_thread`] does.
pub fn watch_exit(unended: impl FnOnce(RunningThread) + Send + 'static) {
    let watch = move || {
        if let Err(found) = wait_for_exit(|| false) {
            unended(found);
        }
    };
    let _unwatched = thread::Builder::new().name("wb-ending".to_owned()).spawn(watch);
}

/// Waits until this process has run its exit hooks, or `is_over`. Only computing is reported: the main thread waits for
/// others as long as they run.
fn wait_for_exit(is_over: impl Fn() -> bool) -> Result<(), RunningThread> {
    let Some(main) = Thread::main() else { return Ok(()) };
    let Some(before) = main.processor_time() else { return Ok(()) };
    while !EXIT_HOOKS_RAN.load(Ordering::SeqCst) && !is_over() {
        if has_exceeded_cpu_time(main, before) {
            return Err(RunningThread { thread: main, sample: main.sample() });
        }
        thread::sleep(MAX_POLL_INTERVAL);
    }
    Ok(())
}

/// Calls `hook` when the calling thread ends, before the destructors of the thread-local values that exist by now.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn on_thread_end(hook: impl FnOnce() + 'static) {
    use std::ffi::{c_int, c_void};
    type Hook = Box<dyn FnOnce()>;
    unsafe extern "C" {
        fn __cxa_thread_atexit_impl(
            run: extern "C" fn(*mut c_void),
            argument: *mut c_void,
            object: *mut c_void,
        ) -> c_int;
    }
    extern "C" fn run(hook: *mut c_void) {
        // SAFETY: the pointer is that of `Box::into_raw` below, and the C library calls this once with it.
        let hook = unsafe { Box::from_raw(hook.cast::<Hook>()) };
        hook();
    }
    let hook: Box<Hook> = Box::new(Box::new(hook));
    let object = run as extern "C" fn(*mut c_void) as *mut c_void;
    // SAFETY: `run` has the signature that is called; `object` is an address in the program that contains `run`; the hook
    // stays allocated until `run` takes it.
    let refused = unsafe { __cxa_thread_atexit_impl(run, Box::into_raw(hook).cast(), object) };
    debug_assert_eq!(refused, 0, "the C library has memory for a hook");
}

/// Other C libraries have no such hook, and there nothing is watched.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn on_thread_end(_: impl FnOnce() + 'static) {}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::{cell::Cell, sync::mpsc};

    use super::*;

    /// A thread-local value whose destructor takes this much processor time, or sleeps so long.
    struct Drops(Cell<(Duration, Duration)>);

    impl Drop for Drops {
        fn drop(&mut self) {
            let (computes, sleeps) = self.0.get();
            thread::sleep(sleeps);
            let this = Thread::current().expect("Linux has threads");
            let used = || this.processor_time().expect("it runs");
            let before = used();
            while used() - before < computes {}
        }
    }

    thread_local! {
        static DROPS: Drops = const { Drops(Cell::new((Duration::ZERO, Duration::ZERO))) };
    }

    fn with_destructor(computes: Duration, sleeps: Duration) -> Thread {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            DROPS.with(|drops| drops.0.set((computes, sleeps)));
            sender.send(Thread::current().expect("Linux has threads")).expect("the receiver is open");
        });
        receiver.recv().expect("it has started")
    }

    #[test]
    fn a_thread_that_computes_in_a_destructor_is_reported_and_one_that_ends_is_not() {
        let second = Duration::from_secs(1);
        let brief = with_destructor(second / 20, second / 10);
        let asleep = with_destructor(second / 50, second * 6 / 5);
        let since = Instant::now();
        wait_for_threads([brief, asleep]).expect("both end");
        assert!(since.elapsed() >= second, "it was waited for");
        let endless = with_destructor(second * 3 / 2, Duration::ZERO);
        let found = wait_for_threads([endless]).expect_err("it takes longer than a second");
        assert_eq!(found.thread, endless);
        assert!(found.sample.is_some());
    }

    #[test]
    #[cfg(target_env = "gnu")]
    fn the_watch_begins_when_the_thread_ends() {
        let (sender, receiver) = mpsc::channel();
        let work = move || {
            DROPS.with(|drops| drops.0.set((Duration::from_millis(1500), Duration::ZERO)));
            watch_thread(
                || true,
                move |found| sender.send((found.thread, Instant::now())).expect("the receiver is open"),
            );
            let this = Thread::current().expect("Linux has threads");
            while this.processor_time().expect("it runs") < MAX_CPU_TIME {}
            (this, Instant::now())
        };
        let started = thread::spawn(work);
        let (thread, at) = receiver.recv().expect("its destructor does not end");
        let (expected, worked_until) = started.join().expect("it ends later");
        assert_eq!(thread, expected);
        assert!(at - worked_until >= MAX_CPU_TIME, "its work does not count");
    }
}
