//! A job of ranks that execute one order: its start, its deadline, and the answers of its ranks.
//!
//! The answers are the evidence that a job ran as requested. Launchers end with code 0 for jobs that were aborted, and
//! start single ranks when they belong to another library. So a job counts only when every rank has answered, sees all
//! ranks, and runs on the same machine as the others.
use std::{
    collections::BTreeSet,
    io,
    path::PathBuf,
    process::{Command, ExitCode},
    sync::Arc,
    time::Duration,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use wb_process::JobExit;
use wb_record::{Backend, ComparedClock, HostPlacement};

use crate::{
    Backends, JobEvent, RankPlacement, RunnerLink, RunningJob, clock, job_loss::JobLoss, launch, placement,
    run_folder::RunFolder, running_job::OUTPUT_FILE,
};

/// How a job of ranks is started.
#[derive(Clone, Copy)]
pub struct JobRequest {
    /// The backends that can run ranks.
    pub backends: Backends,
    /// The kind of ranks: processes of a launcher's job, or threads of one process.
    pub backend: Backend,
    /// The number of ranks.
    pub ranks: usize,
    /// The time after which the job is terminated.
    pub deadline: Duration,
}

/// The results of a job.
#[derive(Debug)]
pub struct FinishedJob<R> {
    /// The answer of each rank that gave one, by rank.
    pub answers: Vec<Option<RankAnswer<R>>>,
    /// How its process ended.
    pub exit: JobExit,
    folder: Option<RunFolder>,
    /// Why ranks on several hosts gave no answer, where that is known.
    pub loss: Option<JobLoss>,
}

impl<R> FinishedJob<R> {
    /// The file with its output, which exists as long as this value.
    pub fn output(&self) -> PathBuf {
        self.folder.as_ref().map(|folder| folder.path().join(OUTPUT_FILE)).unwrap_or_default()
    }
}

/// The answer of one rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RankAnswer<R> {
    /// Its rank.
    pub rank: usize,
    /// The number of ranks that it sees.
    pub size: usize,
    /// The identity of the clock that it reads: see [`clock_identity`](crate::clock::clock_identity).
    pub machine: String,
    /// Its host and its processors.
    pub place: RankPlacement,
    /// What it was asked for.
    pub result: R,
}

impl<R> RankAnswer<R> {
    /// The answer from the calling thread.
    pub fn new(rank: usize, size: usize, result: R) -> Self {
        let (machine, place) = (clock::clock_identity(), RankPlacement::of_this_thread());
        Self { rank, size, machine, place, result }
    }
}

/// From a member of the job to its runner.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum RankMessage<R> {
    /// The ranks of this process have begun.
    Begun,
    /// The answer of a rank, in place of an earlier one.
    Answer(RankAnswer<R>),
}

/// Where the ranks of a process leave their answers. The last answer of a rank counts.
pub type Answers<R> = Arc<dyn Fn(RankAnswer<R>) + Send + Sync>;

/// The way of a process that executes an order to its runner.
#[derive(Clone, Debug)]
pub struct AnswerLink(Arc<RunnerLink>);

impl AnswerLink {
    /// Where its ranks leave their answers. An error is printed on standard error, and the missing answer is detected.
    pub fn answers<R: Serialize>(&self) -> Answers<R> {
        let link = Arc::clone(&self.0);
        Arc::new(move |answer| {
            let rank = answer.rank;
            if let Err(error) = link.send(&RankMessage::Answer(answer), None) {
                eprintln!("rank {rank}: cannot send its answer: {error}");
            }
        })
    }
}

/// Executes the order of this process, if it has a runner: `execute` returns whether all its ranks succeeded. The process ends when its
/// runner does.
pub fn execute_order<O: DeserializeOwned>(
    execute: impl FnOnce(O, &AnswerLink) -> io::Result<bool>,
) -> Option<ExitCode> {
    let execute = || {
        let Some(link) = RunnerLink::from_environment()? else { return Ok(None) };
        let (order, _) = link.receive()?;
        link.listen(|()| {})?;
        link.send(&RankMessage::<()>::Begun, None)?;
        execute(order, &AnswerLink(link)).map(Some)
    };
    match execute() {
        Ok(None) => None,
        Ok(Some(true)) => Some(ExitCode::SUCCESS),
        Ok(Some(false)) => Some(ExitCode::FAILURE),
        Err(error) => {
            eprintln!("{error}");
            Some(ExitCode::FAILURE)
        }
    }
}

/// How long after the first answer of a rank the others may take. Ranks end together; where one has failed, its launcher ends the others,
/// unless it waits for a host that it does not reach.
const ANSWER_MAX: Duration = Duration::from_secs(15);

/// Starts this program as the ranks of a job that executes `order`, waits for its end, and collects the answers. `adjust`
/// completes the command of a rank, `adjust_launcher` the command that starts the ranks: what it sets for a process and its children
/// reaches the ranks on this host.
///
/// # Errors
/// When the job cannot be started.
pub fn run_job<R: DeserializeOwned + Send + 'static>(
    request: JobRequest,
    order: &impl Serialize,
    adjust: impl FnOnce(&mut Command),
    adjust_launcher: impl FnOnce(&mut Command),
) -> io::Result<FinishedJob<R>> {
    let JobRequest { backends, backend, ranks, deadline } = request;
    let mut program = Command::new(std::env::current_exe()?);
    adjust(&mut program);
    let launch = |program: Command| {
        let mut command = match (backend, backends.processes) {
            (Backend::Mpi, Some(processes)) => {
                launch::on_ranks(&processes.library(), ranks, &program).map_err(io::Error::other)?
            }
            (_, Some(processes)) => {
                launch::on_first_host(&processes.library(), program).map_err(io::Error::other)?
            }
            (_, None) => program,
        };
        adjust_launcher(&mut command);
        Ok(command)
    };
    // A job of threads is one process on the first host.
    let members = if backend == Backend::Mpi { ranks } else { 1 };
    collect_answers((members, ranks), program, launch, order, deadline)
}

/// Starts a job of processes that together have so many ranks, waits for its end, and collects the answers.
pub(crate) fn collect_answers<R: DeserializeOwned + Send + 'static>(
    (members, ranks): (usize, usize),
    program: Command,
    launch: impl FnOnce(Command) -> io::Result<Command>,
    order: &impl Serialize,
    deadline: Duration,
) -> io::Result<FinishedJob<R>> {
    let mut job = RunningJob::start(members, program, RunFolder::create()?, launch)?;
    job.set_deadline(Some(deadline));
    let mut answers: Vec<Option<RankAnswer<R>>> = (0..ranks).map(|_| None).collect();
    let exit = loop {
        match job.next_event(deadline)? {
            JobEvent::Joined(member, _) => job.send(member, order),
            JobEvent::Message(_, RankMessage::Answer(answer)) if answer.rank < ranks => {
                if launch::places_ranks() && answers.iter().all(Option::is_none) {
                    job.set_deadline(Some(ANSWER_MAX));
                }
                let rank = answer.rank;
                answers[rank] = Some(answer);
            }
            JobEvent::Ended(exit) => break exit,
            JobEvent::Message(..) | JobEvent::Closed(_) | JobEvent::Idle => {}
        }
    };
    let answered: BTreeSet<usize> = (0..ranks).filter(|&rank| answers[rank].is_some()).collect();
    let is_complete = is_complete(answered.len(), ranks, &exit);
    let loss = if is_complete { None } else { job.loss(&exit, &answered) };
    Ok(FinishedJob { answers, exit, folder: job.into_folder(), loss })
}

/// Whether all ranks have answered and have ended by themselves: one that answered may be stopped or killed before its end.
fn is_complete(answered: usize, ranks: usize, exit: &JobExit) -> bool {
    answered == ranks && exit.is_success()
}

/// The reason why the answers are not those of a job of `asked` ranks: a rank sees another number of ranks.
pub fn size_mismatch<R>(asked: usize, answers: &[&RankAnswer<R>]) -> Option<String> {
    let RankAnswer { rank, size: sees, .. } = answers.iter().find(|answer| answer.size != asked)?;
    Some(format!(
        "{asked} ranks were asked for and rank {rank} sees {sees}: the launcher does not belong to the linked library"
    ))
}

/// The hosts of the ranks, whose names are added to the clocks that they compared. Ranks that read several clocks count only where exactly
/// these clocks were compared.
///
/// # Errors
/// The reason why the times of the ranks cannot be compared, or a rank outside of the affinity mask of this process.
pub fn hosts_of_ranks<R>(
    answers: &[&RankAnswer<R>],
    compared: &mut [ComparedClock],
) -> Result<Vec<HostPlacement>, String> {
    let clocks: BTreeSet<&str> = answers.iter().map(|answer| &*answer.machine).collect();
    if compared.len() != clocks.len()
        && let Some(other) = answers.iter().find(|answer| answer.machine != answers[0].machine)
    {
        let (one, two) = (answers[0].rank, other.rank);
        return Err(format!(
            "ranks {one} and {two} run on different machines and share no clock; start all of them on one"
        ));
    }
    for clock in compared {
        clock.host.clone_from(&answers[clock.first_rank as usize].place.host);
    }
    let mask = if launch::places_ranks() { None } else { wb_process::restricted_cpus() };
    placement::hosts_within(mask.as_ref(), answers.iter().map(|answer| &answer.place))
}

#[cfg(test)]
mod tests {
    use std::{os::unix::process::ExitStatusExt, process::ExitStatus};

    use super::*;

    #[test]
    fn a_job_is_complete_where_all_ranks_have_answered_and_ended_by_themselves() {
        let ended = |status, has_timed_out| {
            let exit = JobExit { status: ExitStatus::from_raw(status), has_timed_out, elapsed: ANSWER_MAX };
            is_complete(3, 3, &exit)
        };
        assert_eq!([ended(0, false), ended(9, false), ended(0, true)], [true, false, false]);
    }
}
