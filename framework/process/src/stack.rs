//! The stack of a thread of this process, sampled by another thread: whether it computes, and in which line of the user.
//!
//! The thread is interrupted by a signal whose handler records the return addresses of its stack, and continues. The
//! sampling thread looks up the [innermost line of the user](wb_comm::call_stack::innermost_user_frame) among them.
//!
//! Unwinding in a signal handler is for a thread that is about to be ended: it takes no lock on current systems (glibc 2.35
//! and later find unwind tables without one), but where it does, the interrupted thread can block for ever. The sampling
//! thread waits for a bounded time and then has no sample.

use std::{
    ffi::c_int,
    io, ptr,
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use wb_comm::{
    Rank,
    call_stack::{self, SourceLine, UserFrame},
    current_rank,
};

/// The longest that one sample may take: on a loaded machine a thread waits for a core before it handles the signal.
const SAMPLE_TIMEOUT: Duration = Duration::from_secs(2);

/// The time between the two samples of a thread.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(20);

/// Frames that are looked at: a deeper stack is cut off at its outer end.
const MAX_FRAMES: usize = 256;

const NO_RANK: usize = usize::MAX;

/// A signal that our code does not use otherwise and that does nothing where it is not handled.
const SIGNAL: c_int = libc::SIGURG;

/// A thread of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thread(libc::pid_t);

/// The activity of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Activity {
    /// The thread computed, in code outside the framework.
    Computing,
    /// The thread waited in the system: it slept, waited for a lock or read a file.
    Waiting,
    /// The thread was in code of the framework that the user's line had called, computing or waiting.
    InFramework,
}

/// The activity of a thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadActivity {
    /// The activity of the thread.
    pub activity: Activity,
    /// The innermost line of the user's on its stack.
    pub line: Option<SourceLine>,
}

/// The result of the handler: one sample at a time.
static FRAMES: [AtomicUsize; MAX_FRAMES] = [const { AtomicUsize::new(0) }; MAX_FRAMES];
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// The rank whose code ran, [`NO_RANK`] for none.
static RANK: AtomicUsize = AtomicUsize::new(NO_RANK);
static IS_DONE: AtomicBool = AtomicBool::new(false);

impl Thread {
    /// The calling thread; `None` where threads cannot be sampled.
    #[cfg(target_os = "linux")]
    pub fn current() -> Option<Self> {
        Some(Self(rustix::thread::gettid().as_raw_nonzero().get()))
    }

    /// The calling thread; `None` where threads cannot be sampled.
    #[cfg(not(target_os = "linux"))]
    pub fn current() -> Option<Self> {
        None
    }

    /// Samples the thread twice. `None` when it has ended, or its stack cannot be read.
    ///
    /// Not for the calling thread, and not for a thread that must continue in every case: see the module.
    pub fn sample(self) -> Option<StackSample> {
        static ONE: Mutex<()> = Mutex::new(());
        let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        let first = self.is_running()?;
        let frames = self.frames()?;
        thread::sleep(SAMPLE_INTERVAL);
        let is_running = first && self.is_running().unwrap_or(first);
        let rank = Some(RANK.load(Ordering::SeqCst)).filter(|rank| *rank != NO_RANK);
        Some(StackSample { frames, rank, is_running })
    }

    /// The main thread of this process; `None` where threads cannot be sampled.
    pub fn main() -> Option<Self> {
        let process = rustix::process::getpid().as_raw_nonzero().get();
        if cfg!(target_os = "linux") { Some(Self(process)) } else { None }
    }

    /// The fields of its status from the third on, its state.
    fn status(self) -> Option<String> {
        let stat = std::fs::read_to_string(format!("/proc/self/task/{}/stat", self.0)).ok()?;
        // The second field is the thread's name in parentheses and may contain anything.
        Some(stat.rsplit_once(')')?.1.trim_start().to_owned())
    }

    /// Whether it has a processor or waits for one; then it is not in a system call that blocks.
    fn is_running(self) -> Option<bool> {
        Some(self.status()?.starts_with('R'))
    }

    /// Whether it sleeps, or waits for something other than a processor.
    pub(crate) fn is_asleep(self) -> bool {
        self.status().is_some_and(|status| status.starts_with('S'))
    }

    /// The processor time that it has used; `None` when it has ended.
    pub(crate) fn processor_time(self) -> Option<Duration> {
        let status = self.status().filter(|status| !status.starts_with(['Z', 'X']))?;
        let ticks = |field: &str| field.parse::<u64>().ok();
        // Fields 14 and 15: in the program and in the kernel.
        let mut used = status.split_whitespace().skip(11).map_while(ticks);
        let ticks = used.next()? + used.next()?;
        // SAFETY: sysconf takes a number and touches no memory.
        let a_second = u64::try_from(unsafe { libc::sysconf(libc::_SC_CLK_TCK) })
            .ok()
            .filter(|&a_second| a_second > 0)?;
        Some(Duration::from_millis(ticks.saturating_mul(1000) / a_second))
    }

    /// The addresses on its stack, the innermost first.
    fn frames(self) -> Option<Vec<usize>> {
        install_handler().ok()?;
        IS_DONE.store(false, Ordering::SeqCst);
        send_sample_signal(self.0).ok()?;
        let start = Instant::now();
        while !IS_DONE.load(Ordering::SeqCst) {
            if start.elapsed() > SAMPLE_TIMEOUT {
                return None;
            }
            thread::sleep(Duration::from_millis(1));
        }
        let count = COUNT.load(Ordering::SeqCst);
        Some(FRAMES[..count].iter().map(|frame| frame.load(Ordering::SeqCst)).collect())
    }
}

/// A thread's stack, and whether the thread was running: sampled in an instant, symbolised later.
#[derive(Debug)]
pub struct StackSample {
    frames: Vec<usize>,
    rank: Option<Rank>,
    is_running: bool,
}

impl StackSample {
    /// The rank whose code the thread ran, if any.
    pub fn rank(&self) -> Option<Rank> {
        self.rank
    }

    /// The activity of the thread. Reads the debug information of the program, which may take a second.
    pub fn activity(&self) -> ThreadActivity {
        let UserFrame { line, is_in_framework: calls_framework } =
            call_stack::innermost_user_frame(&self.frames, file!());
        let activity = match (calls_framework, self.is_running) {
            (true, _) => Activity::InFramework,
            (false, true) => Activity::Computing,
            (false, false) => Activity::Waiting,
        };
        ThreadActivity { activity, line }
    }
}

/// Installs the handler, once.
fn install_handler() -> io::Result<()> {
    static INSTALLED: OnceLock<Result<(), io::ErrorKind>> = OnceLock::new();
    let install = || set_signal_handler(SIGNAL, record_frames).map_err(|error| error.kind());
    INSTALLED.get_or_init(install).map_err(io::Error::from)
}

/// Installs `handler` for `signal` on every thread.
pub(crate) fn set_signal_handler(signal: c_int, handler: extern "C" fn(c_int)) -> io::Result<()> {
    // SAFETY: all-zero bytes are a valid `sigaction`: no flags, an empty mask.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = handler as usize;
    action.sa_flags = libc::SA_RESTART;
    // SAFETY: `action` is initialised, its handler has the signature that goes without SA_SIGINFO and is a function of
    // this program; a null pointer asks for no old action.
    match unsafe { libc::sigaction(signal, &action, std::ptr::null_mut()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// The handler: records the stack of the thread that it interrupts.
extern "C" fn record_frames(_: c_int) {
    let frames = capture_addresses();
    COUNT.store(frames, Ordering::SeqCst);
    RANK.store(current_rank::rank().unwrap_or(NO_RANK), Ordering::SeqCst);
    IS_DONE.store(true, Ordering::SeqCst);
}

/// Puts the addresses on the calling thread's stack into [`FRAMES`]; allocates nothing.
fn capture_addresses() -> usize {
    let mut count = 0;
    // Not a return address but that of the next instruction: the frame beyond the handler and the one that the system has put there. One is added
    // because one is subtracted from return addresses, which would leave a loop at its first instruction.
    let mut interrupted = None;
    // SAFETY: the synchronised form guards tables of symbols, which are not used here: the closure only reads addresses.
    unsafe {
        backtrace::trace_unsynchronized(|frame| {
            if ptr::eq(frame.symbol_address().cast(), record_frames as *const ()) {
                interrupted = Some(count + 2);
            }
            let address = frame.ip() as usize + usize::from(interrupted == Some(count));
            FRAMES[count].store(address, Ordering::SeqCst);
            count += 1;
            count < MAX_FRAMES
        });
    }
    count
}

#[cfg(target_os = "linux")]
fn send_sample_signal(thread: libc::pid_t) -> io::Result<()> {
    let process = rustix::process::getpid().as_raw_nonzero().get();
    // SAFETY: tgkill takes three integers and touches no memory; a thread of another process is not reached.
    match unsafe { libc::syscall(libc::SYS_tgkill, process, thread, SIGNAL) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(not(target_os = "linux"))]
fn send_sample_signal(_: libc::pid_t) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The addresses on the calling thread's stack.
pub(crate) fn current_frames() -> Vec<usize> {
    call_stack::return_addresses(MAX_FRAMES)
}

/// The innermost frame of a stack that is the user's.
pub(crate) fn user_line(frames: &[usize]) -> Option<SourceLine> {
    call_stack::innermost_user_frame(frames, file!()).line
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// A thread that runs this function, and its handle.
    fn started(work: impl FnOnce(&AtomicBool) + Send + 'static) -> (Thread, &'static AtomicBool) {
        let stop: &'static AtomicBool = Box::leak(Box::default());
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            sender
                .send(Thread::current().expect("threads can be sampled here"))
                .expect("the receiver is open");
            work(stop);
        });
        (receiver.recv().expect("it has started"), stop)
    }

    #[test]
    fn a_thread_that_computes_and_one_that_sleeps_are_told_apart() {
        let (sender, receiver) = mpsc::channel();
        let (busy, stop) = started(move |stop| {
            current_rank::run_as(3, || {
                sender.send(()).expect("the receiver is open");
                while !stop.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        });
        receiver.recv().expect("it runs as rank 3");
        let sample = busy.sample().expect("it runs");
        let (doing, rank) = (sample.activity(), sample.rank());
        stop.store(true, Ordering::Relaxed);
        assert_eq!(rank, Some(3));
        assert_eq!(doing.activity, Activity::Computing);
        let (asleep, _) = started(|_| thread::sleep(Duration::from_secs(3600)));
        thread::sleep(Duration::from_millis(50));
        assert_eq!(asleep.sample().expect("it is there").activity().activity, Activity::Waiting);
    }

    #[test]
    fn a_thread_that_has_ended_has_no_stack() {
        let (gone, _) = started(|_| ());
        while std::path::Path::new(&format!("/proc/self/task/{}", gone.0)).exists() {
            thread::yield_now();
        }
        assert!(gone.sample().is_none());
    }
}
