//! What happens before `main` in a test binary of ours.
//!
//! libtest prints before any test runs and ends with 0 when a filter selects nothing; both can only be mended before its
//! `main`. So a constructor runs there, and in a binary that has *opted in* it
//!
//! 1. sends standard output and error of a rank above 0 to that rank's own file, so that N ranks print one report;
//!    the real standard error stays reachable ([`real_stderr`]);
//! 2. ends the process with [`EMPTY_FILTER_EXIT_CODE`](crate::EMPTY_FILTER_EXIT_CODE) when its filter selects no test.
//!
//! **Opting in.** The constructor is in every binary that links this crate, and does nothing in most. A binary opts in
//! by its name, or by one line:
//! - a test target named `functional` in a `deps` folder, which is what the manifest of every task has: there a student
//!   writes nothing;
//! - any other test target by `wb_process::test_binary!();` at the top of its file, which then cannot
//!   `forbid(unsafe_code)`: what runs before `main` is the caller's promise.
//!
//! The name is no guess: the harness asks [`has_run`] and refuses to run in a binary where the constructor did not act,
//! so that a forgotten opt-in or a linker that dropped the constructor shows at once.
//!
//! Benchmarks decide themselves: their `main` is ours, and may call [`redirect_rank_output`].

use std::{
    ffi::OsStr,
    fs::File,
    io::{self, Write},
    os::fd::{AsFd, OwnedFd},
    path::{Path, PathBuf},
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

/// The environment variable that names the folder for the output of ranks above 0. Without it the folder is
/// `wb/<binary>` next to `deps`.
pub const RANK_DIR: &str = "WB_RANK_DIR";

/// Whether [`enter`] has acted.
static HAS_RUN: AtomicBool = AtomicBool::new(false);

/// Where this process's output went, and its real standard error, once it has been redirected.
static REDIRECTED: OnceLock<(PathBuf, OwnedFd)> = OnceLock::new();

#[ctor::ctor(unsafe)]
fn before_main() {
    if is_opted_in_by_name() {
        run_before_main();
    }
}

/// Opts a test binary in that is not named `functional`: one line at the top of its file. See [`early`](crate::before_main).
#[macro_export]
macro_rules! test_binary {
    () => {
        $crate::__ctor! {
            #[ctor(unsafe, anonymous)]
            fn opt_in() {
                $crate::before_main::run_before_main();
            }
        }
    };
}

/// Does what is to be done before `main` of a test binary, once.
#[doc(hidden)]
pub fn run_before_main() {
    if HAS_RUN.swap(true, Ordering::SeqCst) || crate::test_filter::is_listing() {
        return;
    }
    if let Some(launched) = crate::launcher_rank() {
        set_libtest_environment(launched.rank);
        // The kernel does not refuse a valid signal; and if it did, the job's deadline would still hold.
        let _refused = crate::die_with_parent();
    }
    // A run that nobody waits for any more costs time and does no other harm.
    let _unwatched = crate::end_with_owner();
    if let Err(error) = redirect_rank_output() {
        let _nowhere_to_say = writeln!(io::stderr(), "cannot redirect this rank's output: {error}");
    }
    crate::test_filter::refuse_empty();
}

/// Makes libtest run the tests of a rank one after the other, without colors (a launcher's pseudo-terminal is none that
/// a person looks at), and above rank 0, where a file takes the output, without holding anything back.
fn set_libtest_environment(rank: usize) {
    if std::env::var_os("RUST_TEST_THREADS").is_none() {
        set_variable("RUST_TEST_THREADS", "1");
    }
    set_variable("TERM", "dumb");
    if rank > 0 {
        set_variable("RUST_TEST_NOCAPTURE", "1");
    }
}

fn set_variable(name: &str, value: &str) {
    // SAFETY: called before `main`, when this process has no other thread that could read the environment.
    unsafe { std::env::set_var(name, value) };
}

/// Whether this binary has opted in and the constructor has acted.
pub fn has_run() -> bool {
    HAS_RUN.load(Ordering::SeqCst)
}

/// Sends standard output and error of a rank above 0 to its own file `rank-N.log`; does nothing in rank 0, outside a
/// launcher, and the second time.
///
/// # Errors
/// When the file or its folder cannot be created; the output then stays where it was.
pub fn redirect_rank_output() -> io::Result<()> {
    let Some(rank) = crate::launcher_rank().map(|launched| launched.rank).filter(|&rank| rank > 0) else {
        return Ok(());
    };
    if REDIRECTED.get().is_some() {
        return Ok(());
    }
    let folder = rank_folder()?;
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(format!("rank-{rank}.log"));
    let log = File::create(&path)?;
    let real = rustix::io::fcntl_dupfd_cloexec(io::stderr().as_fd(), 3)?;
    rustix::stdio::dup2_stdout(&log)?;
    rustix::stdio::dup2_stderr(&log)?;
    // Two threads cannot race here: this runs before `main` or at its beginning.
    let _first = REDIRECTED.set((path, real));
    Ok(())
}

/// The file that has this rank's output, if it was redirected.
pub fn rank_log() -> Option<&'static Path> {
    REDIRECTED.get().map(|(path, _)| path.as_path())
}

/// The standard error that this process was started with, redirected or not: for the lines that must be seen.
pub fn real_stderr() -> RealStderr {
    RealStderr(())
}

/// See [`real_stderr`].
#[derive(Debug)]
pub struct RealStderr(());

impl Write for RealStderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match REDIRECTED.get() {
            Some((_, real)) => Ok(rustix::io::write(real, bytes)?),
            None => io::stderr().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(()) // Nothing is buffered.
    }
}

fn rank_folder() -> io::Result<PathBuf> {
    if let Some(folder) = std::env::var_os(RANK_DIR) {
        return Ok(PathBuf::from(folder));
    }
    let binary = std::env::current_exe()?;
    Ok(state_folder()?.join(target_name(&binary).unwrap_or("unnamed")))
}

/// The folder `wb` of cargo's target directory, where processes of one run meet and leave their logs. (Not of the build
/// profile below it: there cargo puts the command-line tool of that very name.)
///
/// # Errors
/// When the path of this program cannot be told.
pub fn state_folder() -> io::Result<PathBuf> {
    let binary = std::env::current_exe()?;
    // target/<profile>/deps/<binary>
    let target = binary.ancestors().nth(3).unwrap_or(Path::new("."));
    Ok(target.join("wb"))
}

/// Whether this binary is a test target named `functional`, as cargo places it: `deps/functional-<16 hex digits>`.
fn is_opted_in_by_name() -> bool {
    let Ok(binary) = std::env::current_exe() else { return false };
    let in_deps = binary.parent().and_then(Path::file_name) == Some(OsStr::new("deps"));
    in_deps && target_name(&binary) == Some("functional")
}

/// The name of the cargo target that `binary` was built from: its file name without the hash.
fn target_name(binary: &Path) -> Option<&str> {
    let name = binary.file_stem()?.to_str()?;
    match name.rsplit_once('-') {
        Some((target, hash)) if hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()) => {
            Some(target)
        }
        _ => Some(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_name_is_the_file_name_without_cargos_hash() {
        let name = |path: &'static str| target_name(Path::new(path));
        assert_eq!(name("/t/debug/deps/functional-0123456789abcdef"), Some("functional"));
        assert_eq!(name("/t/debug/deps/functional-tests"), Some("functional-tests"));
        assert_eq!(name("/t/debug/wb"), Some("wb"));
    }

    #[test]
    fn the_unit_tests_of_a_framework_crate_have_not_opted_in() {
        assert!(!has_run());
    }
}
