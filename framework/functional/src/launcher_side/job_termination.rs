//! How a job ended, and the sentences about it: of the tests that it did not complete, and of those that it did not run.
use std::path::Path;

use wb_messages::{Lang, functional as text, hosts};
use wb_process::JobExit;
use wb_record::TestOutcome;
use wb_runner::{JobLoss, launch, output_tail};

use crate::evaluation::{FailureKind, FailureReport, TestVerdict};

/// The end of a job.
#[derive(Clone, Debug)]
pub(crate) struct JobTermination {
    /// The cause in a line.
    pub(crate) reason: String,
    /// The output that shows it.
    output: String,
    /// The lost hosts or ranks, where they are known.
    loss: Option<JobLoss>,
    /// Whether no test of the backend had begun: the cause is not a test.
    pub(crate) is_at_start: bool,
}

impl JobTermination {
    /// The end of a job with the output in this file, and its cause if that is known. `has_begun` says whether a test has begun, `refusal`
    /// why its processes did not come to a step of a test.
    pub(crate) fn from_end(
        exit: &JobExit,
        loss: Option<JobLoss>,
        (output, has_begun): (&Path, bool),
        refusal: Option<String>,
    ) -> Self {
        let lang = Lang::from_environment();
        let exit = output_tail::describe_exit(exit, lang);
        let lines = match has_begun {
            false => output_tail::first_lines(output),
            true => output_tail::last_lines(output, 0),
        };
        let lines = [refusal.unwrap_or_default(), lines].join("\n").trim_matches('\n').to_owned();
        // What the launcher guesses about lost hosts does not help.
        let output = if loss.as_ref().is_some_and(JobLoss::is_lasting) { String::new() } else { lines };
        let reason = loss.as_ref().map_or_else(|| exit.clone(), |loss| loss.describe(&exit, lang));
        Self { reason, output, loss, is_at_start: !has_begun }
    }

    /// The termination of a job that does not exist, for this reason.
    pub(crate) fn without_job(reason: String, is_at_start: bool) -> Self {
        Self { reason, output: String::new(), loss: None, is_at_start }
    }

    /// Whether hosts or ranks were lost, so that no other job there can be expected to run.
    pub(crate) fn is_lasting(&self) -> bool {
        self.loss.as_ref().is_some_and(JobLoss::is_lasting)
    }

    /// Whether the reason is a possible cause only of what the ranks reported.
    fn is_hint(&self) -> bool {
        self.loss.as_ref().is_some_and(JobLoss::is_hint)
    }

    /// Whether the reason names the rank that ended without a result: what the other ranks saw of that is a consequence.
    fn names_rank(&self) -> bool {
        self.loss.is_some() && !self.is_lasting() && !self.is_hint()
    }

    /// The reason, and the output and the settings that may be the cause of it.
    pub(crate) fn describe(&self) -> String {
        let lines = [self.reason.clone(), self.output.clone()].into_iter().chain(self.settings());
        lines.filter(|lines| !lines.is_empty()).collect::<Vec<_>>().join("\n")
    }

    /// The settings of the shell that may be the cause, where no test has begun.
    fn settings(&self) -> Option<String> {
        launch::without_settings(Lang::from_environment()).filter(|_| self.is_at_start)
    }

    /// The verdict on a test that the job did not complete: whatever its ranks had reported by then, it has not passed. A crash without
    /// output of its own gets the output of the job.
    pub(crate) fn verdict_on_incomplete(&self, judged: TestVerdict) -> TestVerdict {
        if self.is_lasting() {
            // What the remaining ranks saw is a consequence.
            return TestVerdict { failure: Some(self.hosts_lost()), ..judged };
        }
        let lang = Lang::from_environment();
        let (passed, mut failure) = match judged.failure {
            Some(failure) => (judged.passed, failure),
            // All runs looked right, and the leaks of the last one are unknown.
            None => {
                let headline = text::job_terminated_afterwards(lang);
                let hint = text::hint_no_record(lang);
                (
                    judged.passed.saturating_sub(1),
                    FailureReport::new(FailureKind::JobTerminated, headline, hint),
                )
            }
        };
        let is_consequence = is_consequence(&failure);
        if is_consequence && self.names_rank() {
            let hint = text::hint_no_record(lang);
            let FailureReport { input, ranks, .. } = failure;
            failure = FailureReport::new(FailureKind::NoRecord, self.reason.clone(), hint);
            (failure.input, failure.ranks) = (input, ranks);
        } else if is_consequence && self.is_hint() {
            failure.details.push(self.reason.clone());
        }
        if failure.outcome() == TestOutcome::Crash {
            failure.printed.get_or_insert_with(|| self.printed());
        }
        TestVerdict { passed, failure: Some(failure), ..judged }
    }

    /// The verdict on a test that was not run, since there is no job for it.
    pub(crate) fn verdict_on_not_run(&self) -> TestVerdict {
        if self.is_lasting() {
            return TestVerdict::failed(self.hosts_lost());
        }
        let lang = Lang::from_environment();
        let hint = if self.is_at_start { text::hint_not_started } else { text::hint_not_run };
        let headline = text::not_run(lang, &self.reason);
        let failure = FailureReport::new(FailureKind::JobNotRun, headline, hint(lang));
        let failure = failure.with_details(self.settings().into_iter().collect());
        // The headline has the reason.
        let printed = (!self.output.is_empty()).then(|| (text::job_output(lang), self.output.clone()));
        TestVerdict::failed(FailureReport { printed, ..failure })
    }

    /// One report for all tests: it has nothing of a single one.
    fn hosts_lost(&self) -> FailureReport {
        let hint = hosts::hint_lost(Lang::from_environment());
        FailureReport::new(FailureKind::HostsLost, self.reason.clone(), hint)
    }

    /// The output with its heading, which has the reason if neither the headline nor the details have it.
    fn printed(&self) -> (String, String) {
        let lang = Lang::from_environment();
        let heading = match self.names_rank() || self.is_hint() {
            true => text::job_output(lang),
            false => text::job_terminated(lang, &self.reason),
        };
        (heading, self.output.clone())
    }

    /// The end of a job with this reason.
    #[cfg(test)]
    pub(crate) fn example(reason: &str, loss: Option<JobLoss>) -> Self {
        Self { loss, ..Self::without_job(reason.to_owned(), false) }
    }
}

/// Whether a failure may have come of the end of another rank: a library that loses a connection ends its process, and who waits for the
/// rank waits for ever.
fn is_consequence(failure: &FailureReport) -> bool {
    let says_it_itself = matches!(failure.kind, FailureKind::OutOfMemory(_));
    !says_it_itself
        && matches!(failure.outcome(), TestOutcome::Crash | TestOutcome::Hang | TestOutcome::Limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_whose_job_ended_before_it_was_through_has_not_passed() {
        let termination =
            JobTermination { output: "nothing".into(), ..JobTermination::example("killed", None) };
        let passed = TestVerdict { passed: 2, ..TestVerdict::default() };
        let not_run = |end: &JobTermination| end.verdict_on_not_run().failure.expect("not run");
        assert_eq!(not_run(&termination).hint, text::hint_not_run(Lang::En));
        let at_start = not_run(&JobTermination { is_at_start: true, ..termination.clone() }).hint;
        assert!(at_start.contains("cargo wb doctor"), "nothing is above: {at_start}");
        let judged = termination.verdict_on_incomplete(passed);
        let finding = judged.failure.expect("it is missed that the last run was not swept");
        assert_eq!((judged.passed, finding.outcome()), (1, TestOutcome::Crash));
        assert_eq!(finding.printed, Some(termination.printed()));

        let found = |kind, headline: &str| FailureReport::new(kind, headline.into(), "there".into());
        let judged = |end: &JobTermination, found| {
            end.verdict_on_incomplete(TestVerdict::failed(found)).failure.expect("it failed")
        };
        let known = found(FailureKind::Deadlock, "they wait");
        assert_eq!(
            judged(&termination, known.clone()),
            known,
            "what the ranks reported themselves says more"
        );
        let named = JobTermination::example("rank 1 was killed", Some(JobLoss::Killed(vec![])));
        let exited = judged(&named, found(FailureKind::Exited(None), "rank 0 called exit"));
        assert_eq!(exited.headline, "rank 1 was killed", "the exit of another rank is a consequence");
        let wrong = judged(&named, found(FailureKind::OutputWrong, "wrong"));
        assert_eq!(wrong.headline, "wrong", "a wrong output is not");
        let lost = JobTermination::example("wb2 is lost", Some(JobLoss::Hosts(vec![])));
        let judged = judged(&lost, known);
        assert_eq!((judged.kind, &*judged.headline), (FailureKind::HostsLost, "wb2 is lost"));
        assert_eq!(not_run(&lost), judged, "one report for all");
    }

    #[test]
    fn a_possible_cause_is_shown_once_below_what_may_be_its_consequence() {
        let loss = JobLoss::Quiet { ranks: vec![], seconds: 3 };
        let quiet = JobTermination::example("rank 1 gave no sign", Some(loss));
        let kinds = [FailureKind::Deadlock, FailureKind::OverLimit, FailureKind::OutputWrong];
        for (kind, is_shown) in kinds.into_iter().zip([true, true, false]) {
            let found = FailureReport::new(kind, "what was seen".into(), "there".into());
            let shown = quiet.verdict_on_incomplete(TestVerdict::failed(found)).failure.expect("it failed");
            assert_eq!(shown.headline, "what was seen");
            assert_eq!(shown.details.contains(&quiet.reason), is_shown, "{shown:?}");
            assert!(shown.printed.is_none_or(|(title, _)| !title.contains(&quiet.reason)), "once");
        }
    }
}
