//! The rank program: a student's versions as ranks that serve a judge.
use std::{any::Any, io, process::ExitCode, rc::Rc, sync::Arc, time::Duration};

use wb_comm::{CallSite, ProcessRanks, RankFunction, Transport, Verb, input_files};
use wb_messages::{Lang, judge as text};
use wb_process::thread_exit;
use wb_record::{Backend, Version};
use wb_runner::{Backends, ProcessRank, RunnerLink, channel::RunnerAddress, on_rank_thread, output_tail};
use wb_task::{Assignment, Communication, Task};

use crate::{
    message::{FromRank, ToRank},
    rank_arguments::RankArguments,
    rank_pass::{ErasedVerb, ErasedVersion},
};

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
        match self.serve_judge(arguments, backends) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        }
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
                    if !matches!(link.and_then(|link| program.serve(&link, &world)), Ok(true)) {
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
        let served = self.serve(&link, &RankWorld { transport, process: Some(&joined) });
        joined.leave(matches!(served, Ok(true)))
    }

    /// Executes the passes that the judge orders; false when one failed on this rank, which ends the job.
    fn serve(&self, link: &RunnerLink, world: &RankWorld<'_>) -> io::Result<bool> {
        loop {
            let (answer, output) = match link.receive()? {
                (ToRank::Prepare(order), input) => {
                    let transport = world.transport(order.is_isolated)?;
                    self.version(order.version).run_pass(transport, link, &order, input)?
                }
                (ToRank::PrepareCalls(order), elements) => {
                    // Their cost would be measured; a call that fails names no line of the student's anyway.
                    wb_comm::call_stack::disable_stack_walks();
                    match &self.verbs {
                        Some(verbs) => {
                            let elements = elements.unwrap_or_default();
                            verbs.run_calls(world.transport(false)?, link, &order, &elements)?
                        }
                        None => {
                            let reason = text::no_verb(Lang::from_environment());
                            (FromRank::Failed { stage: None, is_late: false, reason }, None)
                        }
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
        let patience = if is_patient { LEAK_SEARCH_TIMEOUT } else { Duration::ZERO };
        let found = self.process.map_or_else(|| Ok(vec![]), |process| process.find_leaks(patience))?;
        let text =
            |finding: &wb_comm::Finding| finding.details.iter().map(output_tail::text).collect::<Vec<_>>();
        Ok(found.iter().map(|finding| text(finding).join("; ")).collect())
    }
}
