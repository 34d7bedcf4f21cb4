//! The rank program: a student's versions as ranks that serve a judge.
use std::{
    any::Any,
    io,
    process::ExitCode,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use wb_comm::{CallSite, JobHandle, ProcessRanks, RankFunction, Transport, Verb, input_files, panic_place};
use wb_messages::{Lang, judge as text};
use wb_process::thread_exit;
use wb_record::{Backend, Version};
use wb_runner::{Backends, RunnerLink, channel::RunnerAddress, output_tail};
use wb_task::{Assignment, Communication, Task};

use crate::{
    message::{CallOrder, FromRank, PassRegion, ToRank},
    rank_arguments::RankArguments,
    rank_calls::ErasedVerb,
    rank_pass::{ErasedVersion, RankPassEnd},
};

/// A rank's stack, as in measurements without a judge.
const STACK_BYTES: usize = 8 << 20;

/// How long a message that was sent and not received is awaited.
const LEAK_SEARCH_TIMEOUT: Duration = Duration::from_millis(200);

/// The versions that ranks can execute for a judge.
#[derive(Clone)]
pub struct RankProgram {
    seq: Arc<dyn ErasedVersion>,
    mpi: Arc<dyn ErasedVersion>,
    verbs: Option<Arc<dyn ErasedVerb>>,
}

impl RankProgram {
    /// The versions of a student.
    pub fn new<S, M>(seq: Arc<S>, mpi: Arc<M>) -> Self
    where
        S: Task<Problem: Assignment>,
        M: Task<Problem = S::Problem>,
    {
        Self { seq, mpi, verbs: None }
    }

    /// The instructor's reference in place of both versions: it is measured through the same channel.
    pub fn reference<A: Assignment>() -> Self {
        let reference = Arc::new(A::Reference::default());
        Self { seq: Arc::clone(&reference) as Arc<dyn ErasedVersion>, mpi: reference, verbs: None }
    }

    /// The same with the verbs of a communication assignment.
    pub fn with_communication<C: Communication>(self, verbs: Arc<C>) -> Self {
        Self { verbs: Some(verbs), ..self }
    }

    fn version(&self, version: Version) -> &dyn ErasedVersion {
        match version {
            Version::Mpi => &*self.mpi,
            Version::Seq | Version::Reference => &*self.seq,
        }
    }

    /// `main` of a program whose ranks serve a judge.
    pub fn main(&self, arguments: &RankArguments, backends: Backends) -> ExitCode {
        input_files::restrict(arguments.files.clone());
        let served = match RunnerAddress::from_environment() {
            Ok(Some(judge)) => self.serve_judge(arguments, judge, backends),
            Ok(None) => Err(io::Error::other("the ranks of a judge are started by their judge only")),
            Err(error) => Err(error),
        };
        match served {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        }
    }

    fn serve_judge(
        &self,
        arguments: &RankArguments,
        judge: RunnerAddress,
        backends: Backends,
    ) -> io::Result<()> {
        match (arguments.backend, backends.processes) {
            (Backend::Mpi, Some(processes)) => self.serve_on_thread(judge, processes),
            (Backend::Threads, _) => self.serve_as_threads(arguments.ranks, judge, backends),
            _ => Err(io::Error::other("this program is not linked with the backend of its judge")),
        }
    }

    /// Serves as one rank of a launcher's job, on a thread with an ordinary stack.
    fn serve_on_thread(&self, judge: RunnerAddress, processes: &'static dyn ProcessRanks) -> io::Result<()> {
        let program = self.clone();
        let thread = thread::Builder::new().name("rank".into()).stack_size(STACK_BYTES);
        let ended = thread.spawn(move || program.serve_as_process(&judge, processes))?.join();
        ended.unwrap_or_else(|panic| Err(io::Error::other(panic_place::panic_text(&*panic))))
    }

    fn serve_as_process(
        &self,
        judge: &RunnerAddress,
        processes: &'static dyn ProcessRanks,
    ) -> io::Result<()> {
        wb_process::die_with_parent()?;
        let handle = processes.init().map_err(io::Error::other)?;
        thread_exit::register_exit_hook()?;
        let world = RankWorld::of_process(&*handle)?;
        let level = processes.thread_level().map(str::to_owned);
        let link = join(judge, handle.rank(), handle.size(), level)?;
        let served = self.serve(&link, &world);
        drop(world);
        if !matches!(served, Ok(true)) {
            // The others may wait for this rank for ever; its end makes the launcher end them.
            processes.skip_finalize();
            wb_process::exit_now(1);
        }
        handle.free_communicators().map_err(io::Error::other)
    }

    fn serve_as_threads(&self, ranks: usize, judge: RunnerAddress, backends: Backends) -> io::Result<()> {
        let program = self.clone();
        let has_failed = Arc::new(AtomicBool::new(false));
        let failed = Arc::clone(&has_failed);
        let job: RankFunction = Arc::new(move |transport| {
            let (rank, size) = (transport.rank(), transport.size());
            let served = join(&judge, rank, size, None)
                .and_then(|link| program.serve(&link, &RankWorld { transport, handle: None }));
            if !matches!(served, Ok(true)) {
                failed.store(true, Ordering::SeqCst);
                wb_process::exit_now(1);
            }
            Box::new(()) as Box<dyn Any + Send>
        });
        backends.threads.run(ranks, None, job);
        if has_failed.load(Ordering::SeqCst) { Err(io::Error::other("a rank has failed")) } else { Ok(()) }
    }

    fn run_calls(
        &self,
        transport: Rc<dyn Transport>,
        link: &RunnerLink,
        order: &CallOrder,
        elements: &[u8],
    ) -> io::Result<RankPassEnd> {
        // Their cost would be measured; a call that fails names no line of the student's anyway.
        wb_comm::call_stack::disable_stack_walks();
        match &self.verbs {
            Some(verbs) => verbs.run_calls(transport, link, order, elements),
            None => {
                let reason = text::no_verb(Lang::from_environment());
                Ok(RankPassEnd::Answered(FromRank::Failed { stage: None, is_late: false, reason }))
            }
        }
    }

    /// Executes the passes that the judge orders; false when one failed on this rank, which ends the job.
    fn serve(&self, link: &RunnerLink, world: &RankWorld<'_>) -> io::Result<bool> {
        loop {
            let (region, ended) = match link.receive()? {
                (ToRank::Prepare(order), input) => {
                    let transport = world.transport(order.is_isolated)?;
                    let ended = self.version(order.version).run_pass(transport, link, &order, input)?;
                    (order.region, ended)
                }
                (ToRank::PrepareCalls(order), elements) => {
                    let elements = elements.unwrap_or_default();
                    (PassRegion::Run, self.run_calls(world.transport(false)?, link, &order, &elements)?)
                }
                (ToRank::FindLeaks { is_patient }, _) => {
                    link.send(&FromRank::Leaks(world.find_leaks(is_patient)?), None)?;
                    continue;
                }
                (ToRank::End, _) => return Ok(true),
                (other, _) => return Err(io::Error::other(format!("{other:?} between two passes"))),
            };
            match ended {
                RankPassEnd::Answered(answer) => {
                    link.send(&answer, None)?;
                    if matches!(answer, FromRank::Failed { .. }) {
                        return Ok(false);
                    }
                }
                RankPassEnd::Finished(_, _) if region == PassRegion::Nothing => {
                    link.send(&FromRank::Done, None)?;
                }
                RankPassEnd::Finished(statement, output) => {
                    link.send(&FromRank::Output(statement), output.as_deref())?;
                }
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
    /// The job, of a rank that is a process.
    handle: Option<&'a dyn JobHandle>,
}

impl<'a> RankWorld<'a> {
    fn of_process(handle: &'a dyn JobHandle) -> io::Result<Self> {
        let transport = handle.open_communicator(handle.size()).map_err(io::Error::other)?;
        let transport = transport.expect("a communicator of all ranks has this one");
        Ok(Self { transport, handle: Some(handle) })
    }

    /// Collective: the communicator of the next pass.
    fn transport(&self, is_isolated: bool) -> io::Result<Rc<dyn Transport>> {
        if !is_isolated {
            return Ok(Rc::clone(&self.transport));
        }
        self.transport.dup(CallSite::caller(Verb::Agreement)).map_err(io::Error::other)
    }

    /// The leaks of the last pass, where the backend can search for them during a job.
    fn find_leaks(&self, is_patient: bool) -> io::Result<Vec<String>> {
        let patience = if is_patient { LEAK_SEARCH_TIMEOUT } else { Duration::ZERO };
        let Some(handle) = self.handle else { return Ok(vec![]) };
        let found = handle.find_leaks(patience).map_err(io::Error::other)?;
        let text =
            |finding: &wb_comm::Finding| finding.details.iter().map(output_tail::text).collect::<Vec<_>>();
        Ok(found.iter().map(|finding| text(finding).join("; ")).collect())
    }
}
