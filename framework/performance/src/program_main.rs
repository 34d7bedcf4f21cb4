//! The `main` of a benchmark: the orchestrator, a worker of it, or a rank of a judge; and that of a judge.
//!
//! The judge is a program that is linked with an assignment, and with no code of a student. It runs the graded inputs, then the campaign of
//! the benchmark with [`JudgedJobs`] in place of workers of its own.
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use wb_comm::input_files;
use wb_config::{AssignmentRule, CourseSettings, TimeLimits};
use wb_messages::{Lang, judge as judge_text, performance as text};
use wb_process::{output::print, sandbox::Sandbox};
use wb_record::{Backend, MAX_SEED, Provenance, TestOutcome, Version};
use wb_runner::{
    ArgReader, Backends, input_files::to_input_files, job::execute_order, launch, restrict_files,
    shared_core_limit,
};
use wb_task::{Assignment, GradedInput, Problem, Workload, noise, private_inputs};

use crate::{
    arguments::BenchmarkArguments,
    campaign::Campaign,
    checked,
    job::{self, JobSpec, WorkerOrder, WorkloadRequest},
    job_worker,
    judge::{Examiner, GradedRuns, GradedVerdict, RankArguments, random_seed},
    judged_job::JudgedJobs,
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

/// The exit code of a run; the reason of a refusal is printed.
pub(crate) fn exit_code(done: Result<bool, Refusal>) -> ExitCode {
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(Refusal(code, reason)) => {
            eprintln!("{}", wb_text::escape::terminal(&reason));
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
        let no_assignment = || judge_text::no_assignment(Lang::from_environment(), package.name);
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
        settings.keep_ranks_with_cores(launch::cores_of_jobs(), lang);
    }
    let execute = |order: &JobSpec, forced| job::run(order, backends, forced);
    let records = (arguments.records, arguments.seed);
    let campaign = Campaign::new(package, backends, (&execute, None), program, settings, records, lang);
    Ok(campaign.and_then(Campaign::run).map_err(|error| error.to_string())?)
}

/// The exit code when the sandbox is not available.
const EXIT_MISSING: u8 = 4;

/// The command line, as `cargo wb judge` passes it: what is judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct JudgeArguments {
    /// The folder of the task, with its `task.yaml`.
    task: PathBuf,
    /// The program with the task's versions.
    program: PathBuf,
    /// The file of the records.
    records: Option<PathBuf>,
    /// Whether to make fewer launches with a wider target.
    quick: bool,
    /// Numbers of ranks, ascending.
    ranks: Option<Vec<usize>>,
    /// The language of the output.
    lang: Option<Lang>,
    /// A folder with graded inputs that are not in the repository.
    private: Option<PathBuf>,
    /// The seed of the graded inputs and of oracles; a new one otherwise.
    seed: Option<u64>,
    /// Whether only the graded inputs are run.
    verdicts_only: bool,
    /// Whether ranks of the student run in a sandbox.
    sandbox: bool,
    /// Whether ranks are threads.
    threads: bool,
}

impl JudgeArguments {
    /// Reads the arguments; the error is for the user.
    fn parse(all: &[String]) -> Result<Self, String> {
        let lang = ArgReader::requested_language(all, "--wb-lang").unwrap_or_else(Lang::from_environment);
        let (mut read, mut words) = (Self::default(), ArgReader::new(all, lang));
        while let Some(option) = words.option() {
            match option {
                "--bench" => {}
                "--wb-task" => read.task = words.path()?,
                "--wb-program" => read.program = words.path()?,
                "--wb-records" => read.records = Some(words.path()?),
                "--wb-quick" => read.quick = true,
                "--wb-ranks" => read.ranks = Some(words.ranks()?),
                "--wb-lang" => read.lang = Some(words.language()?),
                "--wb-private" => read.private = Some(words.path()?),
                "--wb-seed" => read.seed = Some(words.seed()?),
                "--wb-verdicts-only" => read.verdicts_only = true,
                "--wb-sandbox" => read.sandbox = true,
                "--wb-threads" => read.threads = true,
                unknown => return Err(text::unknown_argument(lang, unknown)),
            }
        }
        Ok(read)
    }
}

/// `main` of the judge of the assignment `A` in `package`; `program` is [`BenchmarkProgram::of_judge`].
///
/// Exit codes: 0 when every verdict is a pass and every series has been measured, 1 when one failed, 2 when the arguments or
/// the settings are refused, 4 when the sandbox that was asked for is not available.
pub fn judge_main<A: Assignment>(
    package: Package,
    backends: Backends,
    program: &BenchmarkProgram,
) -> ExitCode {
    exit_code(run(package, backends, program, |words| judge::<A>(backends, program, words)))
}

/// Judges a task; returns whether nothing failed.
fn judge<A: Assignment>(
    backends: Backends,
    program: &BenchmarkProgram,
    words: &[String],
) -> Result<bool, Refusal> {
    let arguments = JudgeArguments::parse(words)?;
    let lang = arguments.lang.unwrap_or_else(Lang::from_environment);
    let backends = if arguments.threads { Backends { processes: None, ..backends } } else { backends };
    // The campaign expects the names of a package that lives as long as the program, which this one does.
    let folder: &'static str = arguments.task.to_string_lossy().into_owned().leak();
    let name = Path::new(folder).file_name().unwrap_or_default().to_string_lossy().into_owned().leak();
    let package = Package { folder, name };
    let settings = load_settings::<A>(package, &arguments, lang)?;
    let (limit, rules) = functional_settings::<A>(Path::new(folder))?;
    let random = || random_seed().map(|seed| seed & MAX_SEED);
    let seed = arguments.seed.map_or_else(random, Ok).map_err(|error| error.to_string())?;
    wb_task::set_oracle_seed(noise::mix(seed));
    print(format_args!("{}\n", judge_text::seed(lang, seed)));
    let sandbox = arguments.sandbox.then(Sandbox::find).transpose();
    let sandbox = sandbox.map_err(|error| Refusal(EXIT_MISSING, error.render(lang)))?;
    let examiner = Examiner::<A>::new(backends.threads, rules, lang);
    let files = to_input_files(settings.files.clone());
    // The reference runs in this process, too.
    input_files::restrict(files.clone());
    let jobs = JudgedJobs { backends, program: arguments.program.clone(), sandbox, examiner, files, lang };
    let (seq, mpi) = (settings.seq, settings.mpi);
    let (workloads, limit_of_workloads) = (settings.select_workloads(None, lang)?, settings.limit);
    let execute = |order: &JobSpec, forced| jobs.run(order, forced);
    let (of_judge, records) = ((&execute as _, Some(Provenance::Judge)), (arguments.records.clone(), None));
    let campaign = Campaign::new(package, backends, of_judge, program, settings, records, lang);
    let mut campaign = campaign.map_err(|error| error.to_string())?;
    let private = arguments.private.as_deref().map_or(Ok(vec![]), private_inputs::read::<A>);
    let private = private.map_err(|error| error.text().render(lang))?;
    let (mut is_right, mut is_worth_measuring) = (true, true);
    let ranks = arguments.ranks.as_deref().unwrap_or(A::GRADED_RANKS);
    let parallel = ranks.iter().filter(|_| mpi).map(|&ranks| (Version::Mpi, ranks));
    for (version, ranks) in seq.then_some((Version::Seq, 1)).into_iter().chain(parallel) {
        let private = private.iter().filter(|one| one.is_for(ranks)).map(|one| (one.graded.clone(), limit));
        let additional = private.chain(draw_inputs::<A>(&workloads, limit_of_workloads, (ranks, seed)));
        let verdicts = run_graded(&jobs, (limit, seed), (version, ranks), additional);
        let passed = verdicts.iter().all(|verdict| verdict.record.verdict == TestOutcome::Pass);
        is_right &= passed;
        is_worth_measuring &= passed || version != Version::Mpi;
        print_verdicts(version, ranks, &verdicts, lang);
        for verdict in verdicts {
            campaign.write(verdict.record, None).map_err(|error| error.to_string())?;
        }
    }
    if arguments.verdicts_only {
        return Ok(is_right);
    }
    if !is_worth_measuring {
        print(format_args!("{}\n", judge_text::not_worth_measuring(lang)));
        return Ok(false);
    }
    let is_measured = campaign.run().map_err(|error| error.to_string())?;
    Ok(is_right && is_measured)
}

/// A graded input with its limit.
type LimitedInput<A> = (GradedInput<<A as Problem>::Input>, Option<Duration>);

/// An input of each workload that is measured: a version that is right for short ones only is not right.
fn draw_inputs<A: Assignment>(
    workloads: &[WorkloadRequest],
    limit: Option<Duration>,
    (ranks, seed): (usize, u64),
) -> impl Iterator<Item = LimitedInput<A>> {
    workloads.iter().filter_map(move |WorkloadRequest { name, size }| {
        let seed = noise::mix(seed ^ ranks as u64 ^ *size as u64) >> 2;
        let input = A::workload(&Workload { name: name.clone(), size: *size, ranks, seed })?;
        Some((GradedInput::new(format!("workload {name}"), input), limit))
    })
}

fn load_settings<A: Assignment>(
    package: Package,
    arguments: &JudgeArguments,
    lang: Lang,
) -> Result<CampaignSettings, Refusal> {
    if launch::places_ranks() {
        return Err(judge_text::one_host_only(lang).into());
    }
    let wanted = BenchmarkArguments {
        quick: arguments.quick,
        ranks: arguments.ranks.clone(),
        ..BenchmarkArguments::default()
    };
    let mut settings = CampaignSettings::load(package, &wanted, lang).map_err(|error| error.to_string())?;
    let (number, variant) = (settings.subject.task_number, settings.subject.variant);
    if (number, variant) != (u32::from(A::ID.number), u32::from(A::ID.variant)) {
        let own = format!("{}.{}", A::ID.number, A::ID.variant);
        return Err(
            judge_text::another_assignment(lang, package.name, format!("{number}.{variant}"), own).into()
        );
    }
    if arguments.ranks.is_none() {
        settings.include_one_rank();
    }
    Ok(settings)
}

/// The limit of a graded run, and the rules of the variant.
fn functional_settings<A: Assignment>(
    folder: &Path,
) -> Result<(Option<Duration>, &'static [AssignmentRule]), Refusal> {
    let course = CourseSettings::find(folder).map_err(|error| error.to_string())?;
    let limits = TimeLimits::from_process_environment(&course).map_err(|error| error.to_string())?;
    let rules = course.assignment(A::ID.number).rules_of(A::ID.variant);
    Ok((limits.functional, rules.to_vec().leak()))
}

fn run_graded<A: Assignment>(
    jobs: &JudgedJobs<A>,
    (limit, seed): (Option<Duration>, u64),
    (version, ranks): (Version, usize),
    additional: impl Iterator<Item = LimitedInput<A>>,
) -> Vec<GradedVerdict> {
    let mpi = if jobs.backends.processes.is_some() { Backend::Mpi } else { Backend::Threads };
    let backend = if version == Version::Mpi { mpi } else { Backend::Threads };
    let shared = |limit: Option<Duration>| limit.map(|limit| shared_core_limit(limit, ranks, jobs.backends));
    let additional: Vec<_> = additional.map(|(input, limit)| (input, shared(limit))).collect();
    let runs = GradedRuns {
        examiner: jobs.examiner,
        start: &|version, ranks| jobs.start(version, backend, ranks, None),
        backend,
        limit: shared(limit),
        additional: &additional,
        seed,
        lang: jobs.lang,
    };
    runs.run(version, ranks)
}

/// One line for all inputs, and one for each that failed.
fn print_verdicts(version: Version, ranks: usize, verdicts: &[GradedVerdict], lang: Lang) {
    let failed = || verdicts.iter().filter(|verdict| verdict.record.verdict != TestOutcome::Pass);
    let name = match version {
        Version::Mpi => "MPI",
        Version::Seq | Version::Reference => "SEQ",
    };
    let passed = verdicts.len() - failed().count();
    print(format_args!("{}\n", judge_text::passed(lang, name, ranks, passed, verdicts.len())));
    for verdict in failed() {
        let reason = verdict.record.reason.as_deref().unwrap_or_default();
        print(format_args!("  {}: {}\n", verdict.record.test, wb_text::escape::terminal(reason)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<JudgeArguments, String> {
        JudgeArguments::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn a_full_line_is_understood_and_a_misprint_is_refused() {
        let line = "--bench --wb-task tasks/x --wb-program p --wb-records r --wb-quick --wb-ranks 2,1 --wb-lang en \
                    --wb-private q --wb-seed 7 --wb-verdicts-only --wb-sandbox --wb-threads";
        let wanted = JudgeArguments {
            task: "tasks/x".into(),
            program: "p".into(),
            records: Some("r".into()),
            quick: true,
            ranks: Some(vec![1, 2]),
            lang: Some(Lang::En),
            private: Some("q".into()),
            seed: Some(7),
            verdicts_only: true,
            sandbox: true,
            threads: true,
        };
        assert_eq!(read(line), Ok(wanted));
        assert!(read("--wb-taks x").is_err_and(|error| error.contains("--wb-taks")));
        assert!(read("--wb-task").is_err());
    }
}
