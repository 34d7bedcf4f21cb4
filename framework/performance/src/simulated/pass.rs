//! One pass of one rank through the stages, in virtual time or under the model checker.
use std::rc::Rc;

use wb_comm::{CallSite, Operation, Transport, Verb};
use wb_record::RankTrace;
use wb_task::{Pipeline, Progress, Task, Verdict, noise};
use wb_world::{CallLog, Counts, FrameworkCalls as _, World};

use crate::{
    job_spec::WorkloadRequest,
    pass_data::{self, MeasureError},
    simulated::shared_input::SharedInputs,
};

/// The result of a pass on one rank: `run` alone, the whole pipeline, and the oracle's verdict where there is an
/// output.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RankPass {
    pub(crate) run: Lap,
    pub(crate) pipeline: Lap,
    pub(crate) verdict: Option<Verdict>,
    /// The output on this rank, formatted.
    pub(crate) output: Option<String>,
    pub(crate) trace: Option<RankTrace>,
}

/// The mode of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PassMode {
    /// Once: the computing is declared, so the first execution costs the same as a later one.
    Declared,
    /// As [`Declared`](Self::Declared), and its output is recorded.
    WithOutput,
    /// After an uncounted pass, because costs of the first execution (pages touched, caches filled) take real time
    /// here. That pass has an input of its own, so nothing that it computes helps. All ranks start together, because making their inputs
    /// has taken time.
    Measured,
    /// With at most this number of calls recorded for each rank; all ranks start together. Where it starts collective operations, a second
    /// pass shows what their overlap saves.
    Traced(usize),
    /// As [`Traced`](Self::Traced), but each started collective operation is complete when its call returns.
    TracedWithoutOverlap(usize),
}

/// Collective: one pass through the stages, with a barrier before `run`, in the world's time. A traced pass has no
/// barrier before `run`, because it would look like the task's own.
pub(crate) fn run_pass<T: Task>(
    task: &T,
    transport: Rc<dyn Transport>,
    request: &WorkloadRequest,
    seed: u64,
    (manner, [before, inputs]): (PassMode, &[SharedInputs; 2]),
) -> Result<RankPass, MeasureError> {
    if manner == PassMode::Measured {
        run_single_pass(task, Rc::clone(&transport), request, noise::mix(seed) >> 11, (manner, before))?;
    }
    let PassMode::Traced(calls) = manner else {
        return run_single_pass(task, transport, request, seed, (manner, inputs));
    };
    let mut pass = run_single_pass(task, Rc::clone(&transport), request, seed, (manner, inputs))?;
    let lane = pass.trace.as_mut().expect("a traced pass has a trace");
    if any_rank(&transport, lane.starts_collectives())? {
        let blocking = PassMode::TracedWithoutOverlap(calls);
        let blocking = run_single_pass(task, transport, request, seed, (blocking, before))?;
        lane.without_overlap = blocking.trace.as_ref().map(RankTrace::as_without_overlap);
    }
    Ok(pass)
}

/// Collective: whether this is so on any rank.
fn any_rank(transport: &Rc<dyn Transport>, is_so: bool) -> Result<bool, MeasureError> {
    let (control, mut any) = (World::new(transport.dup(CallSite::caller(Verb::Agreement))?), [0_u8]);
    control.allreduce(&[u8::from(is_so)], &mut any, Operation::Max)?;
    Ok(any == [1])
}

/// The world of a pass, and the log of its calls if it is traced.
fn pass_world(transport: Rc<dyn Transport>, manner: PassMode) -> (World, Option<Rc<CallLog>>) {
    match manner {
        PassMode::Declared | PassMode::WithOutput | PassMode::Measured => (World::new(transport), None),
        PassMode::Traced(calls) | PassMode::TracedWithoutOverlap(calls) => {
            let (world, log) = World::traced(transport, calls);
            if let PassMode::TracedWithoutOverlap(_) = manner {
                log.complete_at_start();
            }
            (world, Some(log))
        }
    }
}

fn run_single_pass<T: Task>(
    task: &T,
    transport: Rc<dyn Transport>,
    request: &WorkloadRequest,
    seed: u64,
    (manner, inputs): (PassMode, &SharedInputs),
) -> Result<RankPass, MeasureError> {
    let control = World::new(transport.dup(CallSite::caller(Verb::Agreement))?);
    let (world, log) = pass_world(transport, manner);
    let world = &world;
    let (home, rooted) = inputs.take_input::<T>(request, seed, (world.rank(), world.size()))?;
    let is_home = world.rank() == home;
    let progress = Progress::default();
    let submitted = Pipeline::new(task, world, &progress, rooted, home);
    // Where computing is declared, a rank that enters late is late for the pipeline.
    if matches!(manner, PassMode::Measured | PassMode::Traced(_) | PassMode::TracedWithoutOverlap(_)) {
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
    // The data that the task has kept are freed before the reference input is made.
    drop(prepared);
    let verdict = match output.is_here() && pass_data::is_output_expected::<T>(is_home) {
        true => {
            let input = inputs.reference_input::<T>(request, seed, world.size())?;
            pass_data::check_output::<T>(&input, &output, is_home)
        }
        false => pass_data::misplaced::<T>(output.is_here(), is_home),
    };
    inputs.release(world.size());
    let output = output.here().filter(|_| manner == PassMode::WithOutput).map(|output| format!("{output:?}"));
    let lane = log.map(|log| log.rank_trace(pipeline.begin, pipeline.end));
    Ok(RankPass { run, pipeline, verdict, output, trace: lane })
}

/// The measurement of one mode on one rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lap {
    pub(super) begin: u64,
    pub(super) end: u64,
    pub(super) worked_ns: u64,
    pub(super) messages: u64,
    pub(super) bytes: u64,
}

/// The start of a lap.
struct Stopwatch<'w> {
    world: &'w World,
    begin: u64,
    counts: Counts,
}

impl<'w> Stopwatch<'w> {
    fn start(world: &'w World) -> Self {
        Self { world, begin: world.transport().now(), counts: counts(world) }
    }

    fn lap(&self) -> Lap {
        let counts = counts(self.world) - self.counts;
        Lap {
            begin: self.begin,
            end: self.world.transport().now(),
            worked_ns: counts.worked_ns,
            messages: counts.sends,
            bytes: counts.sent_bytes,
        }
    }
}

/// The counts, with the computing that was measured so far.
fn counts(world: &World) -> Counts {
    world.work(0, 0);
    world.counts()
}

#[cfg(test)]
mod tests;
