//! The process groups of running jobs, and the signals that must reach them.
//!
//! A group of its own keeps a job together when it has to be killed, but takes it out of the terminal's foreground
//! group: Ctrl-C no longer reaches it. So when this process is asked to end, it first ends its groups.

use std::{
    io,
    sync::{
        Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process_group, test_kill_process_group, waitid,
};
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator::Signals,
};

/// The time between the request that a job ends (SIGTERM) and its kill (SIGKILL).
pub const TERMINATION_GRACE: Duration = Duration::from_secs(2);

/// The leaders of the groups that are running.
static RUNNING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// Whether a signal has asked this process to end.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether a signal ends this process (Ctrl-C, SIGTERM, SIGHUP). For [exit hooks](crate::at_exit), which then report that
/// their work is incomplete.
pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// The running groups. While the guard is held, no job starts and none is removed.
pub(crate) fn running() -> MutexGuard<'static, Vec<Pid>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sends `signal` to every process of the group of `leader`, which must not have been reaped yet. A group without
/// processes is not an error.
pub(crate) fn send_signal(leader: Pid, signal: Signal) {
    let _nobody_left = kill_process_group(leader, signal);
}

/// Waits until `leader` has ended, without reaping it: its identifier, and so its group's, stays ours.
pub(crate) fn wait_for_end(leader: Pid) {
    while let Err(rustix::io::Errno::INTR) =
        waitid(WaitId::Pid(leader), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)
    {}
}

/// Starts, once, the thread that ends all groups when this process gets SIGINT, SIGTERM or SIGHUP, calls the exit hooks,
/// and then lets it die of that signal as if nothing had been caught. Every [`Job`](crate::Job) does it; a program whose exit hooks must run
/// before its first job calls it itself.
///
/// # Errors
/// When the system refuses the handler or the thread.
pub fn handle_signals() -> io::Result<()> {
    static WATCH: OnceLock<Result<(), io::ErrorKind>> = OnceLock::new();
    WATCH.get_or_init(|| start_signal_thread().map_err(|error| error.kind())).map_err(io::Error::from)
}

fn start_signal_thread() -> io::Result<()> {
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
    let mut signals = Signals::new(wanted)?;
    let watch = move || {
        if let Some(signal) = signals.forever().next() {
            INTERRUPTED.store(true, Ordering::SeqCst);
            terminate_all(&mut signals);
            crate::exit::run_hooks();
            // This ends the process; if it should fail, the usual status of a process that died of a signal.
            let _failed = signal_hook::low_level::emulate_default_handler(signal);
            crate::exit_now(128 + signal);
        }
    };
    std::thread::Builder::new().name("wb-signals".into()).spawn(watch)?;
    Ok(())
}

/// Whether this process was started with `signal` ignored (`nohup`), as the user requested.
fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: a null new action only asks; the old one is written to `action`, which has its type and size.
    let asked = unsafe { libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) };
    // SAFETY: all-zero bytes are a valid `sigaction`, so `action` is initialised whether or not the call wrote to it.
    asked == 0 && unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
}

/// Asks every group to end, waits up to the grace until it is empty, and kills the rest. Never releases the guard, so that no
/// job starts and no waiting thread continues while this process is ending.
///
/// Waiting for the leaders is not enough: a cargo dies immediately, while the test program below it still ends its own
/// jobs, and a killed MPI launcher leaves its shared memory behind.
fn terminate_all(signals: &mut Signals) {
    let mut groups = running();
    groups.iter().for_each(|&leader| send_signal(leader, Signal::TERM));
    let deadline = Instant::now() + TERMINATION_GRACE;
    loop {
        groups.retain(|&leader| is_running(leader));
        if groups.is_empty() || Instant::now() >= deadline || signals.pending().next().is_some() {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    groups.iter().for_each(|&leader| send_signal(leader, Signal::KILL));
    std::mem::forget(groups);
}

/// Whether the group has a process that still runs. Its leader is reaped here, because as a zombie it would count; its
/// number stays the group's as long as a process is in it.
fn is_running(leader: Pid) -> bool {
    let _ended_or_not = waitid(WaitId::Pid(leader), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
    test_kill_process_group(leader).is_ok()
}
