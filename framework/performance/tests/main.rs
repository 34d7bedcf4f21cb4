//! Measurements from start to end. This program is the tests; started by them it is the orchestrator and the worker of a benchmark, or
//! a judge and the program of a student.

/// Tests by their names.
macro_rules! trials {
    ($($test:ident),* $(,)?) => { [$(crate::trial(stringify!($test), $test)),*] };
}

mod cheats;
mod checked;
mod performance;
mod several_clocks;
#[path = "../../runner/tests/clocks/namespaces/time_namespace.rs"]
mod time_namespace;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

/// A test that fails when it panics.
fn trial(name: &str, test: fn()) -> Trial {
    Trial::test(name, move || {
        test();
        Ok(())
    })
}

fn main() -> ExitCode {
    if let Some(ended) = performance::run_part().or_else(cheats::run_part) {
        return ended;
    }
    let mut trials: Vec<Trial> = performance::trials().into_iter().chain(checked::trials()).collect();
    trials.extend(several_clocks::trials());
    trials.extend(cheats::trials());
    // A flood is measured on the disk, and a job ends every process that it does not know.
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    libtest_mimic::run(&arguments, trials).exit_code()
}
