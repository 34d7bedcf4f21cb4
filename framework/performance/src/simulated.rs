//! A task in virtual time: one pass of each version on a model of a machine, as `cargo wb simulate` asks for it.
//!
//! Everything is exact and the same on every computer, so one pass is all that there is to measure. The versions run in a
//! process of their own, which is ended when it takes too long.
use std::{io, path::Path, process::ExitCode, rc::Rc, sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};
use wb_comm::{
    CallSite, Transport, Verb, VirtualRanks, call_stack,
    job::{RankTermination, SimulationOptions},
    text::error,
};
use wb_config::machine_name;
use wb_messages::{Lang, performance, prediction as text};
use wb_record::{
    ComputingCost, MeasuredWorkload, Prediction, RankTrace, Record, Series, TimedRegion, Traffic, Version,
};
use wb_task::{Pipeline, Progress, Task, Verdict};
use wb_worker::{Backends, environment, output_tail, run_folder};
use wb_world::World;

use super::{
    BenchmarkProgram, Package,
    all_ranks::{self, BlameAnswer, RunGuard},
    arguments::BenchmarkArguments,
    job_spec::WorkloadRequest,
    measure::{self, MeasureError},
    memory,
    passes::Passes,
    record_file::RecordFile,
    settings::CampaignSettings,
    shared_input::SharedInputs,
    stopwatch::{Lap, Stopwatch},
};

/// The environment variable that makes this program a worker of a simulation: the path of its order.
pub(crate) const VARIABLE: &str = "WB_SIMULATION_ORDER";

/// The seed of the inputs: a prediction is the same on every computer and on every day.
const SEED: u64 = 1;

/// So many limits of one pass may a simulated pass take, since it does the work of all ranks.
const PASS_LIMIT_FACTOR: u32 = 12;

/// So often is a pass made whose computing is measured, each time by a process of its own: whoever reads takes the middle one.
const MEASURED_PASSES: usize = 3;

/// What a worker is to simulate.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SimulationSpec {
    machine: String,
    /// What goes wrong on purpose.
    faults: Vec<String>,
    computing: ComputingCost,
    pub(crate) version: Version,
    pub(crate) ranks: usize,
    pub(crate) request: WorkloadRequest,
    seed: u64,
    pub(crate) limit: Option<Duration>,
    /// How many calls each rank may write down; `None` where nothing is traced.
    traced: Option<usize>,
}

impl SimulationSpec {
    /// A pass that only shows what a rank adds to the memory: on so few ranks, with nothing going wrong.
    pub(crate) fn with_ranks(&self, ranks: usize) -> Self {
        Self { ranks, faults: vec![], computing: ComputingCost::Declared, ..self.clone() }
    }

    fn pass_mode(&self) -> PassMode {
        match (self.traced, self.computing) {
            (Some(calls), _) => PassMode::Traced(calls),
            (None, ComputingCost::Declared) => PassMode::Declared,
            (None, ComputingCost::Measured) => PassMode::Measured,
        }
    }
}

/// What came of it; or why nothing did.
pub(crate) type SimulationAnswer = Result<PassResult, String>;

/// Everything that one pass of all ranks leaves.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PassResult {
    /// The most memory that the process of the pass has had, bytes.
    pub(crate) peak: Option<u64>,
    /// In the modes of a series.
    modes: Vec<ModeTotals>,
    /// What each rank called, if that was asked for.
    traces: Vec<RankTrace>,
}

/// One mode of a pass, over all ranks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ModeTotals {
    mode: TimedRegion,
    elapsed_ns: u64,
    worked_ns: u64,
    worked_max_ns: u64,
    traffic: Traffic,
    correct: Option<bool>,
}

/// What one rank says of its pass: `run` alone, the whole pipeline, and what the oracle says where there is an output.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RankPass {
    run: Lap,
    pipeline: Lap,
    pub(crate) verdict: Option<Verdict>,
    /// The output here, as it is written.
    pub(crate) output: Option<String>,
    trace: Option<RankTrace>,
}

/// What every rank of the parallel version calls in one pass in virtual time, at most so many calls a rank.
///
/// # Errors
/// What the pass met, and the oracle's objection; both are for the user.
pub(crate) fn trace(
    machine: &str,
    ranks: usize,
    request: &WorkloadRequest,
    settings: &CampaignSettings,
    (seed, calls): (Option<u64>, usize),
    lang: Lang,
) -> Result<Vec<RankTrace>, String> {
    let folder = run_folder::create().map_err(|error| error.to_string())?;
    let order = SimulationSpec {
        machine: machine.to_owned(),
        faults: vec![],
        computing: ComputingCost::Declared,
        version: Version::Mpi,
        ranks,
        request: request.clone(),
        seed: seed.unwrap_or(SEED),
        limit: settings.limit.map(|limit| limit * PASS_LIMIT_FACTOR),
        traced: Some(calls),
    };
    let PassResult { modes, traces: lanes, .. } = Passes::new(&folder, lang).make(&order)?;
    match modes.iter().all(|mode| mode.correct != Some(false)) {
        true => Ok(lanes),
        false => Err(performance::traced_run_is_wrong(lang, &request.name)),
    }
}

/// Simulates all workloads of both versions and writes a record of each.
pub(crate) fn main(
    package: Package,
    backends: Backends,
    settings: &CampaignSettings,
    (machine, arguments): (&str, &BenchmarkArguments),
    lang: Lang,
) -> ExitCode {
    match simulate(package, backends, settings, (machine, arguments), lang) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{}", wb_escape::terminal(&why));
            ExitCode::FAILURE
        }
    }
}

fn simulate(
    package: Package,
    backends: Backends,
    settings: &CampaignSettings,
    (machine, arguments): (&str, &BenchmarkArguments),
    lang: Lang,
) -> Result<(), String> {
    let told = |error: io::Error| error.to_string();
    let file = arguments.records.clone().ok_or_else(|| text::needs_records(lang))?;
    let mut out = RecordFile::create(&file, lang).map_err(told)?;
    let seed = arguments.seed.unwrap_or(SEED);
    let environment = environment::environment(Path::new(package.folder), backends, seed);
    let folder = run_folder::create().map_err(told)?;
    let run = format!("{}-simulated", package.name);
    for request in settings.select_workloads(arguments.workload.as_deref(), lang)? {
        let parallel = settings.ranks.iter().filter(|_| settings.mpi).map(|&ranks| (Version::Mpi, ranks));
        let versions = settings.seq.then_some((Version::Seq, 1)).into_iter().chain(parallel);
        let passes = if arguments.computing == ComputingCost::Measured { MEASURED_PASSES } else { 1 };
        let mut made = Passes::new(&folder, lang);
        for (version, ranks) in versions.flat_map(|one| std::iter::repeat_n(one, passes)) {
            let order = SimulationSpec {
                machine: machine.to_owned(),
                // What it is held against is a run in which nothing goes wrong.
                faults: if version == Version::Seq { vec![] } else { arguments.faults.clone() },
                computing: arguments.computing,
                version,
                ranks,
                request: request.clone(),
                seed,
                limit: settings.limit.map(|limit| limit * PASS_LIMIT_FACTOR),
                traced: None,
            };
            for seen in made.make(&order)?.modes {
                let at =
                    jiff::Timestamp::now().round(jiff::Unit::Second).map_err(|error| error.to_string())?;
                let prediction = seen.into_prediction(&order);
                let (subject, environment) = (settings.subject.clone(), environment.clone());
                let record = Record::new(run.clone(), at.to_string(), subject, environment, prediction)
                    .with_nonce(environment::nonce());
                out.write(&record).map_err(told)?;
            }
        }
    }
    Ok(())
}

/// The worker: carries the order out and leaves its answer.
pub(crate) fn worker(path: &Path, backends: Backends, program: &BenchmarkProgram) -> ExitCode {
    let blame = |_: &SimulationSpec| -> BlameAnswer<PassResult> { Arc::new(|why| Err(why.to_owned())) };
    all_ranks::run(path, blame, |order, guard, _| Ok(pass(order, guard, backends.virtual_time, program)))
}

/// One pass of all ranks.
fn pass(
    order: &SimulationSpec,
    guard: &Arc<RunGuard>,
    backend: &dyn VirtualRanks,
    program: &BenchmarkProgram,
) -> SimulationAnswer {
    let solution = match order.version {
        Version::Mpi => Arc::clone(&program.mpi),
        Version::Seq | Version::Reference => Arc::clone(&program.seq),
    };
    let (request, seed, manner) = (order.request.clone(), order.seed, order.pass_mode());
    let inputs = <[SharedInputs; 2]>::default();
    let its_guard = Arc::clone(guard);
    let job = Arc::new(move |transport: Rc<dyn Transport>| {
        its_guard.enter();
        let pass = solution.simulate(transport, &request, seed, (manner, &inputs));
        Box::new(pass.map_err(|stopped| output_tail::text(&stopped.text()))) as Box<dyn std::any::Any + Send>
    });
    let measured = order.computing == ComputingCost::Measured;
    let (machine, faults) = (order.machine.clone(), order.faults.clone());
    let conditions = SimulationOptions { machine, faults, measure_computing: measured };
    let (outcome, _) = backend
        .run(&conditions, order.ranks, order.limit, job)
        .map_err(|error| output_tail::text(&error.text()))?;
    if outcome.timed_out {
        let why = guard.over_limit(order.limit.unwrap_or_default(), Lang::from_environment());
        // The harness's own calls, in which the other ranks may wait, are no lines of the user's.
        let of_user =
            outcome.blocked.iter().filter(|blocked| call_stack::is_user_file(Path::new(&blocked.file)));
        let blocked = of_user.map(ToString::to_string);
        return Err([why].into_iter().chain(blocked).collect::<Vec<_>>().join("\n"));
    }
    let passes: Result<Vec<RankPass>, String> =
        outcome.ranks.into_iter().enumerate().map(rank_pass).collect();
    let mut passes = passes?;
    let lanes = passes.iter_mut().filter_map(|pass| pass.trace.take()).collect();
    Ok(PassResult { peak: memory::peak(), modes: ModeTotals::from_passes(&passes), traces: lanes })
}

/// What came of one rank.
fn rank_pass((rank, ended): (usize, RankTermination)) -> Result<RankPass, String> {
    match ended {
        RankTermination::Returned(value) => {
            let pass = value.downcast::<Result<RankPass, String>>().expect("what the job above returns");
            pass.map_err(|why| output_tail::text(&error::of_rank(rank, why)))
        }
        RankTermination::Panicked(text) => Err(output_tail::text(&error::panicked(rank, text))),
        RankTermination::Unfinished => Err(output_tail::text(&error::lost(rank))),
        RankTermination::Starved(other) => Err(output_tail::text(&error::lost(other))),
    }
}

impl ModeTotals {
    /// Both modes, from what all ranks say.
    fn from_passes(passes: &[RankPass]) -> Vec<Self> {
        let wrong = passes.iter().filter_map(|pass| pass.verdict.as_ref());
        let correct = wrong.map(|verdict| *verdict == Verdict::Right).reduce(|all, one| all && one);
        vec![
            Self::from_laps(TimedRegion::TaskRun, passes.iter().map(|pass| pass.run), correct),
            Self::from_laps(TimedRegion::Pipeline, passes.iter().map(|pass| pass.pipeline), correct),
        ]
    }

    fn from_laps(mode: TimedRegion, laps: impl Iterator<Item = Lap> + Clone, correct: Option<bool>) -> Self {
        let most = |of: fn(Lap) -> u64| laps.clone().map(of).max().unwrap_or(0);
        let sum = |of: fn(Lap) -> u64| laps.clone().map(of).sum();
        let begin = laps.clone().map(|lap| lap.begin).min().unwrap_or(0);
        Self {
            mode,
            elapsed_ns: most(|lap| lap.end) - begin,
            worked_ns: sum(|lap| lap.worked_ns),
            worked_max_ns: most(|lap| lap.worked_ns),
            traffic: Traffic {
                messages: sum(|lap| lap.messages),
                bytes: sum(|lap| lap.bytes),
                messages_max_rank: most(|lap| lap.messages),
                bytes_max_rank: most(|lap| lap.bytes),
            },
            correct,
        }
    }

    fn into_prediction(self, order: &SimulationSpec) -> Prediction {
        let Self { mode, elapsed_ns, worked_ns, worked_max_ns, traffic, correct } = self;
        let WorkloadRequest { name, size } = order.request.clone();
        let workload = MeasuredWorkload { name, size: size as u64, unit: String::new() };
        let series = Series { workload, version: order.version, mode, ranks: order.ranks as u32 };
        let (machine, faults) = (machine_name(&order.machine).to_owned(), order.faults.clone());
        let computing = order.computing;
        Prediction {
            series,
            machine,
            faults,
            computing,
            elapsed_ns,
            worked_ns,
            worked_max_ns,
            traffic,
            correct,
        }
    }
}

/// How a pass is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PassMode {
    /// Once: what it computes is declared, and so is the same the first time as ever after.
    Declared,
    /// As [`Declared`](Self::Declared), and its output is written down.
    WithOutput,
    /// After one that does not count, because what happens only once (pages touched, caches filled) takes its time here; all
    /// ranks begin together, because making their inputs has taken theirs.
    Measured,
    /// With at most so many calls a rank written down, all ranks beginning together.
    Traced(usize),
}

/// Collective: one pass through the stages, with a barrier before `run`, in the world's time. A
/// pass that is traced has no barrier before `run`: it would be taken for the task's own.
pub(crate) fn run_pass<T: Task>(
    task: &T,
    transport: Rc<dyn Transport>,
    request: &WorkloadRequest,
    seed: u64,
    (manner, [before, inputs]): (PassMode, &[SharedInputs; 2]),
) -> Result<RankPass, MeasureError> {
    if manner == PassMode::Measured {
        run_single_pass(task, Rc::clone(&transport), request, seed, (manner, before))?;
    }
    run_single_pass(task, transport, request, seed, (manner, inputs))
}

fn run_single_pass<T: Task>(
    task: &T,
    transport: Rc<dyn Transport>,
    request: &WorkloadRequest,
    seed: u64,
    (manner, inputs): (PassMode, &SharedInputs),
) -> Result<RankPass, MeasureError> {
    let control = World::new(transport.dup(CallSite::caller(Verb::Agreement))?);
    let (world, log) = match manner {
        PassMode::Declared | PassMode::WithOutput | PassMode::Measured => (World::new(transport), None),
        PassMode::Traced(calls) => {
            let (world, log) = World::traced(transport, calls);
            (world, Some(log))
        }
    };
    let world = &world;
    let (home, rooted) = inputs.take_input::<T>(request, seed, (world.rank(), world.size()))?;
    let is_home = world.rank() == home;
    let progress = Progress::default();
    let submitted = Pipeline::new(task, world, &progress, rooted, home);
    // Where computing is declared, a rank that enters late is late for the pipeline.
    if matches!(manner, PassMode::Measured | PassMode::Traced(_)) {
        control.stage_barrier()?;
    }
    let whole = Stopwatch::start(world);
    let prepared = submitted.validation()?.preprocessing()?;
    if log.is_none() {
        control.stage_barrier()?;
    }
    let alone = Stopwatch::start(world);
    let raw = prepared.run()?;
    let run = alone.lap();
    let output = prepared.postprocessing(raw)?;
    let pipeline = whole.lap();
    // What the task has kept makes room for the input that its output is held against.
    drop(prepared);
    let verdict = match output.is_here() && measure::is_output_expected::<T>(is_home) {
        true => measure::check_output::<T>(&*inputs.reference_input::<T>(request, seed)?, &output, is_home),
        false => measure::misplaced::<T>(output.is_here(), is_home),
    };
    inputs.release(world.size());
    let output = output.here().filter(|_| manner == PassMode::WithOutput).map(|output| format!("{output:?}"));
    let lane = log.map(|log| log.rank_trace(pipeline.begin, pipeline.end));
    Ok(RankPass { run, pipeline, verdict, output, trace: lane })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_is_what_its_ranks_make_of_it() {
        let lap = |begin, end, worked_ns| Lap { begin, end, worked_ns, messages: 2, bytes: 10 };
        let pass =
            |run, verdict| RankPass { run, pipeline: lap(0, 100, 9), verdict, output: None, trace: None };
        let passes = [pass(lap(10, 50, 30), Some(Verdict::Right)), pass(lap(12, 70, 5), None)];
        let [run, pipeline] = ModeTotals::from_passes(&passes).try_into().expect("two modes");
        assert_eq!((run.elapsed_ns, run.worked_ns, run.worked_max_ns), (60, 35, 30));
        assert_eq!((run.traffic.messages, run.traffic.bytes_max_rank, run.correct), (4, 10, Some(true)));
        assert_eq!((pipeline.elapsed_ns, pipeline.mode), (100, TimedRegion::Pipeline));
        let wrong =
            [pass(lap(0, 1, 0), Some(Verdict::Wrong("no".into()))), pass(lap(0, 1, 0), Some(Verdict::Right))];
        assert_eq!(ModeTotals::from_passes(&wrong)[0].correct, Some(false));
        assert_eq!(ModeTotals::from_passes(&[pass(lap(0, 1, 0), None)])[0].correct, None);
    }
}
