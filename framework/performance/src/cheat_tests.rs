//! Canaries: tasks that look faster than they are, measured by the real worker and judged by the real report.
//!
//! Each must get the verdict beside it, and an honest task must get none of them. The ranks are threads of this process.
//! Processor time shows which rank computes and which waits. Where speed-ups decide, the report is made of processor
//! time, too. Other programs on the machine therefore change no verdict.
use std::sync::{Arc, Mutex, PoisonError, atomic::Ordering, mpsc};

use wb_messages::Lang;
use wb_record::{Backend, EfficiencyBand, FunctionalRecord, Record, Trace, Version, read_all};
use workbench::in_one_process;

use super::{
    campaign::Campaign,
    job::{
        Findings, JobFailure, JobResult, JobSpec, JobWork, RankAnswer, SamplingPolicy, WorkloadRequest,
        merge_answers, tests::job_spec,
    },
    job_worker,
    program::{BenchmarkProgram, Package},
    schedule::ForcedAlgorithm,
    settings::{CampaignSettings, tests::settings},
};

#[path = "../tests/cheats/timed_cheat.rs"]
mod timed_cheat;

use timed_cheat::{CACHED_ANSWER, TimedCheat, pretended_ns};

fn request() -> WorkloadRequest {
    WorkloadRequest { name: "squares".into(), size: 8_000_000 }
}

/// One launch, with points for two bands of efficiency.
fn campaign_settings() -> CampaignSettings {
    let mut settings = settings(&[1, 2]);
    let bands = [(0.5, 1.0), (0.4, 0.7)];
    settings.plan.bands =
        bands.map(|(least_efficiency, share)| EfficiencyBand { least_efficiency, share }).to_vec();
    (settings.plan.launches, settings.plan.least_repetition_ns) = (1, 1_000_000);
    settings.plan.performance_points = Some(10.0);
    let budget = std::time::Duration::from_secs(5);
    settings.sampling =
        SamplingPolicy { min_repetitions: 6, max_repetitions: 8, target: 1e-9, budget, ceiling: 3 };
    settings.short = settings.sampling;
    (settings.workloads, settings.limit) = (vec![request()], None);
    settings
}

/// The times that a report is made of.
#[derive(Clone, Copy, PartialEq)]
enum TimeSource {
    /// As they were measured.
    Measured,
    /// Those of cores that no other program uses.
    Quiet,
}

/// Executes a job on ranks that are threads of this process.
fn execute(program: &BenchmarkProgram, times: TimeSource, order: &JobSpec) -> Result<JobResult, JobFailure> {
    let (sender, answers) = mpsc::channel();
    let order = JobSpec { spins: false, ..order.clone() };
    let (version, ranks) = (order.version, order.ranks);
    let leave = move |answer| sender.send(answer).expect("it is received");
    let job = job_worker::ranks(order, &(Arc::new(leave) as _), in_one_process(), program);
    Arc::new(job).run_threads().expect("the job runs");
    let mut answers: Vec<RankAnswer> = answers.try_iter().collect();
    answers.sort_by_key(|answer| answer.rank);
    let succeeded = answers.iter().filter(|answer| answer.result.findings().is_some()).count();
    assert_eq!(succeeded, ranks, "{answers:?}");
    let mut found = merge_answers(&answers)?;
    if times == TimeSource::Quiet {
        assume_quiet_cores(&mut found.findings, version);
    }
    Ok(found)
}

/// Every repetition takes its processor time, which is right where no rank waits; a core with work of its own has the same
/// ceiling.
fn assume_quiet_cores(findings: &mut Findings, version: Version) {
    // No two records are the same.
    findings.ceiling.fill(50_000_000 + version as u64);
    findings.clock.barrier_ns = None;
    for repetition in findings.series.iter_mut().flat_map(|measured| &mut measured.timing.repetitions) {
        let share = repetition.cpu_share.replace(1.0).expect("processor time is measured");
        repetition.elapsed_ns =
            ((repetition.elapsed_ns as f64 * share) as u64).max(pretended_ns(request().size as u64));
    }
}

/// The report of a sequential and a parallel version, as a reader gets it.
fn report(program: &BenchmarkProgram, times: TimeSource) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("records.jsonl");
    let execute = |order: &JobSpec, _: Option<ForcedAlgorithm>| execute(program, times, order);
    let package = Package { folder: env!("CARGO_MANIFEST_DIR"), name: "example" };
    let out = (Some(file.clone()), Some(7));
    let campaign = Campaign::new(
        package,
        in_one_process(),
        (&execute, None),
        program,
        campaign_settings(),
        out,
        Lang::En,
    );
    campaign.and_then(Campaign::run).expect("the campaign runs");
    let mut records = read_all(&std::fs::read_to_string(file).expect("records")).expect("readable");
    let like = records[0].clone();
    records.insert(1, Record { measurement: FunctionalRecord::example().into(), ..like.clone() });
    let (ranks, work) = (2, JobWork::Trace(request()));
    let order =
        JobSpec { version: Version::Mpi, backend: Backend::Threads, ranks, limit: None, work, ..job_spec() };
    let traced = execute(&order, None).expect("a trace");
    if traced.oracle_error.is_none() {
        let workload = request().measured();
        let (subject, environment) = (like.subject.clone(), like.environment.clone());
        let trace = Trace::new(like.at.clone(), subject, environment, workload, traced.traces);
        records.push(Record { measurement: trace.into(), ..like });
    }
    let text = wb_report::markdown(&records, Lang::En);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The verdicts of the canaries, none of which an honest task may get.
const ALONE: &str = "**bad**: one rank does the work";
const WAITS: &str = "**bad**: the sequential version on one rank waits instead of computing";
const WRONG: &str = "The output was wrong in at least one repetition";
const ABOVE: &str = "**bad**: a speed-up lies above 110 % of what this machine allows";
const POINTS: &str = "Performance points";

/// One canary at a time: they measure.
static EXCLUSIVE: Mutex<()> = Mutex::new(());

/// The report has all of the expected words and none of the forbidden ones.
fn assert_report(program: &BenchmarkProgram, times: TimeSource, expected: &[&str], forbidden: &[&str]) {
    let _one = EXCLUSIVE.lock().unwrap_or_else(PoisonError::into_inner);
    let report = report(program, times);
    let missing: Vec<_> = expected.iter().filter(|words| !report.contains(*words)).collect();
    let wrong: Vec<_> = forbidden.iter().filter(|words| report.contains(*words)).collect();
    assert!(missing.is_empty() && wrong.is_empty(), "without {missing:?}, with {wrong:?}:\n{report}");
}

const HONEST: TimedCheat = TimedCheat::Shared(50);

#[test]
fn an_honest_task_and_an_uneven_one_are_not_accused() {
    for percent in [50, 60] {
        assert_report(
            &BenchmarkProgram::new(HONEST, TimedCheat::Shared(percent)),
            TimeSource::Measured,
            &["waiting excluded: 0: "],
            &[ALONE, WAITS, WRONG],
        );
    }
}

#[test]
fn one_rank_that_does_everything_is_named() {
    let program = BenchmarkProgram::new(HONEST, TimedCheat::OneRankOnly);
    assert_report(
        &program,
        TimeSource::Measured,
        &[ALONE, "One rank does the work: divide"],
        &[POINTS, "what this machine allows at this"],
    );
}

#[test]
fn an_answer_that_was_kept_is_wrong() {
    CACHED_ANSWER.store(0, Ordering::Relaxed);
    assert_report(
        &BenchmarkProgram::new(HONEST, TimedCheat::Cached),
        TimeSource::Measured,
        &[WRONG],
        &[POINTS],
    );
}

#[test]
fn a_formula_that_waits_is_above_the_ceiling_or_waits() {
    assert_report(
        &BenchmarkProgram::new(TimedCheat::SlowedBySpin, TimedCheat::FormulaOnManyRanks),
        TimeSource::Quiet,
        &[ABOVE],
        &[POINTS],
    );
    assert_report(
        &BenchmarkProgram::new(TimedCheat::FormulaAndSleep, TimedCheat::FormulaAndSleep),
        TimeSource::Measured,
        &[WAITS],
        &[POINTS],
    );
}

#[test]
fn work_that_was_moved_before_the_run_earns_nothing() {
    assert_report(
        &BenchmarkProgram::new(HONEST, TimedCheat::WorkInPreprocessing),
        TimeSource::Measured,
        &[ALONE],
        &[POINTS],
    );
}

#[test]
fn a_sequential_version_that_sleeps_is_no_base() {
    assert_report(
        &BenchmarkProgram::new(TimedCheat::SlowedBySleep, TimedCheat::OneRankOnly),
        TimeSource::Measured,
        &[WAITS, ALONE],
        &[POINTS],
    );
}

#[test]
fn a_sequential_version_that_spins_is_slower_than_the_parallel_one_alone() {
    let base = "(parallel one-rank version)";
    assert_report(
        &BenchmarkProgram::new(TimedCheat::SlowedBySpin, TimedCheat::OneRankOnly),
        TimeSource::Quiet,
        &[ALONE, base],
        &[POINTS],
    );
}

#[test]
fn the_base_is_the_instructors_where_both_versions_idle() {
    let program =
        BenchmarkProgram::with_reference(TimedCheat::SlowedBySpin, TimedCheat::SlowedBySpin, HONEST);
    assert_report(&program, TimeSource::Quiet, &["(instructor's sequential version)"], &[]);
}
