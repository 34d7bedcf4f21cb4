//! What a thread of this process is doing, seen from another thread: does it compute, and in which line of the user's?
//!
//! The thread is interrupted by a signal whose handler writes down the return addresses of its stack, and goes on. The
//! thread that asks resolves them to functions and lines, and takes the innermost one that is not of the framework, of the
//! standard library or of a published crate: whatever those do there, the user's line led to it.
//!
//! Unwinding in a signal handler is for a thread that is about to be ended: it takes no lock on current systems (glibc 2.35
//! and later find unwind tables without one), but where it does, the interrupted thread can stop for good. Who asks waits
//! for a bounded time only and then has no answer.

use std::{
    ffi::c_int,
    fmt, io,
    path::{Path, PathBuf},
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// The longest that one sample may take.
const PATIENCE: Duration = Duration::from_millis(300);

/// The time between the two samples of a thread.
const BETWEEN: Duration = Duration::from_millis(20);

/// Frames that are looked at: a deeper stack is cut off at its outer end.
const DEEPEST: usize = 256;

/// A signal that nothing of ours uses and that does nothing where it is not handled.
const SIGNAL: c_int = libc::SIGURG;

/// A thread of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thread(libc::pid_t);

/// A line of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The file, relative to the current folder or the workspace where it lies below one of them.
    pub file: String,
    /// The number, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The function, as Rust names it.
    pub function: String,
}

/// How a thread spent its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// It computed, in code that is not the framework's.
    Computes,
    /// It waited in the system: it slept, wanted a lock, read a file.
    Waits,
    /// It was in code of the framework that the user's line had called, computing or waiting.
    Calls,
}

impl Activity {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Computes, Self::Waits, Self::Calls];

    /// Its name in journals.
    pub fn name(self) -> &'static str {
        match self {
            Self::Computes => "computes",
            Self::Waits => "waits",
            Self::Calls => "calls",
        }
    }
}

/// What a thread was doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doing {
    /// How it spent its time.
    pub activity: Activity,
    /// The innermost line of the user's on its stack.
    pub line: Option<Line>,
}

/// What the handler leaves: one sample at a time.
static FRAMES: [AtomicUsize; DEEPEST] = [const { AtomicUsize::new(0) }; DEEPEST];
static COUNT: AtomicUsize = AtomicUsize::new(0);
static DONE: AtomicBool = AtomicBool::new(false);

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

    /// Looks at the thread twice. `None` when it has ended, or its stack cannot be had.
    ///
    /// Not for the calling thread, and not for one that must go on at all costs: see the module.
    pub fn sample(self) -> Option<Sample> {
        static ONE: Mutex<()> = Mutex::new(());
        let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        let first = self.is_running()?;
        let frames = self.frames()?;
        thread::sleep(BETWEEN);
        let is_running = first && self.is_running().unwrap_or(first);
        Some(Sample { frames, is_running })
    }

    /// Does it have a processor, or wait for one? Then it is not in a call of the system that blocks.
    fn is_running(self) -> Option<bool> {
        let stat = std::fs::read_to_string(format!("/proc/self/task/{}/stat", self.0)).ok()?;
        // The second field is the thread's name in parentheses and may contain anything.
        Some(stat.rsplit_once(')')?.1.trim_start().starts_with('R'))
    }

    /// The addresses on its stack, the innermost first.
    fn frames(self) -> Option<Vec<usize>> {
        listen().ok()?;
        DONE.store(false, Ordering::SeqCst);
        interrupt(self.0).ok()?;
        let start = Instant::now();
        while !DONE.load(Ordering::SeqCst) {
            if start.elapsed() > PATIENCE {
                return None;
            }
            thread::sleep(Duration::from_millis(1));
        }
        let count = COUNT.load(Ordering::SeqCst);
        Some(FRAMES[..count].iter().map(|frame| frame.load(Ordering::SeqCst)).collect())
    }
}

/// A thread's stack, and whether the thread was running: taken in an instant, to be understood later.
#[derive(Debug)]
pub struct Sample {
    frames: Vec<usize>,
    is_running: bool,
}

impl Sample {
    /// What the thread was doing. Reads the debug information of the program, which may take a second.
    pub fn doing(&self) -> Doing {
        let (line, calls) = users_line(&self.frames);
        let activity = match (calls, self.is_running) {
            (true, _) => Activity::Calls,
            (false, true) => Activity::Computes,
            (false, false) => Activity::Waits,
        };
        Doing { activity, line }
    }
}

impl Line {
    /// The line of the user's that called the calling function, directly or not.
    pub fn of_caller() -> Option<Self> {
        line_in(&here())
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, function, .. } = self;
        write!(f, "{file}:{line} ({function})")
    }
}

/// Installs the handler, once.
fn listen() -> io::Result<()> {
    static INSTALLED: OnceLock<Result<(), io::ErrorKind>> = OnceLock::new();
    let install = || handle(SIGNAL, write_down).map_err(|error| error.kind());
    INSTALLED.get_or_init(install).map_err(io::Error::from)
}

/// Lets `handler` run on whichever thread gets `signal`.
pub(crate) fn handle(signal: c_int, handler: extern "C" fn(c_int)) -> io::Result<()> {
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

/// The handler: writes down where the thread is that it interrupts.
extern "C" fn write_down(_: c_int) {
    let frames = addresses();
    COUNT.store(frames, Ordering::SeqCst);
    DONE.store(true, Ordering::SeqCst);
}

/// Puts the addresses on the calling thread's stack into [`FRAMES`]; allocates nothing.
fn addresses() -> usize {
    let mut count = 0;
    // SAFETY: the synchronised form guards tables of symbols, which are not used here: the closure only reads addresses.
    unsafe {
        backtrace::trace_unsynchronized(|frame| {
            FRAMES[count].store(frame.ip() as usize, Ordering::SeqCst);
            count += 1;
            count < DEEPEST
        });
    }
    count
}

#[cfg(target_os = "linux")]
fn interrupt(thread: libc::pid_t) -> io::Result<()> {
    let process = rustix::process::getpid().as_raw_nonzero().get();
    // SAFETY: tgkill takes three integers and touches no memory; a thread of another process is not reached.
    match unsafe { libc::syscall(libc::SYS_tgkill, process, thread, SIGNAL) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(not(target_os = "linux"))]
fn interrupt(_: libc::pid_t) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The addresses on the calling thread's stack.
pub(crate) fn here() -> Vec<usize> {
    let mut frames = Vec::with_capacity(DEEPEST);
    backtrace::trace(|frame| {
        frames.push(frame.ip() as usize);
        frames.len() < DEEPEST
    });
    frames
}

/// The innermost line of a stack that is the user's.
pub(crate) fn line_in(frames: &[usize]) -> Option<Line> {
    users_line(frames).0
}

/// The innermost line that is the user's, and whether the framework's code was called from there.
fn users_line(frames: &[usize]) -> (Option<Line>, bool) {
    let (mut line, mut calls) = (None, false);
    for &address in frames {
        // A return address is that of the instruction after the call.
        backtrace::resolve(address.wrapping_sub(1) as *mut _, |symbol| {
            let Some(file) = symbol.filename().filter(|_| line.is_none()) else { return };
            if is_users(file) {
                line = line_of(symbol, file);
            } else if is_frameworks(file) && !file.ends_with(file!()) {
                calls = true;
            }
        });
        if line.is_some() {
            return (line, calls);
        }
    }
    (None, false)
}

fn line_of(symbol: &backtrace::Symbol, file: &Path) -> Option<Line> {
    let function = symbol.name().map(|name| format!("{name:#}")).unwrap_or_default();
    let column = symbol.colno().unwrap_or(1);
    Some(Line { file: shown(file), line: symbol.lineno()?, column, function })
}

/// Is it a source of the user's, and none of the framework, of the standard library or of a published crate?
pub fn is_users(file: &Path) -> bool {
    let published = ["registry/src", "git/checkouts", "lib/rustlib/src"];
    let is_published = || {
        let path = file.to_string_lossy();
        published.iter().any(|part| path.contains(part)) || path.starts_with("/rustc/")
    };
    let is_source = file.extension().is_some_and(|kind| kind == "rs");
    is_source && !is_frameworks(file) && !is_published()
}

/// Tests of the framework's crates stand for users.
fn is_frameworks(file: &Path) -> bool {
    let below = file.strip_prefix(framework()).or_else(|_| file.strip_prefix("framework"));
    below.is_ok_and(|below| !below.iter().any(|part| part == "tests"))
}

/// The folder of the framework's crates, as this one was compiled.
fn framework() -> &'static Path {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    crate_folder.parent().unwrap_or(crate_folder)
}

fn shown(file: &Path) -> String {
    let roots = [framework().parent().map(Path::to_owned), std::env::current_dir().ok()];
    let below = roots.iter().flatten().find_map(|root: &PathBuf| file.strip_prefix(root).ok());
    below.unwrap_or(file).display().to_string()
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// A thread that does this, and itself.
    fn started(work: impl FnOnce(&AtomicBool) + Send + 'static) -> (Thread, &'static AtomicBool) {
        let stop: &'static AtomicBool = Box::leak(Box::default());
        let (tell, told) = mpsc::channel();
        thread::spawn(move || {
            tell.send(Thread::current().expect("threads can be sampled here")).expect("the test listens");
            work(stop);
        });
        (told.recv().expect("it has started"), stop)
    }

    #[test]
    fn a_thread_that_computes_and_one_that_sleeps_are_told_apart() {
        let (busy, stop) = started(|stop| {
            while !stop.load(Ordering::Relaxed) {
                std::hint::spin_loop();
            }
        });
        let doing = busy.sample().expect("it runs").doing();
        stop.store(true, Ordering::Relaxed);
        assert_eq!(doing.activity, Activity::Computes);
        let (asleep, _) = started(|_| thread::sleep(Duration::from_secs(3600)));
        thread::sleep(Duration::from_millis(50));
        assert_eq!(asleep.sample().expect("it is there").doing().activity, Activity::Waits);
    }

    #[test]
    fn a_thread_that_has_ended_has_no_stack() {
        let (gone, _) = started(|_| ());
        while Path::new(&format!("/proc/self/task/{}", gone.0)).exists() {
            thread::yield_now();
        }
        assert!(gone.sample().is_none());
    }

    #[test]
    fn only_the_users_own_sources_count() {
        for file in [
            "/users/me/tasks/a/src/mpi.rs",
            "tests/canary_cases/slow.rs",
            "framework/harness/tests/performance.rs",
        ] {
            assert!(is_users(Path::new(file)), "{file}");
        }
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/stack.rs");
        for file in [
            own.to_str().expect("a name"),
            "framework/world/src/world.rs",
            "/rustc/0123/library/core/src/num/mod.rs",
            "/users/me/.cargo/registry/src/index/rand/src/lib.rs",
            "../sysdeps/unix/clone3.S",
        ] {
            assert!(!is_users(Path::new(file)), "{file}");
        }
    }
}
