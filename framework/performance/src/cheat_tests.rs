//! Canaries: tasks that look faster than they are, measured by the real worker and judged by the real report.
//!
//! Each must get the verdict beside it, and an honest task must get none of them. The ranks are threads of this process.
//! Processor time shows which rank computes and which waits. Where speed-ups decide, the report is made of processor
//! time, too. Other programs on the machine therefore change no verdict.
use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError, atomic::Ordering, mpsc},
    time::Duration,
};

use wb_messages::Lang;
use wb_record::{Backend, Ceiling, ElapsedFrom, FunctionalRecord, Measurement, RankTrace, Record, Version};
use wb_runner::environment;
use workbench::in_one_process;

use super::{
    job_records,
    job_spec::{Findings, JobSpec, JobWork, RankAnswer, RankResult, SamplingPolicy, WorkloadRequest},
    job_worker::{self, MeasuredAnswers},
    program::BenchmarkProgram,
    series_table::{self, SeriesTable},
    settings::tests::settings,
};

mod records;
#[path = "../tests/cheats/squares_of_range.rs"]
mod squares_of_range;
#[path = "../tests/cheats/timed_cheat.rs"]
mod timed_cheat;

use records::{MEASURED_AT, plan, trace};
use timed_cheat::{CACHED_ANSWER, TimedCheat, pretended_ns};

fn request() -> WorkloadRequest {
    WorkloadRequest { name: "squares".into(), size: 8_000_000 }
}

/// What the workers find of one version on so many ranks.
fn measure(
    program: &BenchmarkProgram,
    version: Version,
    ranks: usize,
    work: JobWork,
) -> (Findings, Option<String>, Vec<RankTrace>) {
    let sampling = SamplingPolicy {
        min_repetitions: 6,
        max_repetitions: 8,
        target: 1e-9,
        budget: Duration::from_secs(5),
        ceiling: 3,
    };
    let order = JobSpec {
        version,
        backend: Backend::Threads,
        ranks,
        seed: 7,
        spins: false,
        limit: None,
        work,
        sampling,
    };
    let (sender, answers) = mpsc::channel();
    let leave: MeasuredAnswers = Arc::new(move |answer| sender.send(answer).expect("it is received"));
    let job = job_worker::ranks(order, &leave, in_one_process(), program);
    Arc::new(job).run_threads().expect("the job runs");
    let mut answers: Vec<RankAnswer> = answers.try_iter().collect();
    answers.sort_by_key(|answer| answer.rank);
    assert_eq!(answers.len(), ranks, "every rank answers");
    let wrong = answers.iter().find_map(|answer| answer.result.oracle_error.clone());
    let lanes = answers.iter().filter_map(|answer| answer.result.trace.clone()).collect();
    match answers.into_iter().next().expect("a rank").result.end {
        RankResult::Done(findings) => (*findings, wrong, lanes),
        RankResult::Failed { reason: why, .. } => panic!("{why:?}"),
    }
}

/// The times that a report is made of.
#[derive(Clone, Copy, PartialEq)]
enum TimeSource {
    /// As they were measured.
    Measured,
    /// Those of cores that no other program uses.
    Quiet,
}

/// Every repetition takes its processor time, which is right where no rank waits; a core with work of its own has the same
/// ceiling.
fn assume_quiet_cores(findings: &mut Findings) {
    findings.ceiling.fill(50_000_000);
    findings.clock.barrier_ns = None;
    for repetition in findings.series.iter_mut().flat_map(|measured| &mut measured.repetitions) {
        let share = repetition.cpu_share.replace(1.0).expect("processor time is measured");
        repetition.elapsed_ns =
            ((repetition.elapsed_ns as f64 * share) as u64).max(pretended_ns(request().size as u64));
    }
}

/// The report of a sequential and a parallel version, as a reader gets it.
fn report(program: &BenchmarkProgram, times: TimeSource) -> String {
    let settings = settings(&[1, 2]);
    let environment = environment::environment(Path::new(env!("CARGO_MANIFEST_DIR")), in_one_process(), 7);
    let record = |measurement: Measurement| {
        Record::new("run", MEASURED_AT, settings.subject.clone(), environment.clone(), measurement)
    };
    let plan = plan(&settings);
    let mut records = vec![record(plan.clone().into()), record(FunctionalRecord::example().into())];
    let mut versions = vec![(Version::Seq, 1), (Version::Mpi, 1), (Version::Mpi, 2)];
    versions.extend(program.reference.is_some().then_some((Version::Reference, 1)));
    let mut series_table = SeriesTable::default();
    for (version, ranks) in versions {
        let (mut findings, wrong, _) = measure(program, version, ranks, JobWork::Series(vec![request()]));
        if times == TimeSource::Quiet {
            assume_quiet_cores(&mut findings);
        }
        let samples_ns = findings.ceiling.clone();
        records.push(record(
            Ceiling { ranks: ranks as u32, launch: 0, elapsed_from: ElapsedFrom::CommonClock, samples_ns }
                .into(),
        ));
        for measured in &findings.series {
            let series = series_table::series(&measured.request, version, measured.mode, ranks);
            let least_ns = plan.least_repetition_ns;
            series_table.add(&series, measured, &findings.clock, least_ns, wrong.as_deref());
            records.push(record(job_records::timing(series, 0, measured, &findings).into()));
        }
    }
    records.extend(series_table.outcomes(&settings).into_iter().map(|outcome| record(outcome.into())));
    let (_, wrong, rank_traces) = measure(program, Version::Mpi, 2, JobWork::Trace(request()));
    if wrong.is_none() {
        records.push(record(trace(&settings, &environment, rank_traces).into()));
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
