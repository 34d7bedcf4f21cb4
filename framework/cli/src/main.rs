//! `cargo wb`: make, test, measure and report the tasks of a course.
//!
//! It starts processes and links no MPI: it builds on a machine that has only Rust, and installs the missing
//! requirements from there. It uses only external data of tasks (`cargo metadata`, `task.yaml`, the exit codes of their
//! tests, the records of their benchmarks), so a task that does not compile does not stop the others.
//!
//! Exit codes: 0 done; 1 a test, a check or a measurement failed; 2 the command line is wrong; 3 the settings or the
//! workspace cannot be read; 4 a requirement is not installed.
#![forbid(unsafe_code)]

#[macro_use]
mod output;

mod arguments;
mod backend;
mod barriers;
mod benchmark_program;
mod book;
mod broadcasts;
mod calibrate;
mod change;
mod check;
mod collectives;
mod course;
mod course_files;
mod doctor;
mod document;
mod error;
mod explain;
mod grade;

mod judge;
mod laboratory;
mod list;
mod lock_filter;
mod machines;
mod measure;
mod model;
mod new;
mod package_manager;
mod pages;
mod perf;
mod placement;
mod preload;
mod progress;
mod readable_workspace;
mod record_input;
mod report;
mod repository;
mod requirements;
mod rules;
mod run_part;
mod run_rules;
mod sandboxed_task;
mod setup;
mod similar;
mod simulate;
mod slurm;
mod step;
mod suggest;
mod summary;
mod system_probe;
mod task_lock;
mod task_sources;
mod task_workspace;
mod terminal;
mod test;
mod test_program;
mod test_totals;
mod top;
mod trace;
mod watch;
mod workspace;

use std::{io::IsTerminal, process::ExitCode};

use arguments::{CliArguments, Command};
use wb_messages::{Lang, cli as text};

fn main() -> ExitCode {
    wb_process::end_on_broken_pipe();
    let CliArguments { command, lang, json } = CliArguments::from_process();
    wb_process::output::set_language(lang);
    wb_process::at_exit(print_interrupted);
    let ended = run(command, lang, json);
    wb_process::output::flush();
    match ended {
        Ok(CommandStatus::Success) => ExitCode::SUCCESS,
        Ok(CommandStatus::Failure) => ExitCode::FAILURE,
        Err(error) => {
            let message = format!("{}: {}", text::error(lang), error.render(lang));
            match std::io::stderr().is_terminal() {
                true => eprintln!("{}", error::fit_terminal(&message)),
                false => eprintln!("{message}"),
            }
            ExitCode::from(error.exit_code())
        }
    }
}

/// Ctrl-C leaves the prompt after `^C` or after half a line of progress.
fn print_interrupted() {
    if wb_process::is_interrupted() {
        eprintln!("\n{}", text::interrupted(wb_process::output::language()));
    }
}

/// The result of a command without an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CommandStatus {
    /// Every check succeeded.
    Success,
    /// A check, a test or a measurement failed, and that was reported.
    Failure,
}

impl CommandStatus {
    fn from_success(well: bool) -> Self {
        if well { Self::Success } else { Self::Failure }
    }
}

fn run(command: Command, lang: Lang, json: bool) -> error::Result<CommandStatus> {
    wb_config::refuse_unknown_variables()?;
    match command {
        Command::New(wanted) => new::run(&wanted, lang),
        Command::List => list::run(lang, json),
        Command::Test(wanted) => test::run(&wanted, lang),
        Command::Watch(wanted) => watch::run(&wanted, lang),
        Command::Top => top::run(lang),
        Command::Summary(wanted) => summary::run(&wanted, lang),
        Command::Perf(wanted) => perf::run(&wanted, lang, json),
        Command::Judge(wanted) => judge::run(&wanted, lang, json),
        Command::Preload(wanted) => preload::run(&wanted, lang),
        Command::Trace(wanted) => trace::run(&wanted, lang, json),
        Command::Report(wanted) => report::run(&wanted, lang),
        Command::Simulate(wanted) => simulate::run(&wanted, lang, json),
        Command::Check(wanted) => check::run(&wanted, lang, json),
        Command::Rules(wanted) => rules::run(&wanted, lang, json),
        Command::Similar(wanted) => similar::run(&wanted, lang, json),
        Command::Doctor(wanted) => doctor::run(&wanted, lang, json),
        Command::Setup(wanted) => setup::run(&wanted, lang),
        Command::Explain(wanted) => explain::run(&wanted, lang, json),
        Command::Collectives(wanted) => collectives::run(&wanted, lang, json),
        Command::Barriers(wanted) => barriers::run(&wanted, lang, json),
        Command::Broadcasts(wanted) => broadcasts::run(&wanted, lang, json),
        Command::Course(wanted) => course::run(&wanted, lang, json),
        Command::Book(wanted) => book::run(&wanted, lang),
        Command::Grade(wanted) => grade::run(&wanted, lang, json),
        Command::Machines => machines::run(lang, json),
        Command::Calibrate(wanted) => calibrate::run(&wanted, lang, json),
    }
}
