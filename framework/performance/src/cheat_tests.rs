//! Canaries: tasks that look faster than they are, measured by the real worker and judged by the real report.
//!
//! Each must get the verdict beside it, and an honest task must get none of them. The ranks are threads of this process.
//! Processor time shows which rank computes and which waits. Where speed-ups decide, the report is made of processor
//! time, too. Other programs on the machine therefore change no verdict.
use std::{
    hint::black_box,
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use wb_comm::Rank;
use wb_messages::Lang;
use wb_record::{Backend, Ceiling, Measurement, RankTrace, Record, Version};
use wb_task::{Input, Invalid, Place, Problem, Task, Verdict, Workload};
use wb_worker::{environment, protocol};
use wb_world::{Operation, Result, Rooted, World};
use workbench::in_one_process;

use super::{
    job_records,
    job_spec::{Findings, JobSpec, JobWork, RankAnswer, RankResult, SamplingPolicy, WorkloadRequest},
    job_worker,
    program::BenchmarkProgram,
    series_table::{self, SeriesTable},
    settings::tests::settings,
    usage::CpuScope,
};

mod records;

use records::{MEASURED_AT, passed_test, plan, trace};

const ROOT: Rank = 0;

/// The sum of the squares of `count` numbers from `from` on, which the oracle knows in closed form.
struct Squares;

fn closed_form([from, count]: [u64; 2]) -> u64 {
    let below = |n: u64| n.wrapping_sub(1) * n * (2 * n).wrapping_sub(1) / 6;
    below(from + count) - below(from)
}

fn summed([from, count]: [u64; 2]) -> u64 {
    (from..from + count).fold(0, |sum, i| sum + black_box(i) * black_box(i))
}

impl Problem for Squares {
    type Input = [u64; 2];
    type Output = u64;

    fn workload(request: &Workload) -> Option<[u64; 2]> {
        Some([1 + request.seed % 1000, request.size as u64])
    }

    fn check(input: &[u64; 2], output: &u64) -> Verdict {
        let expected = closed_form(*input);
        Verdict::of(*output == expected, || format!("the sum is {output}, expected {expected}"))
    }
}

/// How a version gets its answer.
#[derive(Clone, Copy, PartialEq)]
enum CheatKind {
    /// Every rank sums this share of the numbers, in per cent, and the last one the rest.
    Shared(u64),
    /// Rank 0 does everything, the others meet it in a barrier.
    OneRankOnly,
    /// The first answer is kept and given again.
    Cached,
    /// The formula, and a sleep so that it looks like work.
    FormulaAndSleep,
    /// The formula on several ranks; alone the work, and idling.
    FormulaOnManyRanks,
    /// On several ranks the work before the run begins, and half of it again on rank 0; alone the work.
    WorkInPreprocessing,
    /// The work, and idling for three times as long.
    SlowedBySleep,
    SlowedBySpin,
}

/// How long the formula takes in company, so that it looks like work.
const MANY_RANKS_NS: u64 = 2_000_000;

static CACHED_ANSWER: AtomicU64 = AtomicU64::new(0);

/// Takes so much processor time.
fn spin(ns: u64) {
    let end = CpuScope::Thread.cpu_ns() + ns;
    while CpuScope::Thread.cpu_ns() < end {
        std::hint::spin_loop();
    }
}

/// What a rank sums when every rank but the last one has `percent` of the numbers.
fn part([from, count]: [u64; 2], percent: u64, world: &World) -> [u64; 2] {
    let (rank, size) = (world.rank() as u64, world.size() as u64);
    let each = count * percent / 100;
    let mine = if rank + 1 == size { count - each * (size - 1) } else { each };
    [from + each * rank, mine]
}

impl Task for CheatKind {
    type Problem = Squares;
    type Prepared = ([u64; 2], u64);
    type Raw = u64;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, _: &Input<Self>, _: usize) -> std::result::Result<(), Invalid> {
        Ok(())
    }

    fn preprocessing(&self, world: &World, input: Rooted<[u64; 2]>) -> Result<([u64; 2], u64)> {
        let mut input = input.here().unwrap_or_default();
        world.bcast(&mut input, ROOT)?;
        let is_early = *self == Self::WorkInPreprocessing && world.size() > 1 && world.rank() == ROOT;
        Ok((input, if is_early { summed(input) } else { 0 }))
    }

    fn run(&self, world: &World, &(input, early): &([u64; 2], u64)) -> Result<u64> {
        let (start, processor) = (Instant::now(), CpuScope::Thread.cpu_ns());
        let mine = match *self {
            Self::Shared(percent) => summed(part(input, percent, world)),
            _ if world.rank() != ROOT => 0,
            Self::WorkInPreprocessing if world.size() > 1 => {
                black_box(summed(part(input, 50, world)));
                early
            }
            Self::OneRankOnly => summed(input),
            Self::Cached => {
                let kept = CACHED_ANSWER.load(Ordering::Relaxed);
                CACHED_ANSWER.store(if kept == 0 { summed(input) } else { kept }, Ordering::Relaxed);
                CACHED_ANSWER.load(Ordering::Relaxed)
            }
            Self::FormulaAndSleep => closed_form(input),
            Self::FormulaOnManyRanks if world.size() > 1 => closed_form(input),
            Self::FormulaOnManyRanks
            | Self::WorkInPreprocessing
            | Self::SlowedBySleep
            | Self::SlowedBySpin => summed(input),
        };
        match *self {
            Self::SlowedBySleep => std::thread::sleep(3 * start.elapsed()),
            Self::FormulaOnManyRanks if world.size() > 1 => spin(MANY_RANKS_NS),
            Self::FormulaOnManyRanks | Self::SlowedBySpin => {
                spin(3 * (CpuScope::Thread.cpu_ns() - processor));
            }
            Self::FormulaAndSleep => std::thread::sleep(Duration::from_millis(12) / world.size() as u32),
            Self::OneRankOnly => world.barrier()?,
            _ => {}
        }
        let mut sum = [0];
        let received = (world.rank() == ROOT).then_some(&mut sum[..]);
        world.reduce(&[mine], received, Operation::Sum, ROOT)?;
        Ok(sum[0])
    }

    fn postprocessing(&self, world: &World, raw: u64) -> Result<Rooted<u64>> {
        Ok(Rooted::on(world.rank() == ROOT, || raw))
    }
}

fn request() -> WorkloadRequest {
    // The closed form of more numbers does not fit into 64 bits.
    WorkloadRequest { name: "squares".into(), size: 2_000_000 }
}

/// What the workers find of one version on so many ranks.
fn measure(
    program: &BenchmarkProgram,
    version: Version,
    ranks: usize,
    work: JobWork,
) -> (Findings, Option<String>, Vec<RankTrace>) {
    let folder = tempfile::tempdir().expect("a folder");
    let sampling = SamplingPolicy {
        min_repetitions: 6,
        max_repetitions: 8,
        target: 1e-9,
        budget: Duration::from_secs(5),
        ceiling: 3,
    };
    let order = JobSpec {
        folder: folder.path().to_owned(),
        version,
        backend: Backend::Threads,
        ranks,
        seed: 7,
        spins: false,
        limit: None,
        work,
        sampling,
    };
    job_worker::run_thread_ranks(order, in_one_process(), program).expect("the job runs");
    let answers: Vec<RankAnswer> = (0..ranks)
        .map(|rank| {
            protocol::read_answer::<RankAnswer>(folder.path(), rank)
                .expect("readable")
                .expect("every rank answers")
        })
        .collect();
    let wrong = answers.iter().find_map(|answer| answer.oracle_error.clone());
    let lanes = answers.iter().filter_map(|answer| answer.trace.clone()).collect();
    match answers.into_iter().next().expect("a rank").result {
        RankResult::Done(findings) => (findings, wrong, lanes),
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
        repetition.elapsed_ns = ((repetition.elapsed_ns as f64 * share) as u64).max(MANY_RANKS_NS);
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
    let mut records = vec![record(plan.clone().into()), record(passed_test().into())];
    let mut versions = vec![(Version::Seq, 1), (Version::Mpi, 1), (Version::Mpi, 2)];
    versions.extend(program.reference.is_some().then_some((Version::Reference, 1)));
    let mut series_table = SeriesTable::default();
    for (version, ranks) in versions {
        let (mut findings, wrong, _) = measure(program, version, ranks, JobWork::Series(vec![request()]));
        if times == TimeSource::Quiet {
            assume_quiet_cores(&mut findings);
        }
        let samples_ns = findings.ceiling.clone();
        records.push(record(Ceiling { ranks: ranks as u32, launch: 0, samples_ns }.into()));
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

const HONEST: CheatKind = CheatKind::Shared(50);

#[test]
fn an_honest_task_and_an_uneven_one_are_not_accused() {
    for percent in [50, 60] {
        assert_report(
            &BenchmarkProgram::new(HONEST, CheatKind::Shared(percent)),
            TimeSource::Measured,
            &["waiting excluded: 0: "],
            &[ALONE, WAITS, WRONG],
        );
    }
}

#[test]
fn one_rank_that_does_everything_is_named() {
    let program = BenchmarkProgram::new(HONEST, CheatKind::OneRankOnly);
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
        &BenchmarkProgram::new(HONEST, CheatKind::Cached),
        TimeSource::Measured,
        &[WRONG],
        &[POINTS],
    );
}

#[test]
fn a_formula_that_waits_is_above_the_ceiling_or_waits() {
    assert_report(
        &BenchmarkProgram::new(CheatKind::SlowedBySpin, CheatKind::FormulaOnManyRanks),
        TimeSource::Quiet,
        &[ABOVE],
        &[POINTS],
    );
    assert_report(
        &BenchmarkProgram::new(CheatKind::FormulaAndSleep, CheatKind::FormulaAndSleep),
        TimeSource::Measured,
        &[WAITS],
        &[POINTS],
    );
}

#[test]
fn work_that_was_moved_before_the_run_earns_nothing() {
    assert_report(
        &BenchmarkProgram::new(HONEST, CheatKind::WorkInPreprocessing),
        TimeSource::Measured,
        &[ALONE],
        &[POINTS],
    );
}

#[test]
fn a_sequential_version_that_sleeps_is_no_base() {
    assert_report(
        &BenchmarkProgram::new(CheatKind::SlowedBySleep, CheatKind::OneRankOnly),
        TimeSource::Measured,
        &[WAITS, ALONE],
        &[POINTS],
    );
}

#[test]
fn a_sequential_version_that_spins_is_slower_than_the_parallel_one_alone() {
    let base = "(parallel one-rank version)";
    assert_report(
        &BenchmarkProgram::new(CheatKind::SlowedBySpin, CheatKind::OneRankOnly),
        TimeSource::Quiet,
        &[ALONE, base],
        &[POINTS],
    );
}

#[test]
fn the_base_is_the_instructors_where_both_versions_idle() {
    let program = BenchmarkProgram::with_reference(CheatKind::SlowedBySpin, CheatKind::SlowedBySpin, HONEST);
    assert_report(&program, TimeSource::Quiet, &["(instructor's sequential version)"], &[]);
}
