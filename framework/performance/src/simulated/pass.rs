//! One pass of one rank through the stages, in virtual time or under the model checker; and its input. All ranks are in one process, so
//! the input exists once, on its rank, and later once for oracles.
//!
//! The first rank makes it and asks the problem for its rank; that rank takes it. When an output is checked, the input
//! is made again from the same seed, once for all outputs: by then the task has usually freed its own.
use std::{
    any::Any,
    rc::Rc,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use wb_comm::{CallSite, Operation, Rank, Transport, Verb};
use wb_record::RankTrace;
use wb_task::{Input, Pipeline, Problem, Progress, Task, Verdict, noise};
use wb_world::{CallLog, Counts, FrameworkCalls as _, Rooted, World};

use crate::{
    job::WorkloadRequest,
    pass_data::{self, MeasureError},
};

/// The result of a pass on one rank: `run` alone, the whole pipeline, and the oracle's verdict where there is an
/// output.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RankPass {
    pub(crate) run: RegionSpan,
    pub(crate) pipeline: RegionSpan,
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
    /// A pass with at most this number of calls recorded for each rank; all ranks start together. Where it starts collective operations, a second
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
    let rank_trace = pass.trace.as_mut().expect("a traced pass has a trace");
    if any_rank(&transport, rank_trace.starts_collectives())? {
        let blocking = PassMode::TracedWithoutOverlap(calls);
        let blocking = run_single_pass(task, transport, request, seed, (blocking, before))?;
        rank_trace.without_overlap = blocking.trace.as_ref().map(RankTrace::as_without_overlap);
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
    let run = alone.span();
    let output = prepared.postprocessing(raw)?;
    let pipeline = whole.span();
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
    let rank_trace = log.map(|log| log.rank_trace(pipeline.begin, pipeline.end));
    Ok(RankPass { run, pipeline, verdict, output, trace: rank_trace })
}

/// The measurement of one mode on one rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RegionSpan {
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

    fn span(&self) -> RegionSpan {
        let counts = counts(self.world) - self.counts;
        RegionSpan {
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

/// The shared inputs of one pass, one workload and one seed.
#[derive(Default)]
pub(crate) struct SharedInputs(Mutex<InputState>);

#[derive(Default)]
struct InputState {
    /// The rank of the input, once it is made.
    home_rank: Option<Rank>,
    /// The input, until its rank has taken it.
    input: Option<Box<dyn Any + Send>>,
    /// The input that oracles compare outputs with, until no rank needs it.
    reference_input: Option<Arc<dyn Any + Send + Sync>>,
    /// The number of ranks whose outputs have been checked.
    finished_ranks: usize,
}

impl SharedInputs {
    fn state(&self) -> MutexGuard<'_, InputState> {
        // A workload that panics while it is made leaves the state as it was.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The rank of the input, and the input on that rank: for `rank` among `size`.
    ///
    /// # Errors
    /// [`MeasureError::NoWorkload`].
    pub(crate) fn take_input<T: Task>(
        &self,
        request: &WorkloadRequest,
        seed: u64,
        (rank, size): (Rank, usize),
    ) -> Result<(Rank, Rooted<Input<T>>), MeasureError> {
        let mut state = self.state();
        let home = match state.home_rank {
            Some(home) => home,
            None => {
                let input = pass_data::input::<T>(request, seed, size)?;
                let home = Some(T::Problem::home(&input, size)).filter(|home| *home < size).unwrap_or(0);
                state.home_rank = Some(home);
                state.input = Some(Box::new(input));
                home
            }
        };
        if rank != home {
            return Ok((home, Rooted::Elsewhere));
        }
        let given = state.input.take().expect("its rank takes it once");
        Ok((home, Rooted::Here(*given.downcast::<Input<T>>().expect("ranks of one pass have one task"))))
    }

    /// The input that an output of `size` ranks is compared with.
    ///
    /// # Errors
    /// [`MeasureError::NoWorkload`].
    pub(crate) fn reference_input<T: Task>(
        &self,
        request: &WorkloadRequest,
        seed: u64,
        size: usize,
    ) -> Result<Arc<Input<T>>, MeasureError> {
        let mut state = self.state();
        let judged = match &state.reference_input {
            Some(judged) => Arc::clone(judged),
            None => {
                let judged: Arc<dyn Any + Send + Sync> =
                    Arc::new(pass_data::input::<T>(request, seed, size)?);
                state.reference_input = Some(Arc::clone(&judged));
                judged
            }
        };
        Ok(judged.downcast().expect("ranks of one pass have one task"))
    }

    /// Records that one of `size` ranks needs no input any more; after the last one the input is freed.
    pub(crate) fn release(&self, size: usize) {
        let mut state = self.state();
        state.finished_ranks += 1;
        if state.finished_ranks == size {
            state.reference_input = None;
        }
    }
}

#[cfg(test)]
mod tests;
