//! Canaries: tasks that look faster than they are, measured by the real worker and told by the real report.
//!
//! Each must get the verdict beside it, and a task that is honest must get none of them. The ranks are threads of this
//! process. Who computes and who waits is told from processor time. Where speed-ups decide, the report is made of processor
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
use wb_record::{
    Backend, Band, Ceiling, Functional, Lane, Measurement, Plan, Record, Trace, Verdict as Tested, Version,
};
use wb_task::{Input, Invalid, Place, Problem, Task, Verdict, Workload};
use wb_world::{Operation, Result, Rooted, World};
use workbench::in_one_process;

use super::{
    Program,
    book::{self, Book},
    campaign, facts,
    order::{Answer, Ending, Findings, Order, Request, Sampling, Work},
    settings::tests::settings,
    usage::Whose,
    worker,
};

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

/// How a version comes to its answer.
#[derive(Clone, Copy, PartialEq)]
enum Manner {
    /// Every rank sums this share of the numbers, in per cent, and the last one the rest.
    Shared(u64),
    /// Rank 0 does everything, the others meet it in a barrier.
    Alone,
    /// The first answer is kept and given again.
    Cached,
    /// The formula, and a sleep so that it looks like work.
    FormulaAndSleep,
    /// The formula on several ranks; alone the work, and idling.
    FormulaInCompany,
    /// On several ranks the work before the run begins, and half of it again on rank 0; alone the work.
    Beforehand,
    /// The work, and idling for three times as long.
    SlowedBySleep,
    SlowedBySpin,
}

/// How long the formula takes in company, so that it looks like work.
const IN_COMPANY_NS: u64 = 2_000_000;

static KEPT: AtomicU64 = AtomicU64::new(0);

/// Takes so much processor time.
fn spin(ns: u64) {
    let end = Whose::Thread.cpu_ns() + ns;
    while Whose::Thread.cpu_ns() < end {
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

impl Task for Manner {
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
        let is_early = *self == Self::Beforehand && world.size() > 1 && world.rank() == ROOT;
        Ok((input, if is_early { summed(input) } else { 0 }))
    }

    fn run(&self, world: &World, &(input, early): &([u64; 2], u64)) -> Result<u64> {
        let (start, processor) = (Instant::now(), Whose::Thread.cpu_ns());
        let mine = match *self {
            Self::Shared(percent) => summed(part(input, percent, world)),
            _ if world.rank() != ROOT => 0,
            Self::Beforehand if world.size() > 1 => {
                black_box(summed(part(input, 50, world)));
                early
            }
            Self::Alone => summed(input),
            Self::Cached => {
                let kept = KEPT.load(Ordering::Relaxed);
                KEPT.store(if kept == 0 { summed(input) } else { kept }, Ordering::Relaxed);
                KEPT.load(Ordering::Relaxed)
            }
            Self::FormulaAndSleep => closed_form(input),
            Self::FormulaInCompany if world.size() > 1 => closed_form(input),
            Self::FormulaInCompany | Self::Beforehand | Self::SlowedBySleep | Self::SlowedBySpin => {
                summed(input)
            }
        };
        match *self {
            Self::SlowedBySleep => std::thread::sleep(3 * start.elapsed()),
            Self::FormulaInCompany if world.size() > 1 => spin(IN_COMPANY_NS),
            Self::FormulaInCompany | Self::SlowedBySpin => spin(3 * (Whose::Thread.cpu_ns() - processor)),
            Self::FormulaAndSleep => std::thread::sleep(Duration::from_millis(12) / world.size() as u32),
            Self::Alone => world.barrier()?,
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

fn request() -> Request {
    Request { name: "squares".into(), size: 400_000 }
}

/// What the workers find of one version on so many ranks.
fn ask(
    program: &Program,
    version: Version,
    ranks: usize,
    work: Work,
) -> (Findings, Option<String>, Vec<Lane>) {
    let folder = tempfile::tempdir().expect("a folder");
    let sampling = Sampling { least: 6, most: 8, target: 1e-9, budget: Duration::from_secs(5), ceiling: 3 };
    let order = Order {
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
    worker::on_threads(order, in_one_process(), program).expect("the job runs");
    let answers: Vec<Answer> = (0..ranks)
        .map(|rank| Answer::read(folder.path(), rank).expect("readable").expect("every rank answers"))
        .collect();
    let wrong = answers.iter().find_map(|answer| answer.wrong.clone());
    let lanes = answers.iter().filter_map(|answer| answer.lane.clone()).collect();
    match answers.into_iter().next().expect("a rank").ending {
        Ending::Done(findings) => (findings, wrong, lanes),
        Ending::Failed { why, .. } => panic!("{why:?}"),
    }
}

/// The times that a report is made of.
#[derive(Clone, Copy, PartialEq)]
enum Times {
    /// As they were measured.
    Measured,
    /// Those of cores that no other program uses.
    Quiet,
}

/// Every repetition takes its processor time, which is right where no rank waits; a core with work of its own has the same
/// ceiling.
fn on_quiet_cores(findings: &mut Findings) {
    findings.ceiling.fill(50_000_000);
    findings.clock.barrier_ns = None;
    for repetition in findings.series.iter_mut().flat_map(|measured| &mut measured.repetitions) {
        let share = repetition.cpu_share.replace(1.0).expect("processor time is measured");
        repetition.elapsed_ns = ((repetition.elapsed_ns as f64 * share) as u64).max(IN_COMPANY_NS);
    }
}

/// The report of a sequential and a parallel version, as a reader gets it.
fn report(program: &Program, times: Times) -> String {
    let settings = settings(&[1, 2]);
    let environment = facts::environment(Path::new(env!("CARGO_MANIFEST_DIR")), in_one_process(), 7);
    let record = |measurement: Measurement| {
        Record::new("run", "2026-03-01T10:15:00Z", settings.subject.clone(), environment.clone(), measurement)
    };
    let bands = [(0.5, 1.0), (0.4, 0.7)];
    let bands = bands.map(|(least_efficiency, share)| Band { least_efficiency, share }).to_vec();
    let plan = Plan {
        bands,
        least_repetition_ns: 1_000_000,
        performance_points: Some(10.0),
        ..settings.plan.clone()
    };
    let test = Functional {
        test: "one_number".into(),
        version: Version::Mpi,
        ranks: 2,
        backend: Backend::Threads,
        verdict: Tested::Pass,
        reason: None,
        seconds: 0.1,
    };
    let mut records = vec![record(plan.clone().into()), record(test.into())];
    let mut versions = vec![(Version::Seq, 1), (Version::Mpi, 1), (Version::Mpi, 2)];
    versions.extend(program.reference.is_some().then_some((Version::Reference, 1)));
    let mut book = Book::default();
    for (version, ranks) in versions {
        let (mut findings, wrong, _) = ask(program, version, ranks, Work::Series(vec![request()]));
        if times == Times::Quiet {
            on_quiet_cores(&mut findings);
        }
        let samples_ns = findings.ceiling.clone();
        records.push(record(Ceiling { ranks: ranks as u32, launch: 0, samples_ns }.into()));
        for measured in &findings.series {
            let series = book::series(&measured.request, version, measured.mode, ranks);
            book.note(&series, measured, &findings.clock, plan.least_repetition_ns, wrong.as_deref());
            records.push(record(campaign::timing(series, 0, measured, &findings).into()));
        }
    }
    records.extend(book.outcomes(&settings).into_iter().map(|outcome| record(outcome.into())));
    let (_, wrong, lanes) = ask(program, Version::Mpi, 2, Work::Trace(request()));
    if wrong.is_none() {
        let workload =
            wb_record::Workload { name: request().name, size: request().size as u64, unit: String::new() };
        let trace = Trace::new(
            "2026-03-01T10:15:00Z",
            settings.subject.clone(),
            environment.clone(),
            workload,
            lanes,
        );
        records.push(record(trace.into()));
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
static ALONE_HERE: Mutex<()> = Mutex::new(());

/// The report has all of the expected words and none of the forbidden ones.
fn must_say(program: &Program, times: Times, expected: &[&str], forbidden: &[&str]) {
    let _one = ALONE_HERE.lock().unwrap_or_else(PoisonError::into_inner);
    let report = report(program, times);
    let missing: Vec<_> = expected.iter().filter(|words| !report.contains(*words)).collect();
    let wrong: Vec<_> = forbidden.iter().filter(|words| report.contains(*words)).collect();
    assert!(missing.is_empty() && wrong.is_empty(), "without {missing:?}, with {wrong:?}:\n{report}");
}

const HONEST: Manner = Manner::Shared(50);

#[test]
fn an_honest_task_and_an_uneven_one_are_not_accused() {
    for percent in [50, 60] {
        must_say(
            &Program::new(HONEST, Manner::Shared(percent)),
            Times::Measured,
            &["waiting excluded: 0: "],
            &[ALONE, WAITS, WRONG],
        );
    }
}

#[test]
fn one_rank_that_does_everything_is_named() {
    let program = Program::new(HONEST, Manner::Alone);
    must_say(
        &program,
        Times::Measured,
        &[ALONE, "One rank does the work: divide"],
        &[POINTS, "what this machine allows at this"],
    );
}

#[test]
fn an_answer_that_was_kept_is_wrong() {
    KEPT.store(0, Ordering::Relaxed);
    must_say(&Program::new(HONEST, Manner::Cached), Times::Measured, &[WRONG], &[POINTS]);
}

#[test]
fn a_formula_that_waits_is_above_the_ceiling_or_waits() {
    must_say(
        &Program::new(Manner::SlowedBySpin, Manner::FormulaInCompany),
        Times::Quiet,
        &[ABOVE],
        &[POINTS],
    );
    must_say(
        &Program::new(Manner::FormulaAndSleep, Manner::FormulaAndSleep),
        Times::Measured,
        &[WAITS],
        &[POINTS],
    );
}

#[test]
fn work_that_was_moved_before_the_run_earns_nothing() {
    must_say(&Program::new(HONEST, Manner::Beforehand), Times::Measured, &[ALONE], &[POINTS]);
}

#[test]
fn a_sequential_version_that_sleeps_is_no_base() {
    must_say(
        &Program::new(Manner::SlowedBySleep, Manner::Alone),
        Times::Measured,
        &[WAITS, ALONE],
        &[POINTS],
    );
}

#[test]
fn a_sequential_version_that_spins_is_slower_than_the_parallel_one_alone() {
    let base = "(parallel one-rank version)";
    must_say(&Program::new(Manner::SlowedBySpin, Manner::Alone), Times::Quiet, &[ALONE, base], &[POINTS]);
}

#[test]
fn the_base_is_the_instructors_where_both_versions_idle() {
    let program = Program::with_reference(Manner::SlowedBySpin, Manner::SlowedBySpin, HONEST);
    must_say(&program, Times::Quiet, &["(instructor's sequential version)"], &[]);
}
