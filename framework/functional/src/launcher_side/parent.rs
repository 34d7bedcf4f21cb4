//! A test in a process that starts jobs: it collects the verdicts of every backend.
use std::sync::Arc;

use wb_messages::{Lang, functional as text, hosts};
use wb_record::{Backend, TestOutcome};
use wb_runner::launch;

use crate::{
    job_protocol::BackendJobId,
    judge::{
        failure_kind::FailureKind,
        failure_report::FailureReport,
        test_verdict::{self, TestVerdict},
    },
    launcher_side::{
        backend_job::{self, JobTermination},
        selected_backends::selected_backends,
    },
    report::{
        backend_outcome::{BackendLabel, BackendOutcome},
        summary, test_report, verdict,
    },
    test::{erased_test::ErasedTest, test_run::TestRun},
};

/// Reports the verdict of all backends on a test; inside an outer job on at most `available` ranks.
pub(crate) fn run(case: &ErasedTest, available: Option<usize>) {
    let selected = selected_backends(case.backends)
        .unwrap_or_else(|why| test_report::fail(&format!("\n{}\n  {why}\n", case.name)));
    verdict::report(case, &collect_outcomes(case, available, &selected));
}

fn collect_outcomes(
    case: &ErasedTest,
    available: Option<usize>,
    selected: &[Backend],
) -> Vec<BackendOutcome> {
    let mut outcomes = vec![];
    // Inside the user's job real ranks alone are used, whatever is selected.
    if available.is_none() {
        let shared = [
            (BackendJobId::Threads, BackendLabel::threads()),
            (BackendJobId::VirtualTime, BackendLabel::virtual_time()),
        ];
        for (id, backend) in shared.into_iter().filter(|(id, _)| selected.contains(&id.backend())) {
            for (ranks, test_runs) in &case.test_runs {
                outcomes.push(collect_outcome(case, id, &backend, *ranks, test_runs));
            }
        }
    }
    let is_selected = available.is_some() || selected.contains(&Backend::Mpi);
    let processes = case.backends.processes.filter(|_| is_selected);
    let Some(processes) = processes else { return outcomes };
    let backend = BackendLabel::processes(&processes.library());
    let fits = |ranks: usize| available.is_none_or(|available| ranks <= available);
    let most_ranks = case.test_runs.iter().map(|(ranks, _)| *ranks).filter(|ranks| fits(*ranks)).max();
    let most_ranks = most_ranks.unwrap_or_default();
    for (ranks, test_runs) in &case.test_runs {
        match available.filter(|&available| *ranks > available) {
            Some(available) => summary::skipped(&backend.0, *ranks, available, test_runs.len()),
            None => {
                let id = BackendJobId::Processes(most_ranks);
                outcomes.push(collect_outcome(case, id, &backend, *ranks, test_runs));
            }
        }
    }
    if most_ranks == 0 {
        verdict::nothing_tested(case, available);
    }
    outcomes
}

fn collect_outcome(
    case: &ErasedTest,
    id: BackendJobId,
    backend: &BackendLabel,
    ranks: usize,
    test_runs: &[Arc<dyn TestRun>],
) -> BackendOutcome {
    let lane = backend_job::get_or_run(case.backends, id);
    let judged = match lane.evidence(&case.name, ranks) {
        Some(evidence) => with_termination(
            test_verdict::evaluate(ranks, test_runs, evidence),
            lane.termination(&case.name, ranks),
        ),
        None => match lane.skip_reason(&case.name) {
            Some(why) => skipped(why),
            None => not_run(&lane.stopped_by()),
        },
    };
    verdict::count(case, id.backend(), backend, test_runs.len(), ranks, judged)
}

/// The verdict on a test whose job did not complete it: whatever its ranks had noted by then, it has not passed. A
/// crash without output of its own gets the output of the job.
fn with_termination(judged: TestVerdict, termination: Option<&JobTermination>) -> TestVerdict {
    let Some(termination) = termination else { return judged };
    if termination.is_lasting {
        // What the remaining ranks saw is a consequence.
        return TestVerdict { failure: Some(hosts_lost(termination)), ..judged };
    }
    let lang = Lang::from_environment();
    let (passed, finding) = match judged.failure {
        Some(finding) => (judged.passed, finding),
        // All runs looked right, and the leaks of the last one are unknown.
        None => {
            let headline = text::job_terminated_afterwards(lang);
            let finding =
                FailureReport::new(FailureKind::JobTerminated, headline, text::hint_no_record(lang));
            (judged.passed.saturating_sub(1), finding)
        }
    };
    let mut finding = match termination.names_rank && is_consequence(&finding) {
        true => FailureReport {
            input: finding.input,
            ranks: finding.ranks,
            ..FailureReport::new(
                FailureKind::NoRecord,
                termination.reason.clone(),
                text::hint_no_record(lang),
            )
        },
        false => finding,
    };
    if termination.is_hint && is_consequence(&finding) {
        finding.details.push(termination.reason.clone());
    }
    let said = match finding.outcome() {
        TestOutcome::Crash => finding.printed.or_else(|| Some(job_output(termination))),
        _ => finding.printed,
    };
    TestVerdict { passed, failure: Some(FailureReport { printed: said, ..finding }), ..judged }
}

fn skipped(why: &str) -> TestVerdict {
    let lang = Lang::from_environment();
    let finding = FailureReport::new(FailureKind::NotRun, text::not_run(lang, why), text::hint_not_run(lang));
    TestVerdict::failed(finding)
}

/// Whether a failure may have come of the end of another rank: a library that loses a connection ends its process, and who waits for the
/// rank waits for ever.
fn is_consequence(failure: &FailureReport) -> bool {
    let says_it_itself = matches!(failure.kind, FailureKind::OutOfMemory(_));
    !says_it_itself
        && matches!(failure.outcome(), TestOutcome::Crash | TestOutcome::Hang | TestOutcome::Limit)
}

/// One report for all tests: it has nothing of this one.
fn hosts_lost(termination: &JobTermination) -> FailureReport {
    let hint = hosts::hint_lost(Lang::from_environment());
    FailureReport::new(FailureKind::HostsLost, termination.reason.clone(), hint)
}

fn not_run(termination: &JobTermination) -> TestVerdict {
    if termination.is_lasting {
        return TestVerdict::failed(hosts_lost(termination));
    }
    let lang = Lang::from_environment();
    let hint = if termination.is_at_start { text::hint_not_started } else { text::hint_not_run };
    let headline = text::not_run(lang, &termination.reason);
    let finding = FailureReport::new(FailureKind::JobNotRun, headline, hint(lang));
    // The headline has the reason.
    let said = (!termination.output.is_empty()).then(|| (text::job_output(lang), termination.output.clone()));
    let settings = launch::without_settings(lang).filter(|_| termination.is_at_start);
    let finding = finding.with_details(settings.into_iter().collect());
    TestVerdict::failed(FailureReport { printed: said, ..finding })
}

fn job_output(termination: &JobTermination) -> (String, String) {
    if termination.names_rank || termination.is_hint {
        // The headline or the details have the reason.
        return (text::job_output(Lang::from_environment()), termination.output.clone());
    }
    (text::job_terminated(Lang::from_environment(), &termination.reason), termination.output.clone())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_test_whose_job_ended_before_it_was_through_has_not_passed() {
        let termination = JobTermination { output: "nothing".into(), ..JobTermination::new("killed".into()) };
        let (failure, duration) = (None, Duration::ZERO);
        let passed = || TestVerdict { passed: 2, failure: failure.clone(), duration, arrival_orders: vec![] };
        let hint = |termination: &JobTermination| not_run(termination).failure.expect("not run").hint;
        assert_eq!(hint(&termination), text::hint_not_run(Lang::En));
        let at_start = JobTermination { is_at_start: true, ..termination.clone() };
        assert!(hint(&at_start).contains("cargo wb doctor"), "nothing is above: {}", hint(&at_start));
        assert!(with_termination(passed(), None).failure.is_none());
        let judged = with_termination(passed(), Some(&termination));
        let finding = judged.failure.expect("it is missed that the last run was not swept");
        assert_eq!((judged.passed, finding.outcome()), (1, TestOutcome::Crash));
        assert_eq!(finding.printed, Some(job_output(&termination)));
        let known = FailureReport::new(FailureKind::Deadlock, "they wait".into(), "there".into());
        let judged = with_termination(TestVerdict::failed(known.clone()), Some(&termination));
        assert_eq!(judged.failure, Some(known.clone()), "what the ranks noted themselves says more");
        let named =
            JobTermination { reason: "rank 1 was killed".into(), names_rank: true, ..termination.clone() };
        let exited =
            FailureReport::new(FailureKind::Exited(None), "rank 0 called exit".into(), "there".into());
        let failure =
            |found| with_termination(TestVerdict::failed(found), Some(&named)).failure.expect("it failed");
        assert_eq!(
            failure(exited).headline,
            "rank 1 was killed",
            "the exit of another rank is a consequence"
        );
        let wrong = FailureReport::new(FailureKind::OutputWrong, "wrong".into(), "there".into());
        assert_eq!(failure(wrong).headline, "wrong", "a wrong output is not");
        let lost = JobTermination { reason: "wb2 is lost".into(), is_lasting: true, ..termination };
        let judged = with_termination(TestVerdict::failed(known), Some(&lost)).failure.expect("it failed");
        assert_eq!((judged.kind, &*judged.headline), (FailureKind::HostsLost, "wb2 is lost"));
        assert_eq!(not_run(&lost).failure, Some(judged), "one report for all");
    }

    #[test]
    fn a_possible_cause_is_shown_once_below_what_may_be_its_consequence() {
        let quiet = JobTermination { is_hint: true, ..JobTermination::new("rank 1 gave no sign".into()) };
        let kinds = [FailureKind::Deadlock, FailureKind::OverLimit, FailureKind::OutputWrong];
        for (kind, is_shown) in kinds.into_iter().zip([true, true, false]) {
            let found = FailureReport::new(kind, "what was seen".into(), "there".into());
            let judged = with_termination(TestVerdict::failed(found), Some(&quiet));
            let shown = judged.failure.expect("it failed");
            assert_eq!(shown.headline, "what was seen");
            assert_eq!(shown.details.contains(&quiet.reason), is_shown, "{shown:?}");
            assert!(shown.printed.is_none_or(|(title, _)| !title.contains(&quiet.reason)), "once");
        }
    }
}
