//! One pass of one rank: the stages of a version, under the signals of the judge.
use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
    thread,
    time::Duration,
};

use wb_comm::{Transport, panic_place::RankPanic};
use wb_runner::{RunnerLink, channel::frame, clock, output_tail};
use wb_task::{Assignment, Failure, Input, Pipeline, Prepared, Progress, Task};
use wb_world::{Rooted, World};

use crate::message::{FromRank, PassOrder, PassRegion, RankStatement, ToRank};

/// The end of a pass on this rank, unless the judge is lost.
pub(crate) enum RankPassEnd {
    /// The output or its absence is to be sent, with the statement of this rank.
    Finished(RankStatement, Option<Vec<u8>>),
    /// This message is the end.
    Answered(FromRank),
}

/// A version with its types erased.
pub(crate) trait ErasedVersion: Send + Sync {
    /// Executes a pass; the answer is left to the caller, who may search for leaks first.
    fn run_pass(
        &self,
        transport: Rc<dyn Transport>,
        link: &RunnerLink,
        order: &PassOrder,
        input: Option<Vec<u8>>,
    ) -> io::Result<RankPassEnd>;
}

impl<T: Task<Problem: Assignment>> ErasedVersion for T {
    fn run_pass(
        &self,
        transport: Rc<dyn Transport>,
        link: &RunnerLink,
        order: &PassOrder,
        input: Option<Vec<u8>>,
    ) -> io::Result<RankPassEnd> {
        if !order.is_isolated {
            // The cost of stack walks would be measured.
            wb_comm::call_stack::disable_stack_walks();
        }
        let world = World::new(transport);
        let progress = Progress::default();
        let input = decode(input)?;
        let pass = RankPass { task: self, world: &world, progress: &progress, order };
        let ended = catch_unwind(AssertUnwindSafe(|| pass.run(link, input)));
        end_pass(ended, &world, &progress)
    }
}

/// The end of a pass from what it returned, or from its panic.
pub(crate) fn end_pass(
    ended: thread::Result<PassResult>,
    world: &World,
    progress: &Progress,
) -> io::Result<RankPassEnd> {
    let answer = match ended {
        Ok(Ok((times, output))) => {
            let statement = statement(times, progress, world);
            return Ok(RankPassEnd::Finished(statement, output.here()));
        }
        Ok(Err(PassError::Link(lost))) => return Err(lost),
        Ok(Err(PassError::Task(Failure::Invalid { reason, .. }))) => FromRank::Refused { reason },
        Ok(Err(PassError::Task(failure))) => FromRank::Failed {
            stage: stage_of(&failure),
            is_late: matches!(failure, Failure::Limit { .. }),
            reason: output_tail::text(&failure.text()),
        },
        Ok(Err(PassError::Verb(error))) => {
            FromRank::Failed { stage: None, is_late: false, reason: output_tail::text(&error.text()) }
        }
        Err(panic) => FromRank::Failed {
            stage: progress.stage(),
            is_late: false,
            reason: output_tail::text(&RankPanic::caught(&*panic).of_rank(world.rank())),
        },
    };
    Ok(RankPassEnd::Answered(answer))
}

fn stage_of(failure: &Failure) -> Option<wb_task::Stage> {
    match failure {
        Failure::Stage { stage, .. } | Failure::Limit { stage, .. } => Some(*stage),
        _ => None,
    }
}

fn statement((start_ns, end_ns): (u64, u64), progress: &Progress, world: &World) -> RankStatement {
    RankStatement {
        start_ns,
        end_ns,
        stages_ns: progress.times().0,
        counts: world.counts(),
        has_received: world.has_received(),
        rounds: world.rounds(),
    }
}

/// The reason why a pass has no result.
pub(crate) enum PassError {
    /// The task failed.
    Task(Failure),
    /// The verb of a communication assignment failed.
    Verb(wb_comm::Error),
    /// The judge is lost.
    Link(io::Error),
}

impl From<Failure> for PassError {
    fn from(failure: Failure) -> Self {
        Self::Task(failure)
    }
}

impl From<wb_comm::Error> for PassError {
    fn from(error: wb_comm::Error) -> Self {
        Self::Verb(error)
    }
}

impl From<io::Error> for PassError {
    fn from(error: io::Error) -> Self {
        Self::Link(error)
    }
}

/// The begin and the end of the timed region, and the encoded output.
pub(crate) type PassResult = Result<((u64, u64), Rooted<Vec<u8>>), PassError>;

/// One pass with its types.
struct RankPass<'a, T: Task> {
    task: &'a T,
    world: &'a World,
    progress: &'a Progress,
    order: &'a PassOrder,
}

impl<T: Task<Problem: Assignment>> RankPass<'_, T> {
    fn run(&self, link: &RunnerLink, input: Rooted<Input<T>>) -> PassResult {
        let limit = self.order.limit_ns.map(Duration::from_nanos);
        let home = self.order.home;
        let submit = |input| Pipeline::new(self.task, self.world, self.progress, input, home).limit(limit);
        if self.order.region == PassRegion::Nothing {
            return ready(link).map(|(start, _)| ((start, clock::now()), Rooted::Elsewhere));
        }
        if self.order.region == PassRegion::Pipeline {
            let (start, input) = ready(link)?;
            let pipeline = submit(decode(input)?).validation()?.preprocessing()?;
            let raw = pipeline.run()?;
            let output = pipeline.postprocessing(raw)?;
            let times = (start, clock::now());
            return Ok((times, encode(output)?));
        }
        let pipeline: Pipeline<'_, T, Prepared<T::Prepared>> = submit(input).validation()?.preprocessing()?;
        let (start, _) = ready(link)?;
        let raw = pipeline.run()?;
        let times = (start, clock::now());
        link.send(&FromRank::Done, None)?;
        await_signal(link, &ToRank::Collect)?;
        Ok((times, encode(pipeline.postprocessing(raw)?)?))
    }
}

/// Reports that this rank is ready, and waits for the start; returns its time and its payload.
pub(crate) fn ready(link: &RunnerLink) -> Result<(u64, Option<Vec<u8>>), PassError> {
    link.send(&FromRank::Ready, None)?;
    let payload = await_signal(link, &ToRank::Start)?;
    Ok((clock::now(), payload))
}

/// Waits for this signal; returns its payload.
pub(crate) fn await_signal(link: &RunnerLink, signal: &ToRank) -> io::Result<Option<Vec<u8>>> {
    let (received, payload) = link.receive::<ToRank>()?;
    if received == *signal {
        return Ok(payload);
    }
    Err(io::Error::new(io::ErrorKind::InvalidData, format!("{received:?} instead of {signal:?}")))
}

/// The input of these bytes; elsewhere without them.
fn decode<I: serde::de::DeserializeOwned>(bytes: Option<Vec<u8>>) -> io::Result<Rooted<I>> {
    bytes.map_or(Ok(Rooted::Elsewhere), |bytes| frame::decode(&bytes).map(Rooted::Here))
}

fn encode<O: serde::Serialize>(output: Rooted<O>) -> io::Result<Rooted<Vec<u8>>> {
    match output {
        Rooted::Here(output) => frame::encode(&output).map(Rooted::Here),
        Rooted::Elsewhere => Ok(Rooted::Elsewhere),
    }
}
