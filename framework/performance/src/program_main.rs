//! The `main` of a benchmark: the orchestrator, a worker of it, or a rank of a judge.
use std::{path::Path, process::ExitCode};

use wb_judge::RankArguments;
use wb_messages::{Lang, judge as text};
use wb_runner::{Backends, restrict_files};

use crate::{
    campaign, order,
    program::{BenchmarkProgram, Package},
};

/// `main` of a task's benchmark: runs the orchestrator, or the worker if there is an order.
///
/// Exit codes: 0 when every series that is enabled has been measured, 1 when one failed, 2 when the arguments or the
/// settings are refused.
pub fn main(package: Package, backends: Backends, program: &BenchmarkProgram) -> ExitCode {
    wb_comm::panic_place::note_panics();
    if let Err(error) = wb_process::end_with_owner() {
        eprintln!("{error}");
        return ExitCode::from(2);
    }
    let words: Vec<String> = std::env::args().collect();
    match (RankArguments::from_arguments(&words), &program.judged) {
        (Ok(None), _) => {}
        (Ok(Some(arguments)), Some(ranks)) => return ranks.main(&arguments, backends),
        (Ok(Some(_)), None) => {
            eprintln!("{}", text::no_assignment(Lang::from_environment(), package.name));
            return ExitCode::from(2);
        }
        (Err(error), _) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    }
    restrict_files(Path::new(package.folder));
    order::execute(backends, program).unwrap_or_else(|| campaign::main(package, backends, program))
}
