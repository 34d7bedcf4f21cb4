//! The one report of a failed test.
use std::{
    collections::{BTreeMap, BTreeSet},
    panic::resume_unwind,
    sync::{Mutex, PoisonError},
};

use wb_comm::Code;
use wb_messages::{Lang, WIDTH, functional as text, wrap};
use wb_record::TestOutcome;
use wb_runner::format::group;

use crate::{
    evaluation::{FailureReport, failure_report},
    report::{
        BackendOutcome,
        mistake::{self, Occurrence},
        summary,
    },
};

/// The tests whose reports describe mistakes in full, by what these are about.
type ReportedMistakes = BTreeMap<(Option<Code>, BTreeSet<String>), String>;

static REPORTED: Mutex<ReportedMistakes> = Mutex::new(BTreeMap::new());

/// The report of a test that failed: every mistake once, with where it was seen and where not. One about the same lines as
/// another test's is reported in short. The end of a job that an earlier report describes is not reported again, but counted: the report
/// is empty when there is nothing else.
pub(crate) fn render(test: &str, outcomes: &[BackendOutcome]) -> String {
    let lang = Lang::from_environment();
    let mut reported = REPORTED.lock().unwrap_or_else(PoisonError::into_inner);
    let (repeated, others): (Vec<_>, Vec<_>) =
        outcomes.iter().cloned().partition(|outcome| is_repeated(test, outcome, &reported));
    if let Some(first) = repeated.first() {
        summary::not_run(&first.backend);
    }
    match others.iter().any(|outcome| outcome.failure.is_some()) {
        true => render_outcomes(test, &others, &mut reported, lang),
        false => String::new(),
    }
}

/// The subject of the report of a failure.
fn subject(failure: &FailureReport) -> (Option<Code>, BTreeSet<String>) {
    match failure.kind.is_of_job() {
        true => (None, [failure.headline.clone()].into()),
        false => (failure.code, failure.lines.clone()),
    }
}

/// Whether the failure is the end of a job that the report of another test describes.
fn is_repeated(test: &str, outcome: &BackendOutcome, reported: &ReportedMistakes) -> bool {
    let of_job = outcome.failure.as_ref().filter(|failure| failure.kind.is_of_job());
    of_job.is_some_and(|failure| reported.get(&subject(failure)).is_some_and(|other| other != test))
}

fn render_outcomes(
    test: &str,
    outcomes: &[BackendOutcome],
    reported: &mut ReportedMistakes,
    lang: Lang,
) -> String {
    let mistakes = mistake::mistakes(outcomes);
    let mut report = String::new();
    for mistake in &mistakes {
        let Occurrence { backend, ranks, failure: finding, .. } = mistake.representative();
        let place = text::on_ranks(lang, &backend.0, ranks);
        report += &format!("\n{} {test} [{place}]\n", failure_report::verdict_label(finding.outcome()));
        let about = subject(finding);
        let elsewhere = reported.get(&about).filter(|other| *other != test).cloned();
        report += &match &elsewhere {
            Some(_) => finding.render_short(lang),
            None => finding.render(lang),
        };
        let further = match elsewhere {
            Some(other) => vec![text::reported_elsewhere(lang, other)],
            None => finding.hints(lang),
        };
        for line in mistake.list_places(outcomes, lang).iter().chain(&further) {
            report += &format!("{}\n", wrap(line, "  ", "    ", WIDTH));
        }
        if !about.1.is_empty() {
            reported.entry(about).or_insert_with(|| test.to_owned());
        }
    }
    if mistakes.is_empty() {
        // All that there is of the test was not tried.
        report += &format!("\n{} {test}\n", text::skip(lang));
    }
    let passed = mistake::passed_everywhere(&mistakes, outcomes, lang);
    for line in render_skipped(outcomes, lang).into_iter().chain(passed) {
        report += &format!("{}\n", wrap(&line, "  ", "    ", WIDTH));
    }
    report
}

/// Where a test was not tried, and why, a line for each reason.
fn render_skipped(outcomes: &[BackendOutcome], lang: Lang) -> Vec<String> {
    let reason = |outcome: &BackendOutcome| {
        outcome
            .failure
            .as_ref()
            .filter(|failure| failure.outcome() == TestOutcome::Skip)
            .map(|it| it.headline.clone())
    };
    let reasons = group(outcomes.iter().filter_map(|outcome| Some((reason(outcome)?, outcome))));
    let line = |(why, outcomes): (String, Vec<&BackendOutcome>)| {
        text::not_tried(lang, text::skip(lang), mistake::list_outcomes(&outcomes, lang), why)
    };
    reasons.into_iter().map(line).collect()
}

/// Shows a report as the output of the running test, and lets the test fail without a word more.
pub(crate) fn fail(report: &str) -> ! {
    // It holds texts of the task: of panics, of values, of what ranks printed.
    let report = wb_text::escape::terminal(report).to_string();
    eprint!("{report}");
    wb_process::fail_at_exit(&report);
    resume_unwind(Box::new("the report is above"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{evaluation::FailureKind, report::BackendLabel};

    fn outcome(backend: &str, ranks: usize, finding: impl Into<Option<FailureReport>>) -> BackendOutcome {
        let (backend, failure) = (BackendLabel(backend.into()), finding.into());
        BackendOutcome { backend, ranks, failure, arrival_orders: vec![] }
    }

    fn failure(kind: FailureKind, headline: &str) -> FailureReport {
        FailureReport::new(kind, headline.into(), "there".into())
    }

    fn report(outcomes: &[BackendOutcome]) -> String {
        render_outcomes("t::case_1", outcomes, &mut ReportedMistakes::new(), Lang::En)
    }

    #[test]
    fn every_mistake_is_told_once_with_its_places() {
        let report = report(&[
            outcome("a", 1, None),
            outcome("a", 2, failure(FailureKind::OutputWrong, "first")),
            outcome("a", 3, failure(FailureKind::Silent, "second")),
            outcome("b", 1, None),
            outcome("b", 2, failure(FailureKind::OutputWrong, "first")),
            outcome("b", 3, failure(FailureKind::Silent, "second")),
        ]);
        assert!(report.contains("t::case_1 [a, P = 2]\n  first\n  seen on a, b: P = 2\n"), "{report}");
        assert!(report.contains("t::case_1 [a, P = 3]\n  second\n  seen on a, b: P = 3\n"), "{report}");
        assert!(report.ends_with("  passed on a, b: P = 1\n"), "{report}");
    }

    #[test]
    fn what_was_not_tried_is_a_line_and_no_mistake() {
        let skipped = FailureReport::new(FailureKind::NotRun, "it was ended".into(), "there".into());
        let hung = FailureReport::new(FailureKind::Deadlock, "they wait".into(), "there".into());
        let outcomes =
            [outcome("a", 2, hung), outcome("a", 3, skipped.clone()), outcome("a", 4, skipped.clone())];
        let text = report(&outcomes);
        assert!(text.ends_with("  SKIP a: P = 3, 4: it was ended\n"), "{text}");
        assert_eq!(text.matches("t::case_1").count(), 1, "{text}");
        assert!(report(&outcomes[1..]).starts_with("\nSKIP t::case_1\n  SKIP a: "));
    }

    #[test]
    fn the_end_of_a_job_is_reported_once_and_then_counted() {
        let lost = || failure(FailureKind::HostsLost, "test_report: wb2 is lost");
        let name = BackendLabel("the end of a job".into());
        let outcomes = [outcome(&name.0, 1, None), outcome(&name.0, 2, lost()), outcome(&name.0, 3, lost())];
        let first = render("t::case_1", &outcomes);
        assert_eq!(first.matches("wb2 is lost").count(), 1, "{first}");
        assert_eq!(summary::not_run_count(&name), 0);
        assert_eq!(render("t::case_2", &outcomes), "");
        assert_eq!(summary::not_run_count(&name), 1);
        // What else is wrong with a test is reported.
        let wrong = outcome(&name.0, 1, failure(FailureKind::OutputWrong, "wrong"));
        let third = render("t::case_3", &[&[wrong][..], &outcomes[1..]].concat());
        assert!(third.contains("wrong") && !third.contains("wb2"), "{third}");
        assert_eq!(summary::not_run_count(&name), 2);
    }

    #[test]
    fn a_mistake_of_another_test_is_told_in_short() {
        let lines = BTreeSet::from(["a.rs:3".to_owned()]);
        let long = FailureReport {
            code: Some(Code::CollectiveRoot),
            lines,
            ..failure(FailureKind::Finding, "roots")
        };
        let outcomes = [outcome("a", 2, long.with_details(vec!["all of it".into()]))];
        let mut reported = ReportedMistakes::new();
        let first = render_outcomes("t::case_1", &outcomes, &mut reported, Lang::En);
        assert!(first.contains("all of it") && first.contains("explain WB0031"), "{first}");
        let again = render_outcomes("t::case_2", &outcomes, &mut reported, Lang::En);
        assert!(again.contains("WB0031: roots\n  seen on a: P = 2\n"), "{again}");
        assert!(again.contains("report of t::case_1") && !again.contains("all of it"), "{again}");
    }
}
