//! The laboratory from start to end: this program is the tests, the laboratory that they start, and the ranks that it starts.
#![forbid(unsafe_code)]

mod canaries;
#[path = "../../runner/tests/clocks/namespaces/time_namespace.rs"]
mod time_namespace;

use std::{env, process::ExitCode};

use libtest_mimic::{Arguments, Trial};
use wb_process::launcher_rank;

fn main() -> ExitCode {
    let is_worker = launcher_rank().is_some() || env::var_os("WB_RUNNER").is_some();
    if is_worker || env::args().any(|argument| argument == "--records") {
        if env::var_os(canaries::SEVERAL).is_none() {
            return wb_laboratory::main(canaries::INJECTED);
        }
        time_namespace::enter_as_rank_1();
        return wb_laboratory::main(canaries::INJECTED_OF_TWO_CLOCKS);
    }
    let missing = time_namespace::why_missing();
    if let Some(reason) = &missing {
        println!("skipped: {reason}");
    }
    let test = |name, test: fn()| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    let trials = vec![
        test(
            "forms_that_hang_exit_err_and_leave_have_failed_and_all_others_are_measured",
            canaries::forms_that_hang_exit_err_and_leave_have_failed_and_all_others_are_measured,
        ),
        test(
            "calls_with_another_result_have_failed_and_all_others_are_measured",
            canaries::calls_with_another_result_have_failed_and_all_others_are_measured,
        ),
        test(
            "barriers_of_two_clocks_are_measured_as_on_one",
            canaries::barriers_of_two_clocks_are_measured_as_on_one,
        )
        .with_ignored_flag(missing.is_some()),
    ];
    // The ranks of two jobs at a time would share the cores.
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    libtest_mimic::run(&arguments, trials).exit_code()
}
