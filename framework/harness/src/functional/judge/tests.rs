//! Verdicts on runs that are written down by hand.
use std::time::Duration;

use wb_comm::Site;
use wb_task::Place;
use wb_world::Counts;

use super::*;
use crate::functional::{
    digest::Digest,
    entry::Produced,
    journal::Swept,
    question::{Expected, RunId},
};

fn question(ranks: usize, place: Place) -> Question {
    Question {
        id: RunId { case: "t".into(), ranks, input: 0 },
        inputs: 1,
        excerpt: "7".into(),
        home: 0,
        place,
        expected: Expected::default(),
        limit: Some(Duration::from_secs(1)),
    }
}

fn returned(rank: usize, value: &str) -> Entry {
    let digest = Digest::of(&value);
    let output = Some(Produced { digest, wrong: None, unlike_reference: None });
    let counts = Counts { sends: 1, receives: 1, ..Counts::default() };
    Entry { output, counts, ..Entry::of(rank, How::Returned) }
}

fn verdict(question: &Question, entries: Vec<Entry>) -> Option<(Verdict, String)> {
    let entries = entries.into_iter().map(|entry| (entry.rank, entry)).collect();
    let evidence = RunEvidence { entries, ..RunEvidence::default() };
    run(question, &evidence).map(|finding| (finding.verdict, finding.headline))
}

fn recv(rank: usize) -> Blocked {
    Blocked { awaits: vec![1 - rank], ..Blocked::at(rank, Site::here(Verb::Recv)) }
}

#[test]
fn ranks_that_agree_and_are_right_pass() {
    let everywhere = question(2, Place::Everywhere);
    assert_eq!(verdict(&everywhere, vec![returned(0, "7"), returned(1, "7")]), None);
    let home = question(2, Place::Home);
    let without = Entry { output: None, ..returned(1, "") };
    assert_eq!(verdict(&home, vec![returned(0, "7"), without]), None);
}

#[test]
fn nobody_passes_without_a_record() {
    let found = verdict(&question(3, Place::Everywhere), vec![returned(0, "7"), returned(2, "7")]);
    assert_eq!(found.map(|(verdict, _)| verdict), Some(Verdict::Crash));
    assert_eq!(verdict(&question(1, Place::Home), vec![]).map(|found| found.0), Some(Verdict::Crash));
}

#[test]
fn an_output_at_the_wrong_place_is_found() {
    let everywhere = question(2, Place::Everywhere);
    let without = Entry { output: None, ..returned(1, "") };
    assert!(verdict(&everywhere, vec![returned(0, "7"), without]).is_some());
    let home = question(2, Place::Home);
    assert!(verdict(&home, vec![returned(0, "7"), returned(1, "7")]).is_some());
}

#[test]
fn what_the_backend_found_fails_though_the_answer_is_right_and_is_told_before_a_wrong_one() {
    let wrong = Produced { digest: Digest::of(&1), wrong: Some("1".into()), unlike_reference: None };
    for (code, verb) in [(Code::WindowRace, Verb::Put), (Code::CollectiveAlone, Verb::Reduce)] {
        let place = wb_comm::Place::of(1, Site::here(verb));
        let lines = [line(&place)].into();
        let found = wb_comm::Finding { code, rank: 1, places: vec![place], details: vec![] };
        for output in [returned(0, "7").output, Some(wrong.clone())] {
            let entry = |rank| (rank, Entry { output: output.clone(), ..returned(rank, "7") });
            let swept = Swept { findings: vec![found.clone()], ..Swept::default() };
            let evidence = RunEvidence { entries: [0, 1].map(entry).into(), swept, ..RunEvidence::default() };
            let told = run(&question(2, Place::Everywhere), &evidence).expect("a mistake");
            assert_eq!((told.verdict, told.code, &told.lines), (Verdict::Fail, Some(code), &lines));
        }
    }
}

#[test]
fn the_first_failure_is_told_and_not_who_waited() {
    let panicked = |rank, ms| Entry {
        after: Duration::from_millis(ms),
        stage: Some(wb_task::Stage::Run),
        text: format!("panic of {rank}"),
        ..Entry::of(rank, How::Panicked)
    };
    let waits = Entry { standing: Some(recv(0)), ..Entry::of(0, How::Late) };
    let found = verdict(&question(3, Place::Home), vec![waits, panicked(1, 5), panicked(2, 9)]);
    let (verdict, headline) = found.expect("a failure");
    assert_eq!(verdict, Verdict::Fail);
    assert!(headline.contains('1') && !headline.contains('2'), "{headline}");
}

#[test]
fn waiting_ranks_hang_and_a_computing_one_is_over_the_limit() {
    let waits = |rank| Entry { standing: Some(recv(rank)), ..Entry::of(rank, How::Late) };
    let hang = verdict(&question(2, Place::Home), vec![waits(0), waits(1)]);
    assert_eq!(hang.map(|found| found.0), Some(Verdict::Hang));
    let computes = verdict(&question(2, Place::Home), vec![waits(0), Entry::of(1, How::Late)]);
    assert_eq!(computes.map(|found| found.0), Some(Verdict::Limit));
}

#[test]
fn who_could_go_on_but_had_no_turn_is_told_so() {
    let lang = Lang::of_environment();
    let idle = Entry { text: text::waited(lang, 0), ..Entry::of(1, How::Late) };
    let entries = [(0, Entry::of(0, How::Late)), (1, idle)].into();
    let evidence = RunEvidence { entries, ..RunEvidence::default() };
    let found = run(&question(2, Place::Home), &evidence).expect("it is over the limit");
    assert_eq!(found.verdict, Verdict::Limit);
    assert!(found.ranks[1].ends_with(&text::waited(lang, 0)), "{:?}", found.ranks);
}

#[test]
fn messages_must_balance_and_keep_the_rules() {
    let counts = |sends, receives, collectives| Counts { sends, receives, collectives, ..Counts::default() };
    let with = |counts| vec![Entry { counts, ..returned(0, "7") }];
    let plain = question(1, Place::Home);
    assert_eq!(verdict(&plain, with(counts(2, 2, 1))), None);
    assert!(verdict(&plain, with(counts(2, 1, 0))).is_some());
    let expected = Expected { point_to_point_only: true, messages: Some(2), refusal: None };
    let ruled = Question { expected, ..plain };
    assert_eq!(verdict(&ruled, with(counts(2, 2, 0))), None);
    assert!(verdict(&ruled, with(counts(2, 2, 1))).is_some());
    assert!(verdict(&ruled, with(counts(3, 3, 0))).is_some());
}

#[test]
fn a_refusal_must_come_and_for_the_right_reason() {
    let expected = Expected { refusal: Some("root".into()), ..Expected::default() };
    let question = Question { expected, ..question(1, Place::Home) };
    let refused = |text: &str| vec![Entry { text: text.into(), ..Entry::of(0, How::Refused) }];
    assert_eq!(verdict(&question, refused("no such root")), None);
    assert!(verdict(&question, refused("too long")).is_some());
    assert!(verdict(&question, vec![returned(0, "7")]).is_some());
}

#[test]
fn a_wrong_output_is_reported_with_the_communication_that_explains_it_first() {
    let lang = Lang::of_environment();
    let wrong = |rank| Entry {
        output: Some(Produced {
            digest: Digest::of(&"0"),
            wrong: Some("expected 2, got 0".into()),
            unlike_reference: None,
        }),
        ..returned(rank, "0")
    };
    let place = wb_comm::Place { rank: 1, call: "irecv".into(), file: "a.rs".into(), line: 3 };
    let named = [
        (Code::RequestLeft, text::requests_left(lang, 1)),
        (Code::Unread, text::leftovers(lang, 1)),
        (Code::WindowRace, text::races(lang, 1)),
        (Code::CollectiveAlone, text::unjoined(lang, 1)),
    ];
    for (code, headline) in named {
        let found = wb_comm::Finding { code, rank: 1, places: vec![place.clone()], details: vec![] };
        let swept = Swept { findings: vec![found], ..Swept::default() };
        let entries = [0, 1].map(|rank| (rank, wrong(rank))).into();
        let evidence = RunEvidence { entries, swept, ..RunEvidence::default() };
        let told = run(&question(2, Place::Everywhere), &evidence).expect("the output is wrong");
        assert_eq!((told.code, &told.headline), (Some(code), &headline));
        let details = told.details.join("\n");
        assert!(details.contains("a.rs:3") && details.contains("expected 2, got 0"), "{details}");
    }
    let evidence =
        RunEvidence { entries: [0, 1].map(|rank| (rank, wrong(rank))).into(), ..RunEvidence::default() };
    let told = run(&question(2, Place::Everywhere), &evidence).expect("the output is wrong");
    assert_eq!((told.code, told.headline), (None, text::wrong(lang, 0)));
}
