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

use serde::{Serialize, de::DeserializeOwned};
use wb_process::{Job, JobExit};
use wb_record::Backend;

use crate::{
    Backends,
    job_loss::{JobLoss, JobWatch},
    launch,
    protocol::{give_order, has_answered, read_answer},
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
pub struct FinishedJob<A> {
    /// The answer of each rank that gave one, by rank.
    pub answers: Vec<Option<A>>,
    /// How its process ended.
    pub exit: JobExit,
    /// The file with its output.
    pub output: PathBuf,
    /// Why ranks on several hosts gave no answer, where that is known.
    pub loss: Option<JobLoss>,
}

/// The common fields of every rank's answer.
pub trait RankAnswer: Serialize + DeserializeOwned {
    /// The rank.
    fn rank(&self) -> usize;

    /// The number of ranks that it sees.
    fn size(&self) -> usize;

    /// The identity of the clock that it reads: see [`clock_identity`](crate::clock::clock_identity).
    fn machine(&self) -> &str;
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
pub fn run_job<A: DeserializeOwned>(
    request: JobRequest<'_>,
    order: &impl Serialize,
    adjust: impl FnOnce(&mut Command),
    adjust_launcher: impl FnOnce(&mut Command),
) -> io::Result<FinishedJob<A>> {
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
    let answers: io::Result<Vec<Option<A>>> = (0..ranks).map(|rank| read_answer(folder, rank)).collect();
    let answers = answers?;
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
pub fn size_mismatch<A: RankAnswer>(asked: usize, answers: &[&A]) -> Option<String> {
    let answer = answers.iter().find(|answer| answer.size() != asked)?;
    let (rank, sees) = (answer.rank(), answer.size());
    Some(format!(
        "{asked} ranks were asked for and rank {rank} sees {sees}: the launcher does not belong to the linked library"
    ))
}

/// The reason why the times of the ranks cannot be compared: they run on different machines.
pub fn machine_mismatch<A: RankAnswer>(answers: &[&A]) -> Option<String> {
    let first = answers.first()?;
    let other = answers.iter().find(|answer| answer.machine() != first.machine())?;
    let (one, two) = (first.rank(), other.rank());
    Some(format!(
        "ranks {one} and {two} run on different machines and share no clock; start all of them on one"
    ))
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
