//! The rank program: a student's versions as ranks that serve a judge. A pass of a rank is the stages of a version, or calls of a
//! communication assignment's verb.
//!
//! The elements of every call are new: an element that a rank has from an earlier call is of no use in a later one. The root decreases by
//! one from call to call, so that no call begins before the one before it has ended (see `crate::sweep`).
use std::{
    any::Any,
    hint::black_box,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    process::ExitCode,
    rc::Rc,
    sync::Arc,
    time::Duration,
};

use wb_comm::{CallSite, ProcessRanks, RankFunction, Transport, Verb, input_files, panic_place::RankPanic};
use wb_messages::{Lang, judge as text};
use wb_process::thread_exit;
use wb_record::{Backend, Version};
use wb_runner::{
    Backends, ProcessRank, RunnerLink,
    channel::{RunnerAddress, frame},
    clock, on_rank_thread, output_tail,
};
use wb_task::{Assignment, Communication, Failure, Pipeline, Prepared, Progress, Stage, Task};
use wb_world::{Rooted, World};

use crate::judge::message::{
    FromRank, PassOrder, PassRegion, RankArguments, RankStatement, ToRank, decode_numbers, encode_numbers,
};

/// How long a message that was sent and not received is awaited.
const LEAK_SEARCH_TIMEOUT: Duration = Duration::from_millis(200);

/// The versions that ranks can execute for a judge.
#[derive(Clone)]
pub struct RankProgram {
    seq: Arc<dyn ErasedVersion>,
    mpi: Arc<dyn ErasedVersion>,
    verb: Option<Arc<dyn ErasedVerb>>,
}

impl RankProgram {
    /// The versions of a student.
    pub fn new<S, M>(seq: Arc<S>, mpi: Arc<M>) -> Self
    where
        S: Task<Problem: Assignment>,
        M: Task<Problem = S::Problem>,
    {
        Self { seq, mpi, verb: None }
    }

    /// The instructor's reference in place of both versions: it is measured through the same channel.
    pub fn reference<A: Assignment>() -> Self {
        let reference = Arc::new(A::Reference::default());
        Self { seq: Arc::clone(&reference) as Arc<dyn ErasedVersion>, mpi: reference, verb: None }
    }

    /// The same with the verb of a communication assignment: the student's, or in the program of a judge the library's.
    pub fn with_communication<C: Communication>(self, verb: Arc<C>) -> Self {
        Self { verb: Some(verb), ..self }
    }

    fn version(&self, version: Version) -> &dyn ErasedVersion {
        match version {
            Version::Mpi => &*self.mpi,
            Version::Seq | Version::Reference => &*self.seq,
        }
    }

    /// `main` of a program whose ranks serve a judge.
    pub fn main(&self, arguments: &RankArguments, backends: Backends) -> ExitCode {
        if self.serve(arguments, backends) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    /// Serves a judge until its end; returns whether that was possible.
    pub fn serve(&self, arguments: &RankArguments, backends: Backends) -> bool {
        input_files::restrict(arguments.files.clone());
        let served = self.serve_judge(arguments, backends);
        served.inspect_err(|error| eprintln!("{error}")).is_ok()
    }

    fn serve_judge(&self, arguments: &RankArguments, backends: Backends) -> io::Result<()> {
        let no_judge = || io::Error::other("the ranks of a judge are started by their judge only");
        let judge = RunnerAddress::from_environment()?.ok_or_else(no_judge)?;
        let program = self.clone();
        match (arguments.backend, backends.processes) {
            (Backend::Mpi, Some(processes)) => {
                on_rank_thread(move || program.serve_as_process(&judge, processes))
            }
            (Backend::Threads, _) => {
                let job: RankFunction = Arc::new(move |transport| {
                    let link = join(&judge, transport.rank(), transport.size(), None);
                    let world = RankWorld { transport, process: None };
                    if !matches!(link.and_then(|link| program.execute_passes(&link, &world)), Ok(true)) {
                        wb_process::exit_now(1);
                    }
                    Box::new(()) as Box<dyn Any + Send>
                });
                backends.threads.run(arguments.ranks, None, job);
                Ok(())
            }
            _ => Err(io::Error::other("this program is not linked with the backend of its judge")),
        }
    }

    /// Serves as one rank of a launcher's job.
    fn serve_as_process(
        &self,
        judge: &RunnerAddress,
        processes: &'static dyn ProcessRanks,
    ) -> io::Result<()> {
        let joined = ProcessRank::join(processes)?;
        thread_exit::register_exit_hook()?;
        let transport = joined.open()?;
        let level = processes.thread_level().map(str::to_owned);
        let link = join(judge, joined.rank, joined.size, level)?;
        let served = self.execute_passes(&link, &RankWorld { transport, process: Some(&joined) });
        joined.leave(matches!(served, Ok(true)))
    }

    /// Executes the passes that the judge orders; false when one failed on this rank, which ends the job.
    fn execute_passes(&self, link: &RunnerLink, world: &RankWorld<'_>) -> io::Result<bool> {
        loop {
            let (answer, output) = match link.receive()? {
                (ToRank::Prepare(order), input) => {
                    let transport = world.transport(order.is_isolated)?;
                    self.version(order.version).run_pass(transport, link, &order, input)?
                }
                (ToRank::PrepareCalls { count }, elements) => {
                    // Their cost would be measured; a call that fails names no line of the student's anyway.
                    wb_comm::call_stack::disable_stack_walks();
                    match &self.verb {
                        Some(verb) => {
                            let elements = elements.unwrap_or_default();
                            verb.run_calls(world.transport(false)?, link, count, &elements)?
                        }
                        None => (failed(None, text::no_verb(Lang::from_environment())), None),
                    }
                }
                (ToRank::FindLeaks { is_patient }, _) => {
                    (FromRank::Leaks(world.find_leaks(is_patient)?), None)
                }
                (ToRank::End, _) => return Ok(true),
                (other, _) => return Err(io::Error::other(format!("{other:?} between two passes"))),
            };
            link.send(&answer, output.as_deref())?;
            if matches!(answer, FromRank::Failed { .. }) {
                return Ok(false);
            }
        }
    }
}

/// Connects to the judge as this rank.
fn join(
    judge: &RunnerAddress,
    rank: usize,
    size: usize,
    thread_level: Option<String>,
) -> io::Result<Arc<RunnerLink>> {
    let link = RunnerLink::connect(judge, rank)?;
    link.send(&FromRank::Joined { size, thread_level }, None)?;
    Ok(link)
}

/// The communicators of this rank.
struct RankWorld<'a> {
    transport: Rc<dyn Transport>,
    /// This process, where it is one rank.
    process: Option<&'a ProcessRank>,
}

impl RankWorld<'_> {
    /// Collective: the communicator of the next pass.
    fn transport(&self, is_isolated: bool) -> io::Result<Rc<dyn Transport>> {
        if !is_isolated {
            return Ok(Rc::clone(&self.transport));
        }
        self.transport.dup(CallSite::caller(Verb::Agreement)).map_err(io::Error::other)
    }

    /// The leaks of the last pass, where the backend can search for them during a job.
    fn find_leaks(&self, is_patient: bool) -> io::Result<Vec<String>> {
        let timeout = if is_patient { LEAK_SEARCH_TIMEOUT } else { Duration::ZERO };
        let found = self.process.map_or_else(|| Ok(vec![]), |process| process.find_leaks(timeout))?;
        let text =
            |finding: &wb_comm::Finding| finding.details.iter().map(output_tail::text).collect::<Vec<_>>();
        Ok(found.iter().map(|finding| text(finding).join("; ")).collect())
    }
}

/// The last message of a rank in a pass, with the output where there is one.
type LastMessage = (FromRank, Option<Vec<u8>>);

/// A version with its types erased.
trait ErasedVersion: Send + Sync {
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
            let submit = |input| Pipeline::new(self, world, progress, input, order.home).limit(order.limit);
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

/// A communication assignment's verb with its type erased.
trait ErasedVerb: Send + Sync {
    /// Executes the calls over this rank's elements up to the last message, which is left to the caller.
    fn run_calls(
        &self,
        transport: Rc<dyn Transport>,
        link: &RunnerLink,
        count: usize,
        elements: &[u8],
    ) -> io::Result<LastMessage>;
}

impl<C: Communication> ErasedVerb for C {
    fn run_calls(
        &self,
        transport: Rc<dyn Transport>,
        link: &RunnerLink,
        count: usize,
        elements: &[u8],
    ) -> io::Result<LastMessage> {
        let mut data = decode_numbers(elements)?;
        run_measured(transport, |world, _| {
            let last = world.size() - 1;
            let (start, _) = ready(link)?;
            let mut root = 0;
            for call in data.chunks_exact_mut(count.max(1)) {
                self.own(world, black_box(call), root)?;
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
