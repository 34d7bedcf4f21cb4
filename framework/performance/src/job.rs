//! One job: its command, its deadline, and the evidence that it executed its order.
use std::{path::Path, time::Duration};

use wb_messages::{Lang, number, performance as text};
use wb_process::JobExit;
use wb_record::{RankTrace, SeriesFailure};
use wb_runner::{
    Backends, JobLoss, LossScope, StopReason,
    format::format_ranks,
    job::{FinishedJob, JobRequest, hosts_of_ranks, run_job, size_mismatch},
    output_tail,
};

use super::{
    forced::ForcedAlgorithm,
    job_spec::{Findings, JobSpec, JobWork, RankAnswer, RankResult},
    order::WorkerOrder,
};

/// The time for the start and the end of a job.
const SETUP: Duration = Duration::from_secs(30);

/// Passes of a workload that do not count towards its budget: in place, warm-up and the last one, in both modes, with
/// the checks of their outputs.
const FREE_PASSES: u32 = 8;

/// The deadline of a job whose passes have no limit.
const UNLIMITED: Duration = Duration::from_secs(7 * 24 * 3600);

/// The reason why a job has no findings.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JobFailure {
    /// The current workload, if the job had started one.
    pub(crate) workload: Option<String>,
    /// The failure as recorded.
    pub(crate) failure: SeriesFailure,
    /// The details for the user: the positions of the ranks and their messages.
    pub(crate) details: String,
    /// What else fails for the same cause.
    pub(crate) scope: LossScope,
}

impl JobFailure {
    pub(crate) fn crashed(reason: impl Into<String>) -> Self {
        let reason = reason.into();
        let failure = SeriesFailure::Crashed { reason: reason.clone() };
        Self { workload: None, failure, details: reason, scope: LossScope::Job }
    }

    /// Hosts or ranks were lost: what the ranks and the launcher say about it are consequences.
    fn lost(loss: &JobLoss, exit: JobExit, workload: Option<String>) -> Self {
        let lang = Lang::from_environment();
        let how = output_tail::describe_exit(&exit, lang);
        Self { workload, scope: loss.scope(), ..Self::crashed(loss.describe(&how, lang)) }
    }

    /// The failure as text for the user.
    pub(crate) fn render(&self, lang: Lang) -> String {
        match (&self.failure, &self.workload) {
            (SeriesFailure::Limit { limit_s }, Some(workload)) => {
                text::limit_is_over(lang, number::shortest(lang, *limit_s), workload, &self.details)
            }
            _ => self.details.clone(),
        }
    }
}

/// The findings of the ranks of a job, and the objection of an oracle to an output.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JobResult {
    /// The same on all ranks.
    pub(crate) findings: Findings,
    /// The first objection of an oracle.
    pub(crate) oracle_error: Option<String>,
    /// The calls of each rank, if they were requested.
    pub(crate) traces: Vec<RankTrace>,
}

/// Runs the job that executes `order`, at most until its deadline, and examines its answers.
pub(crate) fn run(
    order: &JobSpec,
    backends: Backends,
    forced: Option<ForcedAlgorithm>,
) -> Result<JobResult, JobFailure> {
    let (ranks, deadline) = (order.ranks, deadline(order));
    let request = JobRequest { backends, backend: order.backend, ranks, deadline };
    let force = |command: &mut _| forced.into_iter().for_each(|forced| forced.apply(command));
    let job = run_job(request, &WorkerOrder::Measure(order.clone()), force, |_| {})
        .map_err(|error| JobFailure::crashed(error.to_string()))?;
    let output = job.output();
    let FinishedJob { answers, exit, loss, .. } = &job;
    let exit = *exit;
    let has_begun = answers.iter().any(Option::is_some);
    let append_output = |details| append_output(details, &output, has_begun);
    let mut failures = answers.iter().flatten().filter_map(|answer: &RankAnswer| answer.result.end.failure());
    let is_explained = failures.any(|(_, reason)| reason.is_cause());
    evidence(order, answers, exit, deadline).map_err(|failed| match (failed.failure.clone(), loss) {
        // A rank without memory, or one that panicked, says it itself; limits are consequences of a loss.
        (_, Some(loss)) if loss.is_lasting() => JobFailure::lost(loss, exit, failed.workload),
        (SeriesFailure::Crashed { .. }, Some(loss)) if !is_explained => {
            let lost = JobFailure::lost(loss, exit, failed.workload);
            JobFailure { details: append_output(lost.details), ..lost }
        }
        // The worker ended itself: the launcher's output about that does not help.
        (SeriesFailure::Limit { .. }, Some(loss)) if loss.is_hint() => {
            let hint = loss.describe("", Lang::from_environment());
            JobFailure { details: format!("{}; {hint}", failed.details), ..failed }
        }
        (SeriesFailure::Limit { .. }, _) => failed,
        _ if is_explained => failed,
        _ => JobFailure { details: append_output(failed.details), ..failed },
    })
}

/// The time after which a job is terminated. The worker itself interrupts single passes earlier; this deadline is for a
/// job that hangs between them.
fn deadline(order: &JobSpec) -> Duration {
    let Some(limit) = order.limit else { return UNLIMITED };
    let budget = order.sampling.budget;
    SETUP
        + match &order.work {
            JobWork::Series(requests) => (limit * FREE_PASSES + budget * 2) * requests.len() as u32,
            JobWork::Sweep(counts) => limit + (limit + budget) * counts.len() as u32,
            JobWork::Count(counts) => limit * counts.len() as u32,
            JobWork::Trace(_) => limit * FREE_PASSES,
        }
}

/// The findings, only when every rank has answered, sees all the others, runs on the same machine and found the same.
fn evidence(
    order: &JobSpec,
    answers: &[Option<RankAnswer>],
    ended: JobExit,
    deadline: Duration,
) -> Result<JobResult, JobFailure> {
    let asked = order.ranks;
    let given: Vec<&RankAnswer> = answers.iter().flatten().collect();
    if let Some(reason) = size_mismatch(asked, &given) {
        return Err(JobFailure::crashed(reason));
    }
    if let Some(failure) = reported_failure(order, &given) {
        return Err(failure);
    }
    if ended.has_timed_out {
        let reason = format!("still running after {:.1} s, ended", deadline.as_secs_f64());
        return Err(JobFailure::crashed(reason));
    }
    if let Some(missing) = format_ranks((0..asked).filter(|&rank| answers[rank].is_none())) {
        return Err(JobFailure::crashed(format!(
            "no result from rank(s) {missing} of {asked}; {}",
            output_tail::describe_status(ended.status, Lang::from_environment())
        )));
    }
    if !ended.status.success() {
        return Err(JobFailure::crashed(format!("all ranks left a result, but then: {}", ended.status)));
    }
    merge_answers(&given)
}

/// The failure that the ranks themselves report, if any does. A rank without memory, one that panicked and a limit have precedence,
/// because they cause the messages of other ranks.
fn reported_failure(order: &JobSpec, given: &[&RankAnswer]) -> Option<JobFailure> {
    let mut failed: Vec<_> = given.iter().filter_map(|answer| answer.result.end.failure()).collect();
    if failed.iter().any(|(_, reason)| reason.is_cause()) {
        failed.retain(|(_, reason)| reason.is_cause());
    }
    let limited = failed.iter().find(|(_, reason)| matches!(reason, StopReason::TimeLimit(_)));
    if let Some((workload, reason)) = limited {
        let limit_s = order.limit.map_or(0.0, |limit| limit.as_secs_f64());
        return Some(JobFailure {
            workload: workload.cloned(),
            failure: SeriesFailure::Limit { limit_s },
            details: reason.text().to_owned(),
            scope: LossScope::Job,
        });
    }
    let workload = failed.first()?.0.cloned();
    let mut reasons: Vec<&str> = failed.iter().map(|(_, reason)| reason.text()).collect();
    reasons.dedup();
    Some(JobFailure { workload, ..JobFailure::crashed(reasons.join("; ")) })
}

fn merge_answers(given: &[&RankAnswer]) -> Result<JobResult, JobFailure> {
    let first = given.first().ok_or_else(|| JobFailure::crashed("a job without ranks"))?;
    if let Some(other) = given.iter().find(|answer| answer.result.end != first.result.end) {
        let (one, two) = (first.rank, other.rank);
        return Err(JobFailure::crashed(format!("ranks {one} and {two} did not find the same")));
    }
    match &first.result.end {
        RankResult::Done(findings) => {
            let mut findings = Findings::clone(findings);
            findings.placement =
                hosts_of_ranks(given, &mut findings.clock.compared).map_err(JobFailure::crashed)?;
            let reports = || given.iter().map(|answer| &answer.result);
            let oracle_error = reports().find_map(|report| report.oracle_error.clone());
            let traces = reports().filter_map(|report| report.trace.clone()).collect();
            Ok(JobResult { findings, oracle_error, traces })
        }
        RankResult::Failed { reason: why, .. } => Err(JobFailure::crashed(why.text())),
    }
}

/// `details` and lines of the job's output: the last ones, or the first ones of a job of which no rank has answered.
fn append_output(details: String, output: &Path, has_begun: bool) -> String {
    let lines =
        if has_begun { output_tail::last_lines(output, 0) } else { output_tail::failed_launch(output) };
    let shown = lines.lines().map(|line| format!("\n    {line}"));
    details + &shown.collect::<String>()
}

#[cfg(test)]
mod tests {
    use std::{os::unix::process::ExitStatusExt, process::ExitStatus};

    use super::*;
    use crate::job_spec::tests::{answer, job_spec};

    fn evaluate(answers: Vec<Option<RankAnswer>>, code: i32, timed_out: bool) -> Result<JobResult, String> {
        let order = JobSpec { ranks: answers.len(), ..job_spec() };
        let status = ExitStatus::from_raw(code << 8);
        let ended = JobExit { status, has_timed_out: timed_out, elapsed: Duration::from_secs(1) };
        evidence(&order, &answers, ended, Duration::from_secs(9)).map_err(|failure| match failure.failure {
            SeriesFailure::Limit { limit_s } => format!("limit {limit_s}: {}", failure.details),
            _ => failure.details,
        })
    }

    #[test]
    fn a_job_counts_when_every_rank_has_answered_the_same() {
        assert!(evaluate(vec![Some(answer(0, 2)), Some(answer(1, 2))], 0, false).is_ok());
    }

    #[test]
    fn a_missing_answer_is_missed_whatever_the_exit_code() {
        let refused = evaluate(vec![Some(answer(0, 2)), None], 0, false).expect_err("rank 1 is missing");
        assert!(refused.starts_with("no result from rank(s) 1 of 2"), "{refused}");
    }

    #[test]
    fn singletons_are_no_job() {
        let refused = evaluate(vec![Some(answer(0, 1)), None], 0, false).expect_err("a world of one");
        assert!(refused.contains("2 ranks were asked for and rank 0 sees 1"), "{refused}");
    }

    #[test]
    fn two_machines_two_findings_and_bad_exits_are_refused() {
        let mut elsewhere = answer(1, 2);
        elsewhere.machine = "another".into();
        let refused =
            evaluate(vec![Some(answer(0, 2)), Some(elsewhere)], 0, false).expect_err("two machines");
        assert!(refused.contains("different machines"), "{refused}");
        let mut other = answer(1, 2);
        if let RankResult::Done(findings) = &mut other.result.end {
            findings.ceiling.push(1);
        }
        assert!(evaluate(vec![Some(answer(0, 2)), Some(other)], 0, false).is_err());
        assert!(evaluate(vec![Some(answer(0, 2)), Some(answer(1, 2))], 3, false).is_err());
        assert!(evaluate(vec![Some(answer(0, 2)), Some(answer(1, 2))], 0, true).is_err());
    }

    #[test]
    fn a_rank_without_memory_or_with_a_panic_comes_before_the_errors_of_others() {
        let ending = |why| RankResult::Failed { subject: Some("small".into()), reason: why };
        for cause in [
            StopReason::OutOfMemory("rank 1 asked for 8 TB".into()),
            StopReason::Panic("rank 1 panicked: lost (mpi.rs:7:1)".into()),
        ] {
            let mut follower = answer(0, 2);
            follower.result.end = ending(StopReason::Error("rank 1 ended".into()));
            let mut first = answer(1, 2);
            first.result.end = ending(cause.clone());
            let refused = evaluate(vec![Some(follower), Some(first)], 1, false).expect_err("a cause");
            assert_eq!(refused, cause.text());
        }
    }

    #[test]
    fn what_a_rank_says_of_a_limit_comes_before_what_the_others_say() {
        let ending = |why| RankResult::Failed { subject: Some("small".into()), reason: why };
        let mut late = answer(1, 2);
        late.result.end = ending(StopReason::TimeLimit("rank 1 in recv".into()));
        let mut follower = answer(0, 2);
        follower.result.end = ending(StopReason::Error("rank 1 ended".into()));
        let refused = evaluate(vec![Some(follower), Some(late)], 1, false).expect_err("a limit");
        assert_eq!(refused, "limit 10: rank 1 in recv");
    }
}
