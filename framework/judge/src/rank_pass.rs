//! One pass of one rank, under the signals of the judge: the stages of a version, or calls of a communication assignment's verb.
//!
//! The elements of every call are new: an element that a rank has from an earlier call is of no use in a later one. The root decreases by
//! one from call to call, so that no call begins before the one before it has ended (see `wb_performance::sweep`).
use std::{
    hint::black_box,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
    time::Duration,
};

use wb_comm::{Transport, panic_place::RankPanic};
use wb_runner::{RunnerLink, channel::frame, clock, output_tail};
use wb_task::{Assignment, Communication, Failure, Pipeline, Prepared, Progress, Stage, Task};
use wb_world::{Rooted, World};

use crate::message::{
    CallOrder, FromRank, MeasuredVerb, PassOrder, PassRegion, RankStatement, ToRank, decode_numbers,
    encode_numbers,
};

/// The last message of a rank in a pass, with the output where there is one.
pub(crate) type LastMessage = (FromRank, Option<Vec<u8>>);

/// A version with its types erased.
pub(crate) trait ErasedVersion: Send + Sync {
    /// Executes a pass up to its last message, which is left to the caller.
    fn run_pass(
        &self,
        transport: Rc<dyn Transport>,
        link: &RunnerLink,
        order: &PassOrder,
        input: Option<Vec<u8>>,
    ) -> io::Result<LastMessage>;
}

impl<T: Task<Problem: Assignment>> ErasedVersion for T {
    fn run_pass(
        &self,
        transport: Rc<dyn Transport>,
        link: &RunnerLink,
        order: &PassOrder,
        input: Option<Vec<u8>>,
    ) -> io::Result<LastMessage> {
        if order.region == PassRegion::Nothing {
            ready(link)?;
            return Ok((FromRank::Done, None));
        }
        if !order.is_isolated {
            // The cost of stack walks would be measured.
            wb_comm::call_stack::disable_stack_walks();
        }
        let input = decode(input)?;
        run_measured(transport, |world, progress| {
            let limit = order.limit_ns.map(Duration::from_nanos);
            let submit = |input| Pipeline::new(self, world, progress, input, order.home).limit(limit);
            if order.region == PassRegion::Pipeline {
                let (start, input) = ready(link)?;
                let pipeline = submit(decode(input)?).validation()?.preprocessing()?;
                let raw = pipeline.run()?;
                let output = pipeline.postprocessing(raw)?;
                let times = (start, clock::now());
                return Ok((times, encode(output)?));
            }
            let pipeline: Pipeline<'_, T, Prepared<T::Prepared>> =
                submit(input).validation()?.preprocessing()?;
            let (start, _) = ready(link)?;
            let raw = pipeline.run()?;
            let times = (start, clock::now());
            finish_timed(link)?;
            Ok((times, encode(pipeline.postprocessing(raw)?)?))
        })
    }
}

/// A communication assignment's verbs with their type erased.
pub(crate) trait ErasedVerb: Send + Sync {
    /// Executes the calls over this rank's elements up to the last message, which is left to the caller.
    fn run_calls(
        &self,
        transport: Rc<dyn Transport>,
        link: &RunnerLink,
        order: &CallOrder,
        elements: &[u8],
    ) -> io::Result<LastMessage>;
}

impl<C: Communication> ErasedVerb for C {
    fn run_calls(
        &self,
        transport: Rc<dyn Transport>,
        link: &RunnerLink,
        order: &CallOrder,
        elements: &[u8],
    ) -> io::Result<LastMessage> {
        let mut data = decode_numbers(elements)?;
        run_measured(transport, |world, _| {
            let last = world.size() - 1;
            let (start, _) = ready(link)?;
            let mut root = 0;
            for call in data.chunks_exact_mut(order.count.max(1)) {
                match order.verb {
                    MeasuredVerb::Own => self.own(world, black_box(call), root)?,
                    MeasuredVerb::Library => self.library(world, black_box(call), root)?,
                }
                root = root.checked_sub(1).unwrap_or(last);
            }
            let times = (start, clock::now());
            finish_timed(link)?;
            Ok((times, Rooted::Here(encode_numbers(&data))))
        })
    }
}

/// The begin and the end of the timed region, and the encoded output.
type PassResult = Result<((u64, u64), Rooted<Vec<u8>>), PassError>;

/// The last message of a pass that `pass` executes, also where it fails or panics.
fn run_measured(
    transport: Rc<dyn Transport>,
    pass: impl FnOnce(&World, &Progress) -> PassResult,
) -> io::Result<LastMessage> {
    let (world, progress) = (World::new(transport), Progress::default());
    let ended = catch_unwind(AssertUnwindSafe(|| pass(&world, &progress)));
    let answer = match ended {
        Ok(Ok(((start_ns, end_ns), output))) => {
            let statement = RankStatement {
                start_ns,
                end_ns,
                stages_ns: progress.times().0,
                counts: world.counts(),
                has_received: world.has_received(),
                rounds: world.rounds(),
            };
            return Ok((FromRank::Output(Box::new(statement)), output.here()));
        }
        Ok(Err(PassError::Link(lost))) => return Err(lost),
        Ok(Err(PassError::Answer(answer))) => answer,
        Err(panic) => {
            failed(progress.stage(), output_tail::text(&RankPanic::caught(&*panic).of_rank(world.rank())))
        }
    };
    Ok((answer, None))
}

/// The reason why a pass has no result.
enum PassError {
    /// The task or the verb failed, which this message reports.
    Answer(FromRank),
    /// The judge is lost.
    Link(io::Error),
}

impl From<Failure> for PassError {
    fn from(failure: Failure) -> Self {
        let reason = output_tail::text(&failure.text());
        Self::Answer(match failure {
            Failure::Invalid { reason, .. } => FromRank::Refused { reason },
            Failure::Limit { stage, .. } => FromRank::Failed { stage: Some(stage), is_late: true, reason },
            Failure::Stage { stage, .. } => failed(Some(stage), reason),
            _ => failed(None, reason),
        })
    }
}

impl From<wb_comm::Error> for PassError {
    fn from(error: wb_comm::Error) -> Self {
        Self::Answer(failed(None, output_tail::text(&error.text())))
    }
}

impl From<io::Error> for PassError {
    fn from(error: io::Error) -> Self {
        Self::Link(error)
    }
}

fn failed(stage: Option<Stage>, reason: String) -> FromRank {
    FromRank::Failed { stage, is_late: false, reason }
}

/// Reports that this rank is ready, and waits for the start; returns its time and its payload.
fn ready(link: &RunnerLink) -> io::Result<(u64, Option<Vec<u8>>)> {
    link.send(&FromRank::Ready, None)?;
    let payload = await_signal(link, &ToRank::Start)?;
    Ok((clock::now(), payload))
}

/// Reports the end of the timed region, and waits until the judge asks for the output.
fn finish_timed(link: &RunnerLink) -> io::Result<()> {
    link.send(&FromRank::Done, None)?;
    await_signal(link, &ToRank::Collect).map(drop)
}

/// Waits for this signal; returns its payload.
fn await_signal(link: &RunnerLink, signal: &ToRank) -> io::Result<Option<Vec<u8>>> {
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
