//! The `main` of a benchmark: the orchestrator, a worker of it, or a rank of a judge.
use std::{path::Path, process::ExitCode};

use wb_judge::RankArguments;
use wb_messages::{Lang, judge, performance as text};
use wb_process::output::print;
use wb_runner::{Backends, job::execute_order, launch, restrict_files};

use crate::{
    arguments::BenchmarkArguments,
    campaign::Campaign,
    checked,
    job::OwnWorkers,
    job_spec::WorkerOrder,
    job_worker,
    program::{BenchmarkProgram, Package},
    settings::CampaignSettings,
    simulated, traced,
};

/// The reason for which nothing was done, and the exit code.
pub(crate) struct Refusal(pub(crate) u8, pub(crate) String);

/// The arguments or the settings are refused.
impl From<String> for Refusal {
    fn from(reason: String) -> Self {
        Self(2, reason)
    }
}

/// The exit code of a run that has told whether nothing failed; the reason of a refusal is printed.
pub(crate) fn exit_code(done: Result<bool, Refusal>) -> ExitCode {
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(Refusal(code, reason)) => {
            eprintln!("{}", wb_escape::terminal(&reason));
            ExitCode::from(code)
        }
    }
}

/// `main` of a task's benchmark: runs the orchestrator, or the worker if there is an order.
///
/// Exit codes: 0 when every series that is enabled has been measured, 1 when one failed, 2 when the arguments or the
/// settings are refused.
pub fn main(package: Package, backends: Backends, program: &BenchmarkProgram) -> ExitCode {
    exit_code(run(package, backends, program, |words| orchestrate(package, backends, program, words)))
}

/// Runs what this process is: a rank of a judge, a worker, or else the orchestrator, which measures as its arguments ask.
pub(crate) fn run(
    package: Package,
    backends: Backends,
    program: &BenchmarkProgram,
    orchestrate: impl FnOnce(&[String]) -> Result<bool, Refusal>,
) -> Result<bool, Refusal> {
    wb_comm::panic_place::note_panics();
    wb_process::end_with_owner().map_err(|error| error.to_string())?;
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Some(arguments) = RankArguments::from_arguments(&words).map_err(|error| error.to_string())? {
        let no_assignment = || judge::no_assignment(Lang::from_environment(), package.name);
        let ranks = program.judged.as_ref().ok_or_else(no_assignment)?;
        return Ok(ranks.serve(&arguments, backends));
    }
    let worker = execute_order(|order, link| {
        restrict_files(Path::new(package.folder));
        match order {
            WorkerOrder::Measure(spec) => job_worker::run(spec, &link.answers(), backends, program),
            WorkerOrder::Simulate(spec) => simulated::worker::run(&spec, link.answers(), backends, program),
            WorkerOrder::Check(spec) => checked::worker::run(&spec, link.answers(), backends, program),
        }
    });
    match worker {
        Some(code) => Ok(code == ExitCode::SUCCESS),
        None if !BenchmarkArguments::is_measuring(&words) => {
            print(format_args!("{}\n", text::not_measuring(Lang::from_environment(), package.name)));
            Ok(true)
        }
        None => orchestrate(&words),
    }
}

/// The orchestrator; returns whether nothing failed.
fn orchestrate(
    package: Package,
    backends: Backends,
    program: &BenchmarkProgram,
    words: &[String],
) -> Result<bool, Refusal> {
    restrict_files(Path::new(package.folder));
    let arguments = BenchmarkArguments::parse(words)?;
    let lang = arguments.lang.unwrap_or_else(Lang::from_environment);
    if wb_process::launcher_rank().is_some() {
        return Err(text::inside_a_launcher(lang).into());
    }
    let mut settings =
        CampaignSettings::load(package, &arguments, lang).map_err(|error| error.to_string())?;
    // What the task does wrong is no refusal of the arguments.
    let failed = |reason| Refusal(1, reason);
    if let Some(file) = &arguments.trace {
        let traced = traced::trace(package, backends, &settings, (file, &arguments), lang);
        return traced.map_err(failed);
    }
    if arguments.check {
        return Ok(checked::check(package, &settings, &arguments, lang)?);
    }
    if arguments.machine.is_some() {
        let conditions = (program.reference.is_some(), lang);
        return simulated::simulate(package, backends, &settings, &arguments, conditions).map_err(failed);
    }
    if arguments.ranks.is_none() {
        settings.include_one_rank();
        settings.keep_ranks_with_cores(launch::usable_cores(), lang);
    }
    let (executor, records) = (OwnWorkers(backends), (arguments.records, arguments.seed));
    let campaign = Campaign::new(package, (backends, &executor), program, settings, records, lang);
    Ok(campaign.and_then(Campaign::run).map_err(|error| error.to_string())?)
}
