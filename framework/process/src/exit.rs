//! Ways out of a process.

use std::sync::Mutex;

/// Ends this process immediately with `code`: no destructor, no exit hook, no flush. A watchdog calls it when a thread is
/// stuck inside a library whose exit hooks would wait for it.
pub fn exit_now(code: i32) -> ! {
    // SAFETY: `_exit` may be called from any thread at any time; it touches no memory of ours and does not return.
    unsafe { libc::_exit(code) }
}

/// Makes a write to a closed pipe end this process silently, as it does every Unix tool, and not with a panic: for the
/// command-line tool in front of `| head`.
pub fn end_on_broken_pipe() {
    // SAFETY: setting the default action installs no function of ours and may be done at any time.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
}

/// The hooks of [`at_exit`], in order of registration.
static HOOKS: Mutex<Vec<fn()>> = Mutex::new(Vec::new());

/// Calls `hook` when this process exits in an orderly way (return from `main`, `std::process::exit`), later hooks
/// first. A process that has started a [`Job`](crate::Job) also calls it when it dies of Ctrl-C, SIGTERM or SIGHUP, on
/// another thread and after its jobs have ended.
///
/// # Panics
/// When the C library refuses one more exit hook (it permits at least 32, and we use one).
pub fn at_exit(hook: fn()) {
    let mut hooks = HOOKS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if hooks.is_empty() {
        // SAFETY: `run_hooks` is a function of this program, valid until the process is gone, and takes no argument.
        let refused = unsafe { libc::atexit(run_hooks) };
        assert!(refused == 0, "the C library refused an exit hook");
    }
    hooks.push(hook);
}

/// Runs the hooks, last registered first. A hook that panics aborts the process: unwinding cannot enter C.
pub(crate) extern "C" fn run_hooks() {
    loop {
        let hook = HOOKS.lock().unwrap_or_else(std::sync::PoisonError::into_inner).pop();
        match hook {
            Some(hook) => hook(),
            None => return,
        }
    }
}
