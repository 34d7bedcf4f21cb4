//! Verdicts on runs that are written down by hand.
use std::time::Duration;

use wb_comm::{CallSite, panic_place::RankStop};
use wb_messages::backend_finding as backend_text;
use wb_record::TestOutcome;
use wb_runner::AllowedVerbs;
use wb_task::Place;
use wb_world::Counts;

use super::*;
use crate::{
    evidence::{Digest, OutputReport},
    job_protocol::LeakReport,
    report::{BackendLabel, verdict::with_load},
    test::{ExtraRules, RunId},
};

fn test_case(ranks: usize, place: Place) -> TestCase {
    let case = TestCase::example(RunId::first("t", ranks));
    TestCase { output_location: place, excerpt: "7".into(), ..case }
}

fn returned(rank: usize, value: &str) -> RankReport {
    let digest = Digest::from_debug(&value);
    let output = Some(OutputReport { digest, ..OutputReport::default() });
    let counts = Counts { sends: 1, receives: 1, ..Counts::default() };
    RankReport { output, counts, ..RankReport::new(rank, RankOutcome::Returned) }
}

fn verdict(case: &TestCase, entries: Vec<RankReport>) -> Option<(FailureKind, String)> {
    let entries = entries.into_iter().map(|entry| (entry.rank, entry)).collect();
    let evidence = RunEvidence { reports: entries, ..RunEvidence::default() };
    judge(case, &evidence).map(|finding| (finding.kind, finding.headline))
}

fn kind(case: &TestCase, entries: Vec<RankReport>) -> Option<FailureKind> {
    verdict(case, entries).map(|found| found.0)
}

fn recv(rank: usize) -> BlockedCall {
    BlockedCall {
        waits_for: vec![1 - rank],
        tag: Some(7),
        ..BlockedCall::new(rank, CallSite::caller(Verb::Recv))
    }
}

/// Two ranks that wait for each other as far as it was seen, which are two moments.
#[test]
fn a_deadlock_is_stated_only_where_no_call_completes_and_the_waits_are_closed() {
    for (trace, ongoing_calls, expected, code) in [
        (None, None, FailureKind::Deadlock, Some(Code::Deadlock)),
        (None, Some(600_000), FailureKind::Calling, None),
        (Some("{}".into()), None, FailureKind::Blocked, None),
        (Some("{}".into()), Some(600_000), FailureKind::Calling, None),
    ] {
        let late = |rank| RankReport {
            blocked_in: Some(recv(rank)),
            trace: trace.clone(),
            ..RankReport::new(rank, RankOutcome::Unresponsive)
        };
        let first = RankReport { ongoing_calls, ..late(0) };
        let evidence = RunEvidence { reports: [(0, first), (1, late(1))].into(), ..RunEvidence::default() };
        let failure = judge(&test_case(2, Place::Everywhere), &evidence).expect("it failed");
        assert_eq!((failure.kind, failure.code), (expected, code), "{failure:?}");
        assert!(failure.lines.len() == 1, "{failure:?}");
        let line = failure.lines.first().expect("one");
        let wait = |(rank, waits_for)| RankWait {
            rank,
            waits_for,
            call: "recv".into(),
            tag: Some(7),
            line: line.clone(),
        };
        let waits = if expected == FailureKind::Calling { vec![] } else { vec![wait((0, 1)), wait((1, 0))] };
        assert_eq!(failure.waits, waits);
    }
}

#[test]
fn ranks_that_shared_cores_are_a_reason_that_comes_first_and_equal_rows_are_one() {
    let cores = wb_process::usable_cores();
    let ranks = 100 * cores;
    let report = |late: usize| {
        let late = (0..late).map(|rank| RankReport::new(rank, RankOutcome::Unresponsive));
        let reports = late.chain((0..ranks).map(|rank| returned(rank, "7")));
        let reports = reports.rev().map(|report| (report.rank, report)).collect();
        let evidence = RunEvidence { reports, ..RunEvidence::default() };
        let failure = judge(&test_case(ranks, Place::Everywhere), &evidence).expect("it failed");
        with_load(failure, &BackendLabel::threads(), ranks).render(Lang::En)
    };
    let (first, last) = (report(ranks - 1), ranks - 1);
    let start = format!("  oversubscribed: {ranks} ranks ran on {cores} usable core(s); limit hit: rank 0-");
    assert!(first.replace("\n    ", " ").starts_with(&start), "{first}");
    assert_eq!(first.matches("computing in the time").count(), 2, "{first}");
    assert!(first.ends_with(&format!("    {last:>3}  came back\n")), "{first}");
    assert!(report(1).starts_with("  limit hit: rank 0 was"), "a rank alone had a core: {}", report(1));
}

#[test]
fn ranks_that_agree_and_are_right_pass() {
    let everywhere = test_case(2, Place::Everywhere);
    assert_eq!(verdict(&everywhere, vec![returned(0, "7"), returned(1, "7")]), None);
    let home = test_case(2, Place::Home);
    let without = RankReport { output: None, ..returned(1, "") };
    assert_eq!(verdict(&home, vec![returned(0, "7"), without]), None);
}

#[test]
fn nobody_passes_without_a_record() {
    let found = verdict(&test_case(3, Place::Everywhere), vec![returned(0, "7"), returned(2, "7")]);
    assert_eq!(found.map(|(verdict, _)| verdict), Some(FailureKind::NoRecord));
    let none = verdict(&test_case(1, Place::Home), vec![]);
    assert_eq!(none.map(|found| found.0), Some(FailureKind::NoRecord));
}

#[test]
fn an_output_at_the_wrong_place_is_found() {
    let everywhere = test_case(2, Place::Everywhere);
    let without = RankReport { output: None, ..returned(1, "") };
    let missing = verdict(&everywhere, vec![returned(0, "7"), without]);
    assert_eq!(missing.map(|found| found.0), Some(FailureKind::OutputMissing));
    let home = test_case(2, Place::Home);
    let unexpected = verdict(&home, vec![returned(0, "7"), returned(1, "7")]);
    assert_eq!(unexpected.map(|found| found.0), Some(FailureKind::OutputUnexpected));
    let last = TestCase { home_rank: 1, ..home };
    let nothing = |rank| RankReport { output: None, ..returned(rank, "") };
    assert_eq!(kind(&last, vec![nothing(0), returned(1, "7")]), None);
    assert_eq!(kind(&last, vec![returned(0, "7"), nothing(1)]), Some(FailureKind::OutputMissing));
}

#[test]
fn what_the_backend_found_fails_though_the_answer_is_right_and_is_told_before_a_wrong_one() {
    let wrong = OutputReport { error: Some("1".into()), ..OutputReport::default() };
    let of_both = [
        (Code::WindowRace, Verb::Put),
        (Code::FileRace, Verb::WriteAt),
        (Code::CollectiveIncomplete, Verb::Reduce),
    ];
    for (code, verb) in of_both {
        let place = wb_comm::CallLocation::new(1, CallSite::caller(verb));
        let lines = [source_line(&place)].into();
        let found = wb_comm::Finding { code, rank: 1, locations: vec![place], details: vec![] };
        for output in [returned(0, "7").output, Some(wrong.clone())] {
            let entry = |rank| (rank, RankReport { output: output.clone(), ..returned(rank, "7") });
            let leaks = LeakReport { findings: vec![found.clone()], ..LeakReport::default() };
            let evidence = RunEvidence { reports: [0, 1].map(entry).into(), leaks, ..RunEvidence::default() };
            let failure = judge(&test_case(2, Place::Everywhere), &evidence).expect("a mistake");
            assert_eq!(
                (failure.kind, failure.code, &failure.lines),
                (FailureKind::Finding, Some(code), &lines)
            );
        }
    }
}

#[test]
fn no_finding_of_a_backend_is_lost() {
    let lost = |code: &Code| {
        let place = wb_comm::CallLocation::new(1, CallSite::caller(Verb::Wait));
        let found = wb_comm::Finding { code: *code, rank: 1, locations: vec![place], details: vec![] };
        let leaks = LeakReport { findings: vec![found], ..LeakReport::default() };
        let reports = [0, 1].map(|rank| (rank, returned(rank, "7"))).into();
        let evidence = RunEvidence { reports, leaks, ..RunEvidence::default() };
        let failure = judge(&test_case(2, Place::Everywhere), &evidence);
        diagnosis::backend_texts(*code).is_some() && failure.and_then(|failure| failure.code) != Some(*code)
    };
    let lost: Vec<_> = Code::ALL.iter().copied().filter(lost).collect();
    assert!(lost.is_empty(), "{lost:?}");
}

#[test]
fn the_first_failure_is_told_and_not_who_waited() {
    let panicked = |rank, ms| RankReport {
        elapsed: Duration::from_millis(ms),
        stage: Some(wb_task::Stage::Run),
        text: format!("panic of {rank}"),
        ..RankReport::new(rank, RankOutcome::Panicked)
    };
    let waits = RankReport { blocked_in: Some(recv(0)), ..RankReport::new(0, RankOutcome::Unresponsive) };
    let found = verdict(&test_case(3, Place::Home), vec![waits, panicked(1, 5), panicked(2, 9)]);
    let (kind, headline) = found.expect("a failure");
    assert_eq!(kind, FailureKind::Panicked(Some(wb_task::Stage::Run)));
    assert!(headline.contains('1') && !headline.contains('2'), "{headline}");
}

#[test]
fn a_rank_that_computes_is_reported_before_one_that_waits() {
    let waits = RankReport { blocked_in: Some(recv(0)), ..RankReport::new(0, RankOutcome::Unresponsive) };
    let entries = vec![waits, RankReport::new(1, RankOutcome::Unresponsive)];
    assert_eq!(kind(&test_case(2, Place::Home), entries), Some(FailureKind::Computing(None)));
}

#[test]
fn who_could_go_on_but_had_no_turn_is_told_so() {
    let lang = Lang::from_environment();
    let idle = RankReport { text: text::waited(lang, 0), ..RankReport::new(1, RankOutcome::Unresponsive) };
    let entries = [(0, RankReport::new(0, RankOutcome::Unresponsive)), (1, idle)].into();
    let evidence = RunEvidence { reports: entries, ..RunEvidence::default() };
    let found = judge(&test_case(2, Place::Home), &evidence).expect("it is over the limit");
    assert_eq!(found.kind, FailureKind::Computing(None));
    assert!(found.ranks[1].ends_with(&text::waited(lang, 0)), "{:?}", found.ranks);
}

#[test]
fn messages_must_balance_and_keep_the_rules() {
    let counts = |sends, receives, collectives| Counts { sends, receives, collectives, ..Counts::default() };
    let with = |counts| vec![RankReport { counts, ..returned(0, "7") }];
    let plain = test_case(1, Place::Home);
    assert_eq!(verdict(&plain, with(counts(2, 2, 1))), None);
    assert_eq!(kind(&plain, with(counts(2, 1, 0))), Some(FailureKind::MessagesUnaccounted));
    let expected = ExtraRules { allowed: AllowedVerbs::PointToPoint, messages: Some(2), refusal: None };
    let ruled = TestCase { expected, ..plain };
    assert_eq!(verdict(&ruled, with(counts(2, 2, 0))), None);
    assert_eq!(kind(&ruled, with(counts(2, 2, 1))), Some(FailureKind::OtherVerbs));
    assert_eq!(kind(&ruled, with(counts(3, 3, 0))), Some(FailureKind::MessageCount));
}

#[test]
fn data_must_take_the_way_that_the_problem_states() {
    let case = test_case(2, Place::Home);
    let sent = |bytes: [u64; 2]| {
        let entry = |rank: usize| RankReport {
            output: (rank == 0)
                .then(|| OutputReport { least_sent_bytes: vec![24, 8], ..OutputReport::default() }),
            counts: Counts { sent_bytes: bytes[rank], ..Counts::default() },
            ..RankReport::new(rank, RankOutcome::Returned)
        };
        kind(&case, vec![entry(0), entry(1)])
    };
    assert_eq!(sent([24, 8]), None);
    assert_eq!([sent([23, 8]), sent([24, 7])], [Some(FailureKind::Bypassed); 2]);
}

#[test]
fn an_end_that_a_rank_chose_is_told_by_its_type_and_not_by_its_text() {
    let of = |stop, text: &str| {
        let entry = RankReport { stop, text: text.into(), ..RankReport::new(0, RankOutcome::Panicked) };
        kind(&test_case(1, Place::Home), vec![entry]).map(FailureKind::outcome)
    };
    let abort = RankStop::Abort { rank: 0, code: 3 };
    assert_eq!(of(Some(abort), ""), Some(TestOutcome::Aborted));
    assert_eq!(of(Some(RankStop::EndlessClockWait), ""), Some(TestOutcome::Limit));
    assert_eq!(of(None, &abort.text().en), Some(TestOutcome::Fail));
}

#[test]
fn a_refusal_must_come_and_for_the_right_reason() {
    let expected = ExtraRules { refusal: Some("root".into()), ..ExtraRules::default() };
    let case = TestCase { expected, ..test_case(1, Place::Home) };
    let refused =
        |text: &str| vec![RankReport { text: text.into(), ..RankReport::new(0, RankOutcome::Rejected) }];
    assert_eq!(verdict(&case, refused("no such root")), None);
    assert_eq!(kind(&case, refused("too long")), Some(FailureKind::NotRefused));
    assert_eq!(kind(&case, vec![returned(0, "7")]), Some(FailureKind::NotRefused));
    let any = ExtraRules { refusal: Some(String::new()), ..ExtraRules::default() };
    let any = TestCase { expected: any, ..test_case(1, Place::Home) };
    assert_eq!(verdict(&any, refused("too long")), None);
    let lang = Lang::from_environment();
    let accepted = verdict(&any, vec![returned(0, "7")]).expect("it must be refused");
    assert_eq!(accepted, (FailureKind::NotRefused, text::accepted(lang)));
}

#[test]
fn a_wrong_output_is_reported_with_the_communication_that_explains_it_first() {
    let lang = Lang::from_environment();
    let wrong = |rank| RankReport {
        output: Some(OutputReport {
            digest: Digest::from_debug(&"0"),
            error: Some("expected 2, got 0".into()),
            ..OutputReport::default()
        }),
        ..returned(rank, "0")
    };
    let place =
        wb_comm::CallLocation { rank: 1, call: "irecv".into(), file: "a.rs".into(), line: 3, made: None };
    let named = [
        (Code::RequestLeak, backend_text::requests_left(lang, 1)),
        (Code::UnreceivedMessage, backend_text::leftovers(lang, 1)),
        (Code::WindowRace, backend_text::races(lang, 1)),
        (Code::FileRace, backend_text::file_races(lang, 1)),
        (Code::CollectiveIncomplete, backend_text::unjoined(lang, 1)),
    ];
    for (code, headline) in named {
        let found = wb_comm::Finding { code, rank: 1, locations: vec![place.clone()], details: vec![] };
        let leaks = LeakReport { findings: vec![found], ..LeakReport::default() };
        let entries = [0, 1].map(|rank| (rank, wrong(rank))).into();
        let evidence = RunEvidence { reports: entries, leaks, ..RunEvidence::default() };
        let failure = judge(&test_case(2, Place::Everywhere), &evidence).expect("the output is wrong");
        assert_eq!((failure.code, &failure.headline), (Some(code), &headline));
        let details = failure.details.join("\n");
        assert!(details.contains("a.rs:3") && details.contains("expected 2, got 0"), "{details}");
    }
    let evidence =
        RunEvidence { reports: [0, 1].map(|rank| (rank, wrong(rank))).into(), ..RunEvidence::default() };
    let failure = judge(&test_case(2, Place::Everywhere), &evidence).expect("the output is wrong");
    assert_eq!((failure.code, failure.headline), (None, text::wrong(lang, 0)));
}
