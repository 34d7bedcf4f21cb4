//! A job of ranks that execute one order: its start, its deadline, and the answers of its ranks.
//!
//! The answers are the evidence that a job ran as requested. Launchers end with code 0 for jobs that were aborted, and
//! start single ranks when they belong to another library. So a job counts only when every rank has answered, sees all
//! ranks, and runs on the same machine as the others.
use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    sync::Arc,
    time::Duration,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use wb_messages::Lang;
use wb_process::{JobExit, job_status::JobStatus};
use wb_record::{Backend, ComparedClock, HostPlacement};

use crate::{
    Backends, JobEvent, LossScope, RankPlacement, RankResult, RunnerLink, RunningJob, StopReason,
    channel::ChannelEvent, clock, format::format_ranks, job_loss::JobLoss, launch, output_tail, placement,
    run_folder::RunFolder, running_job::OUTPUT_FILE,
};

/// The request for a job of ranks.
#[derive(Clone, Copy)]
pub struct JobRequest {
    /// The backends that can run ranks.
    pub backends: Backends,
    /// The kind of ranks: processes of a launcher's job, or threads of one process.
    pub backend: Backend,
    /// The number of ranks.
    pub ranks: usize,
    /// The limit of one step, which the ranks themselves watch.
    pub limit: Option<Duration>,
    /// The time after which the job is terminated.
    pub deadline: Duration,
}

/// The reason why a job has no results.
#[derive(Clone, Debug, PartialEq)]
pub struct JobFailure<S> {
    /// The subject on which a rank worked when it failed, if that is known.
    pub subject: Option<S>,
    /// The limit of one step, if it was exceeded.
    pub limit: Option<Duration>,
    /// The reason in short.
    pub reason: String,
    /// The same for the user, with lines of the job's output where they may help.
    pub details: String,
    /// The scope of the loss: what else fails for the same cause.
    pub scope: LossScope,
    /// Whether a rank ended without an answer, and no rank says why.
    pub is_silent: bool,
}

impl<S> JobFailure<S> {
    /// A failure that concerns this job alone.
    pub fn new(reason: impl Into<String>) -> Self {
        let (reason, scope) = (reason.into(), LossScope::Job);
        Self { subject: None, limit: None, details: reason.clone(), reason, scope, is_silent: false }
    }

    /// Hosts or ranks were lost: what the ranks and the launcher say about it are consequences.
    fn lost(self, loss: &JobLoss, exit: &JobExit) -> Self {
        let lang = Lang::from_environment();
        let reason = loss.describe(&output_tail::describe_exit(exit, lang), lang);
        Self { scope: loss.scope(), details: reason.clone(), reason, ..self }
    }

    /// The failure with lines of the job's output: the last ones, or the first ones of a job of which no rank has answered.
    fn with_output(self, output: &Path, has_begun: bool) -> Self {
        let lines =
            if has_begun { output_tail::last_lines(output, 0) } else { output_tail::failed_launch(output) };
        let lines: String = lines.lines().map(|line| format!("\n    {line}")).collect();
        Self { details: self.details + &lines, ..self }
    }
}

/// The answer of one rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RankAnswer<R> {
    /// The rank of the process.
    pub rank: usize,
    /// The number of ranks that it sees.
    pub size: usize,
    /// The identity of the clock that it reads: see [`clock_identity`](crate::clock::clock_identity).
    pub machine: String,
    /// The host and the processors of the rank.
    pub place: RankPlacement,
    /// The requested result.
    pub result: R,
}

impl<R> RankAnswer<R> {
    /// The answer from the calling thread.
    pub fn new(rank: usize, size: usize, result: R) -> Self {
        let (machine, place) = (clock::clock_identity(), RankPlacement::of_this_thread());
        Self { rank, size, machine, place, result }
    }
}

/// A message from a member of the job to its runner.
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

/// Starts this program as the ranks of a job that executes `order`, waits for its end, and returns the answers of all ranks, by rank. `adjust`
/// completes the command of a rank, `adjust_launcher` the command that starts the ranks: what it sets for a process and its children
/// reaches the ranks on this host.
///
/// # Errors
/// The reason why the job does not count.
pub fn run_job<R: RankResult>(
    request: JobRequest,
    order: &impl Serialize,
    adjust: impl FnOnce(&mut Command),
    adjust_launcher: impl FnOnce(&mut Command),
) -> Result<Vec<RankAnswer<R>>, JobFailure<R::Subject>> {
    let failed = |error: io::Error| JobFailure::new(error.to_string());
    let JobRequest { backends, backend, ranks, limit, deadline } = request;
    let mut program = Command::new(std::env::current_exe().map_err(failed)?);
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
    let job: FinishedJob<R> =
        collect_answers((members, ranks), program, launch, order, deadline).map_err(failed)?;
    evidence(&job.answers, (limit, deadline), &job.exit).map_err(|failure| {
        let (output, has_begun) = (job.output(), job.answers.iter().any(Option::is_some));
        let mut failures = job.answers.iter().flatten().filter_map(|answer| answer.result.failure());
        // A rank without memory, or one that panicked, says it itself; limits are consequences of a loss.
        let is_explained = failures.any(|(_, reason)| reason.is_cause());
        match &job.loss {
            Some(loss) if loss.is_lasting() => failure.lost(loss, &job.exit),
            // The worker ended itself: the launcher's output about that does not help.
            Some(loss) if failure.limit.is_some() && loss.is_hint() => {
                let hint = loss.describe("", Lang::from_environment());
                JobFailure { details: format!("{}; {hint}", failure.details), ..failure }
            }
            _ if failure.limit.is_some() || is_explained => failure,
            Some(loss) => failure.lost(loss, &job.exit).with_output(&output, has_begun),
            None => failure.with_output(&output, has_begun),
        }
    })
}

/// The answers, only when every rank has answered, sees all the others and has succeeded, and the job has ended by itself.
fn evidence<R: RankResult>(
    answers: &[Option<RankAnswer<R>>],
    (limit, deadline): (Option<Duration>, Duration),
    exit: &JobExit,
) -> Result<Vec<RankAnswer<R>>, JobFailure<R::Subject>> {
    let asked = answers.len();
    let given: Vec<&RankAnswer<R>> = answers.iter().flatten().collect();
    if let Some(RankAnswer { rank, size, .. }) = given.iter().find(|answer| answer.size != asked) {
        return Err(JobFailure::new(format!(
            "{asked} ranks were asked for and rank {rank} sees {size}: the launcher does not belong to the linked library"
        )));
    }
    if let Some(failure) = reported_failure(&given, limit) {
        return Err(failure);
    }
    if exit.has_timed_out {
        let reason = match given.len() == asked {
            true => "all ranks left a result, but the job did not end".to_owned(),
            false => format!("still running after {:.1} s, ended", deadline.as_secs_f64()),
        };
        return Err(JobFailure { is_silent: given.len() < asked, ..JobFailure::new(reason) });
    }
    if let Some(missing) = format_ranks((0..asked).filter(|&rank| answers[rank].is_none())) {
        let status = output_tail::describe_status(exit.status, Lang::from_environment());
        let reason = format!("no result from rank(s) {missing} of {asked}; {status}");
        return Err(JobFailure { is_silent: true, ..JobFailure::new(reason) });
    }
    if !exit.status.success() {
        return Err(JobFailure::new(format!("all ranks left a result, but then: {}", exit.status)));
    }
    Ok(given.into_iter().cloned().collect())
}

/// The failure that the ranks themselves report, if any does. A rank without memory, one that panicked and a limit have precedence,
/// because they cause the messages of other ranks.
fn reported_failure<R: RankResult>(
    given: &[&RankAnswer<R>],
    limit: Option<Duration>,
) -> Option<JobFailure<R::Subject>> {
    let mut failed: Vec<_> = given.iter().filter_map(|answer| answer.result.failure()).collect();
    if failed.iter().any(|(_, reason)| reason.is_cause()) {
        failed.retain(|(_, reason)| reason.is_cause());
    }
    let limited = failed.iter().find(|(_, reason)| matches!(reason, StopReason::TimeLimit(_)));
    if let Some((subject, reason)) = limited {
        let failure = JobFailure { subject: subject.cloned(), ..JobFailure::new(reason.text()) };
        return Some(JobFailure { limit: Some(limit.unwrap_or_default()), ..failure });
    }
    let subject = failed.first()?.0.cloned();
    let mut reasons: Vec<&str> = failed.iter().map(|(_, reason)| reason.text()).collect();
    reasons.dedup();
    Some(JobFailure { subject, ..JobFailure::new(reasons.join("; ")) })
}

/// The results of a job.
#[derive(Debug)]
pub(crate) struct FinishedJob<R> {
    /// The answer of each rank that gave one, by rank.
    pub(crate) answers: Vec<Option<RankAnswer<R>>>,
    /// The end of its process.
    pub(crate) exit: JobExit,
    folder: Option<RunFolder>,
    /// The reason why ranks on several hosts gave no answer, where that is known.
    loss: Option<JobLoss>,
}

impl<R> FinishedJob<R> {
    /// The file with its output, which exists as long as this value.
    pub(crate) fn output(&self) -> PathBuf {
        self.folder.as_ref().map(|folder| folder.path().join(OUTPUT_FILE)).unwrap_or_default()
    }
}

/// Starts a job of processes that together have `ranks` ranks, waits for its end, and collects the answers.
pub(crate) fn collect_answers<R: DeserializeOwned + Send + 'static>(
    (members, ranks): (usize, usize),
    program: Command,
    launch: impl FnOnce(Command) -> io::Result<Command>,
    order: &impl Serialize,
    deadline: Duration,
) -> io::Result<FinishedJob<R>> {
    let folder = RunFolder::create()?;
    // An observer then sees no job; it is measured all the same.
    let _unpublished = JobStatus::new(String::new(), None).publish(folder.path());
    let mut job = RunningJob::start(members, program, folder, launch)?;
    job.set_deadline(Some(deadline));
    let mut answers: Vec<Option<RankAnswer<R>>> = (0..ranks).map(|_| None).collect();
    let exit = loop {
        match job.next_event(deadline)? {
            JobEvent::Member(ChannelEvent::Joined { member, .. }) => job.send(member, order),
            JobEvent::Member(ChannelEvent::Message { message: RankMessage::Answer(answer), .. })
                if answer.rank < ranks =>
            {
                if launch::places_ranks() && answers.iter().all(Option::is_none) {
                    job.set_deadline(Some(ANSWER_MAX));
                }
                let rank = answer.rank;
                answers[rank] = Some(answer);
            }
            JobEvent::Ended(exit) => break exit,
            JobEvent::Member(_) | JobEvent::Idle => {}
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

/// The hosts of the ranks, whose names are added to the clocks that they compared. Ranks that read several clocks count only where exactly
/// these clocks were compared.
///
/// # Errors
/// The reason why the times of the ranks cannot be compared, or a rank outside of the affinity mask of this process.
pub fn hosts_of_ranks<R>(
    answers: &[RankAnswer<R>],
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
    use crate::RankEnd;

    type Result = RankEnd<u32, String>;

    fn exit(code: i32, has_timed_out: bool) -> JobExit {
        JobExit { status: ExitStatus::from_raw(code << 8), has_timed_out, elapsed: ANSWER_MAX }
    }

    fn answer(rank: usize, result: Result) -> Option<RankAnswer<Result>> {
        Some(RankAnswer::new(rank, 2, result))
    }

    fn failed(reason: StopReason) -> Result {
        Result::Failed { subject: Some("small".into()), reason }
    }

    fn evaluate(answers: &[Option<RankAnswer<Result>>], exit: JobExit) -> std::result::Result<usize, String> {
        let limits = (Some(Duration::from_secs(10)), Duration::from_secs(9));
        let found = evidence(answers, limits, &exit);
        found.map(|answers| answers.len()).map_err(|failure| match failure.limit {
            Some(limit) => {
                format!("{} in {limit:?}: {}", failure.subject.unwrap_or_default(), failure.reason)
            }
            None => format!("{}{}", if failure.is_silent { "silent: " } else { "" }, failure.reason),
        })
    }

    #[test]
    fn a_job_is_complete_where_all_ranks_have_answered_and_ended_by_themselves() {
        let all = [exit(0, false), exit(9, false), exit(0, true)];
        assert_eq!(all.map(|exit| is_complete(3, 3, &exit)), [true, false, false]);
    }

    #[test]
    fn a_job_counts_when_every_rank_has_answered_and_the_job_has_ended_well() {
        let both = [answer(0, Result::Done(1)), answer(1, Result::Done(1))];
        assert_eq!(evaluate(&both, exit(0, false)), Ok(2));
        let refused = |exit, start: &str| {
            let reason = evaluate(&both, exit).expect_err(start);
            assert!(reason.starts_with(start), "{reason}");
        };
        refused(exit(3, false), "all ranks left a result, but then: ");
        refused(exit(0, true), "all ranks left a result, but the job did not end");
        let one = [answer(0, Result::Done(1)), None];
        let late = evaluate(&one, exit(0, true)).expect_err("rank 1 is late");
        assert_eq!(late, "silent: still running after 9.0 s, ended");
        let missing = evaluate(&one, exit(0, false)).expect_err("rank 1 is missing");
        assert!(missing.starts_with("silent: no result from rank(s) 1 of 2; "), "{missing}");
        let singletons = [Some(RankAnswer::new(0, 1, Result::Done(1))), None];
        let refused = evaluate(&singletons, exit(0, false)).expect_err("a world of one");
        assert!(refused.contains("2 ranks were asked for and rank 0 sees 1"), "{refused}");
    }

    #[test]
    fn a_cause_comes_before_a_limit_and_a_limit_before_the_errors_of_others() {
        let follower = || answer(0, failed(StopReason::Error("rank 1 ended".into())));
        for cause in [
            StopReason::OutOfMemory("rank 1 asked for 8 TB".into()),
            StopReason::Panic("rank 1 panicked: lost (mpi.rs:7:1)".into()),
        ] {
            let text = cause.text().to_owned();
            assert_eq!(evaluate(&[follower(), answer(1, failed(cause))], exit(1, false)), Err(text));
        }
        let late = answer(1, failed(StopReason::TimeLimit("rank 1 in recv".into())));
        let refused = evaluate(&[follower(), late], exit(1, false));
        assert_eq!(refused, Err("small in 10s: rank 1 in recv".into()));
    }
}
