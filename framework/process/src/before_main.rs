//! The work before `main` of a test binary of ours.
//!
//! libtest prints before any test runs, and ends with 0 when a filter selects nothing. Both can only be changed before its
//! `main`. So a constructor runs there, and in a binary that has *opted in* it
//!
//! 1. sends standard output and error of a rank above 0 to that rank's own file, so that N ranks print one report;
//!    the real standard error stays reachable ([`real_stderr`]);
//! 2. ends the process with [`EMPTY_FILTER_EXIT_CODE`](crate::EMPTY_FILTER_EXIT_CODE) when its filter selects no test;
//! 3. makes an exit that a test calls an error, whatever its code.
//!
//! **Opting in.** The constructor is in every binary that links this crate, and does nothing in most. A binary opts in
//! by its name, or by one line:
//! - a test target named `functional` in a `deps` folder, which is what the manifest of every task has: there a student
//!   writes nothing;
//! - any other test target by `wb_process::test_binary!();` at the top of its file, which then cannot
//!   `forbid(unsafe_code)`: what runs before `main` is the caller's promise.
//!
//! The name is not a guess: the harness calls [`has_run`] and refuses to run in a binary where the constructor did not act.
//! So a forgotten opt-in or a linker that dropped the constructor is reported immediately.
//!
//! The `main` of a benchmark is ours, and can call [`redirect_rank_output`].

use std::{
    ffi::OsStr,
    io::{self, Write},
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use crate::rank_output::target_name;
pub use crate::rank_output::{
    RUNNER_VARIABLE, RealStderr, rank_log, real_stderr, redirect_rank_output, state_folder,
};

/// Whether [`run_before_main`] has acted.
static HAS_RUN: AtomicBool = AtomicBool::new(false);

#[ctor::ctor(unsafe)]
fn before_main() {
    if is_opted_in_by_name() {
        run_before_main();
    }
}

/// Opts a test binary in that is not named `functional`: one line at the top of its file. See [`before_main`](crate::before_main).
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

/// Does the work before `main` of a test binary, once.
#[doc(hidden)]
pub fn run_before_main() {
    if HAS_RUN.swap(true, Ordering::SeqCst) {
        return;
    }
    if let Some(launched) = crate::launcher_rank() {
        set_libtest_environment(launched.rank);
        // The kernel does not refuse a valid signal. The job's deadline holds in any case.
        let _refused = crate::die_with_parent();
    }
    // A run without an owner costs time and does no other harm.
    let _unwatched = crate::end_with_owner();
    if let Err(error) = redirect_rank_output() {
        let _nowhere_to_say = writeln!(io::stderr(), "cannot redirect this rank's output: {error}");
    }
    // If the hook is refused, such an exit is not reported. Nothing else changes.
    let _unchecked = crate::exit_in_test::refuse();
    crate::test_filter::refuse_empty();
}

/// Makes libtest run the tests of a rank one after the other, without colours (no person reads a launcher's
/// pseudo-terminal), and above rank 0, whose output is in a file, without capturing output.
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

/// Whether this binary is a test target named `functional`, as cargo places it: `deps/functional-<16 hex digits>`.
fn is_opted_in_by_name() -> bool {
    let Ok(binary) = std::env::current_exe() else { return false };
    let in_deps = binary.parent().and_then(Path::file_name) == Some(OsStr::new("deps"));
    in_deps && target_name(&binary) == Some("functional")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_tests_of_a_framework_crate_have_not_opted_in() {
        assert!(!has_run());
    }
}
