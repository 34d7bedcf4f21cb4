//! A test that ends its test program is an error, and so is a failure that libtest does not count.
//!
//! `std::process::exit(0)` in a test ends the program before libtest counts the results, and cargo takes the code 0 for success. libtest
//! runs tests on threads of their own and ends the program on the main thread. So an exit on another thread is one that a test has called.
//! `#[should_panic]` takes any panic for the right one, also that of a test with a report.

use std::{
    io::{self, Write},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use wb_messages::{Lang, program as text};

/// The exit code of libtest when a test has failed.
const EXIT_FAILED: i32 = 101;

/// The number of the main thread; 0 while exits are not watched.
static MAIN_THREAD: AtomicUsize = AtomicUsize::new(0);

/// Whether another part of the program reports exits.
static PERMITTED: AtomicBool = AtomicBool::new(false);

/// The reports of tests that failed.
static FAILURES: Mutex<String> = Mutex::new(String::new());

#[cfg(target_env = "gnu")]
unsafe extern "C" {
    fn on_exit(hook: extern "C" fn(libc::c_int, usize), argument: usize) -> libc::c_int;
}

/// A test has failed with this report: the process does not end with success, and shows the report if libtest has not.
pub fn fail_at_exit(report: &str) {
    FAILURES.lock().unwrap_or_else(PoisonError::into_inner).push_str(report);
}

/// Called on the main thread before `main`: from now on an exit on another thread ends this process with code 101 and a message. It is
/// not one of [`crate::at_exit`], whose order among the exit hooks of libraries depends on its first call.
pub(crate) fn refuse() -> io::Result<()> {
    MAIN_THREAD.store(this_thread(), Ordering::SeqCst);
    #[cfg(target_env = "gnu")]
    // SAFETY: `check_failures` is a function of this program, valid until the process is gone, and ignores its argument.
    let _refused = unsafe { on_exit(check_failures, 0) };
    // SAFETY: `check` is a function of this program, valid until the process is gone, and takes no argument.
    match unsafe { libc::atexit(check) } {
        0 => Ok(()),
        _ => Err(io::Error::other("the C library refused an exit hook")),
    }
}

/// Exits on other threads are permitted from now on: for a process of a job, whose own hooks report them.
pub fn permit_exit_in_tests() {
    PERMITTED.store(true, Ordering::SeqCst);
}

/// An exit hook: it runs last, since it was the first to be registered. A panic aborts the process: unwinding cannot enter C.
extern "C" fn check() {
    let is_end = this_thread() == MAIN_THREAD.load(Ordering::SeqCst);
    if is_end || PERMITTED.load(Ordering::SeqCst) || crate::is_interrupted() {
        return;
    }
    let thread = std::thread::current();
    let line = text::exit_in_test(Lang::from_environment(), thread.name().unwrap_or("?"));
    let _nowhere_to_say = writeln!(crate::rank_output::real_stderr(), "{line}");
    crate::exit_now(EXIT_FAILED)
}

/// An exit hook that gets the exit code.
#[cfg(target_env = "gnu")]
extern "C" fn check_failures(code: libc::c_int, _: usize) {
    let failures = FAILURES.lock().unwrap_or_else(PoisonError::into_inner);
    if code == 0 && !failures.is_empty() {
        let report = text::hidden_failure(Lang::from_environment(), &*failures);
        let _nowhere_to_say = writeln!(crate::rank_output::real_stderr(), "{report}");
        crate::exit_now(EXIT_FAILED)
    }
}

#[allow(clippy::unnecessary_cast)] // Its type depends on the system.
fn this_thread() -> usize {
    // SAFETY: it only returns the identifier of the calling thread.
    unsafe { libc::pthread_self() as usize }
}
