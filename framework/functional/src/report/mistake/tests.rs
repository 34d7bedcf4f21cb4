//! Which findings are one mistake, and what is said of where it was not seen.
use wb_task::Stage;

use super::*;
use crate::evaluation::{FailureKind, failure_report::InputRef};

fn finding(kind: FailureKind, code: Option<Code>, headline: &str, lines: &[&str]) -> FailureReport {
    let lines = lines.iter().map(|line| (*line).to_owned()).collect();
    let input = Some(InputRef { number: 1, total: 3, text: "7".into() });
    FailureReport { code, lines, input, ..FailureReport::new(kind, headline.into(), "there".into()) }
}

fn outcome(backend: &str, ranks: usize, finding: impl Into<Option<FailureReport>>) -> BackendOutcome {
    let (backend, failure) = (BackendLabel(backend.into()), finding.into());
    BackendOutcome { backend, ranks, failure, arrival_orders: vec![] }
}

fn roots(rank: usize) -> FailureReport {
    let headline = format!("rank {rank}: run returned an error");
    finding(FailureKind::Failed(Some(Stage::Run)), Some(Code::CollectiveRoot), &headline, &["a.rs:3"])
}

#[test]
fn one_mistake_on_all_backends_is_one() {
    let outcomes = [
        outcome("threads", 1, None),
        outcome("threads", 2, roots(0)),
        outcome("threads", 3, roots(1)),
        outcome("virtual time", 2, roots(1)),
        outcome("virtual time", 3, roots(0)),
        outcome("MPI", 2, finding(FailureKind::Deadlock, None, "they wait", &["a.rs:3", "a.rs:9"])),
        outcome("MPI", 3, None),
    ];
    let mistakes = mistakes(&outcomes);
    let [mistake] = &mistakes[..] else { panic!("{mistakes:#?}") };
    let places = mistake.list_places(&outcomes, Lang::En);
    assert_eq!(places[0], "seen on threads, virtual time: P = 2, 3 (input 1 of 3)");
    assert_eq!(places[1], "on MPI: P = 2 (input 1 of 3) it shows as HANG: they wait");
    assert!(places[2].starts_with("passed by luck on MPI: P = 3: "), "{places:?}");
    assert_eq!(
        passed_everywhere(&mistakes, &outcomes, Lang::En).as_deref(),
        Some("passed on threads: P = 1")
    );
}

#[test]
fn a_wrong_result_after_undefined_calls_is_their_consequence_and_an_earlier_one_is_not() {
    let wrong = || finding(FailureKind::OutputWrong, None, "the output is wrong", &[]);
    let outcomes = [outcome("threads", 2, roots(0)), outcome("MPI", 2, wrong())];
    assert_eq!(mistakes(&outcomes).len(), 1);
    let elsewhere = [outcome("threads", 2, roots(0)), outcome("MPI", 3, wrong())];
    assert_eq!(mistakes(&elsewhere).len(), 2, "at P = 3 threads have found nothing");
    let mut later = roots(0);
    later.input = Some(InputRef { number: 2, total: 3, text: "8".into() });
    assert_eq!(mistakes(&[outcome("threads", 2, later), outcome("MPI", 2, wrong())]).len(), 2);
    let defined = finding(FailureKind::Finding, Some(Code::Tag), "an error", &["a.rs:3"]);
    assert_eq!(mistakes(&[outcome("threads", 2, defined), outcome("MPI", 2, wrong())]).len(), 2);
}

#[test]
fn what_says_why_ranks_wait_is_told_before_a_circle_that_was_seen_more_often() {
    let waits = |code, lines: &[&str]| finding(FailureKind::Deadlock, Some(code), "they wait", lines);
    let outcomes = [
        outcome("threads", 2, waits(Code::Deadlock, &["a.rs:3", "a.rs:9"])),
        outcome("threads", 3, waits(Code::Deadlock, &["a.rs:3", "a.rs:9"])),
        outcome("threads", 4, waits(Code::NearMiss, &["a.rs:3", "a.rs:1"])),
    ];
    let found = mistakes(&outcomes);
    let [mistake] = &found[..] else { panic!("{found:#?}") };
    assert_eq!((mistake.failure().code, mistake.representative().ranks), (Some(Code::NearMiss), 4));
    let places = mistake.list_places(&outcomes, Lang::En);
    assert!(
        places[1].starts_with("on threads: P = 2, 3 (input 1 of 3) it shows as HANG: WB0001"),
        "{places:?}"
    );
    assert_eq!(mistakes(&outcomes[..2])[0].failure().code, Some(Code::Deadlock));
}

#[test]
fn other_lines_are_other_mistakes() {
    let at = |line: &str| {
        finding(FailureKind::Panicked(Some(Stage::Run)), None, "rank 1 panicked in run", &[line])
    };
    let outcomes = [outcome("threads", 2, at("a.rs:3")), outcome("threads", 3, at("a.rs:4"))];
    assert_eq!(mistakes(&outcomes).len(), 2);
}

#[test]
fn what_passes_elsewhere_with_the_same_input_is_told() {
    let (wrong, slow) = (FailureKind::OutputWrong, FailureKind::Calling);
    let orders = [&[Some(vec![1, 2])][..], &[Some(vec![1, 3])], &[None], &[Some(vec![1])], &[]];
    let [here, there, lost, crashed, none] = orders.map(<[_]>::to_vec);
    for (kind, failed, passed, sentence) in [
        (wrong, &here, &there, ", where messages arrived in another order"),
        (wrong, &here, &here, ": backends differ"),
        (wrong, &lost, &there, ": backends differ"),
        (wrong, &here, &none, ": backends differ"),
        (slow, &here, &there, ": it took less time"),
        (FailureKind::NoRecord, &crashed, &there, ": backends differ"),
        (FailureKind::Asleep(None), &here, &here, ": backends differ"),
        (FailureKind::OutOfMemory(None), &here, &there, ": it had enough memory"),
    ] {
        let mut outcomes = [
            outcome("threads", 2, None),
            outcome("MPI", 2, finding(kind, None, "it fails", &[])),
            // At another number of ranks messages arrive in another order in any case.
            outcome("threads", 3, None),
        ];
        for (outcome, orders) in outcomes.iter_mut().zip([passed, failed, &there]) {
            outcome.arrival_orders.clone_from(orders);
        }
        let mistakes = mistakes(&outcomes);
        let places = mistakes[0].list_places(&outcomes, Lang::En);
        let start = format!("the same input passed on threads: P = 2{sentence}");
        assert!(places[1].starts_with(&start), "{kind:?}: {places:?}");
        assert!(
            passed_everywhere(&mistakes, &outcomes, Lang::En).is_some_and(|text| text.ends_with("P = 3"))
        );
    }
}

#[test]
fn what_fails_in_one_process_only_may_share_static_variables() {
    let explained = |failed: &str, passed: &str, kind| {
        let outcomes = [outcome(failed, 2, finding(kind, None, "it fails", &[])), outcome(passed, 2, None)];
        mistakes(&outcomes)[0].list_places(&outcomes, Lang::En)[1].contains("static variables")
    };
    let wrong = FailureKind::OutputWrong;
    let asleep = FailureKind::Asleep(None);
    let found =
        [("threads", "MPI", wrong), ("virtual time", "MPI", asleep)].map(|(f, p, k)| explained(f, p, k));
    assert_eq!(found, [true; 2]);
    let others = [
        ("MPI", "threads", wrong),
        ("threads", "virtual time", wrong),
        ("threads", "MPI", FailureKind::NoRecord),
    ];
    assert_eq!(others.map(|(f, p, k)| explained(f, p, k)), [false; 3]);
}

#[test]
fn neither_numbers_nor_words_make_another_look_but_the_stage_does() {
    let panicked = |ranks, stage, headline: &str| {
        outcome("threads", ranks, finding(FailureKind::Panicked(Some(stage)), None, headline, &[]))
    };
    let first = panicked(2, Stage::Run, "rank 1 panicked in run");
    let elsewhere = panicked(3, Stage::Run, "ranks 0 and 13 panicked in run");
    assert_eq!(mistakes(&[first.clone(), elsewhere]).len(), 1);
    assert_eq!(mistakes(&[first, panicked(3, Stage::Validation, "rank 1 panicked in run")]).len(), 2);
}
