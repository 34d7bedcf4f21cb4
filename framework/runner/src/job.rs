//! A job of ranks that execute one order: its start, its deadline, and the answers of its ranks.
//!
//! The answers are the evidence that a job ran as requested. Launchers end with code 0 for jobs that were aborted, and
//! start single ranks when they belong to another library. So a job counts only when every rank has answered, sees all
//! ranks, and runs on the same machine as the others.
use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use wb_process::{Job, JobExit};
use wb_record::{Backend, ComparedClock, HostPlacement};

use crate::{
    Backends, RankPlacement, clock,
    job_loss::{JobLoss, JobWatch},
    launch, placement,
    protocol::{give_order, has_answered, read_answer, write_answer},
    stopped_ranks::StoppedRanks,
};

/// The file in a job's folder that receives its output.
pub(crate) const OUTPUT_FILE: &str = "output.txt";

/// How a job of ranks is started.
#[derive(Clone, Copy)]
pub struct JobRequest<'a> {
    /// The backends that can run ranks.
    pub backends: Backends,
    /// The kind of ranks: processes of a launcher's job, or threads of one process.
    pub backend: Backend,
    /// The number of ranks.
    pub ranks: usize,
    /// The folder of the order and the answers.
    pub folder: &'a Path,
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
    /// The file with its output.
    pub output: PathBuf,
    /// Why ranks on several hosts gave no answer, where that is known.
    pub loss: Option<JobLoss>,
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

impl<R: Serialize> RankAnswer<R> {
    /// Writes it into the folder of its job. A write error is printed on standard error, and the missing file is detected.
    pub fn write(&self, folder: &Path) {
        if let Err(error) = write_answer(folder, self.rank, self) {
            eprintln!("rank {}: cannot leave its result in {}: {error}", self.rank, folder.display());
        }
    }
}

/// How long after the first answer of a rank the others may take. Ranks end together; where one has failed, its launcher ends the others,
/// unless it waits for a host that it does not reach.
const ANSWER_MAX: Duration = Duration::from_secs(15);

/// When the first answer of a job was seen.
#[derive(Debug, Default)]
struct FirstAnswer(Option<Instant>);

impl FirstAnswer {
    /// Whether a rank has answered so long ago that the others will not.
    fn is_long_ago(&mut self, folder: &Path, ranks: usize) -> bool {
        if self.0.is_none() && (0..ranks).any(|rank| has_answered(folder, rank)) {
            self.0 = Some(Instant::now());
        }
        self.0.is_some_and(|since| since.elapsed() > ANSWER_MAX)
    }
}

/// Starts this program as the ranks of a job that executes `order`, waits for its end, and reads the answers. `adjust`
/// completes the command of a rank, `adjust_launcher` the command that starts the ranks: what it sets for a process and its children
/// reaches the ranks on this host.
///
/// # Errors
/// When the job cannot be started, or an answer cannot be read.
pub fn run_job<R: DeserializeOwned>(
    request: JobRequest<'_>,
    order: &impl Serialize,
    adjust: impl FnOnce(&mut Command),
    adjust_launcher: impl FnOnce(&mut Command),
) -> io::Result<FinishedJob<R>> {
    let JobRequest { backends, backend, ranks, folder, deadline } = request;
    let mut program = Command::new(std::env::current_exe()?);
    give_order(&mut program, folder, order)?;
    adjust(&mut program);
    // A job of threads is one process on the first host.
    let processes = if backend == Backend::Mpi { ranks } else { 1 };
    let mut watch = JobWatch::start(folder, processes, &mut program)?;
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
    let output = folder.join(OUTPUT_FILE);
    let job = Job::spawn_to_files(command, &output, &output)?;
    let (mut stopped, mut answers) = (StoppedRanks::new(&job), FirstAnswer::default());
    let exit = job.wait_unless(deadline, || {
        let mut is_lost =
            |watch: &mut JobWatch| watch.has_silent_rank(|| true) || answers.is_long_ago(folder, ranks);
        stopped.look() || watch.as_mut().is_some_and(&mut is_lost)
    })?;
    let answers: Vec<Option<RankAnswer<R>>> =
        (0..ranks).map(|rank| read_answer(folder, rank)).collect::<io::Result<_>>()?;
    let answered: BTreeSet<usize> = (0..ranks).filter(|&rank| answers[rank].is_some()).collect();
    let loss = match is_complete(answered.len(), ranks, &exit) {
        true => None,
        false => stopped.loss().or_else(|| watch.as_mut()?.loss(&exit, &output, &answered)),
    };
    Ok(FinishedJob { answers, exit, output, loss })
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

    #[test]
    fn the_first_answer_of_any_rank_begins_the_wait_for_the_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut first = FirstAnswer::default();
        assert!(!first.is_long_ago(folder.path(), 3) && first.0.is_none());
        crate::protocol::write_answer(folder.path(), 2, &"done").expect("written");
        assert!(!first.is_long_ago(folder.path(), 3) && first.0.is_some());
        first.0 = Instant::now().checked_sub(ANSWER_MAX * 2);
        assert!(first.is_long_ago(folder.path(), 3));
    }
}
