//! Tests of the module above.
use super::*;
use crate::{CallLocation, CallSite, Text};

fn call(rank: Rank, verb: Verb, awaits: &[Rank]) -> BlockedCall {
    BlockedCall { waits_for: awaits.to_vec(), ..BlockedCall::new(rank, CallSite::caller(verb)) }
}

fn diagnosed(blocked: &[BlockedCall], ended: &[Rank]) -> Vec<(Code, Vec<Rank>)> {
    let findings = diagnose(blocked, ended, vec![]);
    findings.iter().map(|f| (f.code, f.locations.iter().map(|place| place.rank).collect())).collect()
}

#[test]
fn a_circle_accuses_its_members_and_nobody_who_waits_for_them() {
    let blocked = [
        call(0, Verb::Recv, &[3]),
        call(1, Verb::Recv, &[2]),
        call(2, Verb::Recv, &[3]),
        call(3, Verb::Recv, &[1]),
    ];
    assert_eq!(diagnosed(&blocked, &[]), [(Code::Deadlock, vec![1, 2, 3])]);
}

#[test]
fn two_circles_are_two_findings_and_a_rank_may_wait_for_itself() {
    let blocked = [call(0, Verb::Recv, &[0]), call(1, Verb::Ssend, &[2]), call(2, Verb::Ssend, &[1])];
    assert_eq!(diagnosed(&blocked, &[]), [(Code::Deadlock, vec![1, 2]), (Code::Deadlock, vec![0])]);
}

#[test]
fn a_standard_send_makes_it_a_matter_of_buffering() {
    let blocked = [call(0, Verb::Send, &[1]), call(1, Verb::Recv, &[0])];
    assert_eq!(diagnosed(&blocked, &[]), [(Code::BufferDependence, vec![0, 1])]);
}

#[test]
fn whoever_waits_for_an_ended_rank_is_told_and_the_others_are_victims() {
    let blocked = [call(0, Verb::Recv, &[1]), call(1, Verb::Recv, &[2])];
    assert_eq!(diagnosed(&blocked, &[2]), [(Code::PartnerEnded, vec![1])]);
    let any = BlockedCall { peer: Some(Source::Any), ..call(0, Verb::Recv, &[1, 2]) };
    assert_eq!(diagnosed(std::slice::from_ref(&any), &[1, 2]), [(Code::PartnerEnded, vec![0])]);
    assert_eq!(diagnosed(&[any], &[1]), [], "rank 2 computes and may still send");
    for verb in [Verb::Start, Verb::Complete, Verb::WindowWait] {
        assert_eq!(diagnosed(&[call(0, verb, &[1])], &[1]), [(Code::Matched, vec![0])], "{verb:?}");
    }
}

#[test]
fn collectives_that_not_all_call_have_names_of_their_own() {
    let alone = [call(1, Verb::Barrier, &[0]), call(2, Verb::Barrier, &[1])];
    assert_eq!(diagnosed(&alone, &[0]), [(Code::CollectiveIncomplete, vec![1, 2])]);
    // It is not known which ranks a process waits for inside a collective.
    let crossed = [call(0, Verb::Barrier, &[]), call(1, Verb::Recv, &[0])];
    assert_eq!(diagnosed(&crossed, &[]), [(Code::CollectiveIncomplete, vec![0, 1])]);
    let order = [call(0, Verb::Barrier, &[]), call(1, Verb::Bcast, &[])];
    assert_eq!(diagnosed(&order, &[]), [(Code::CollectiveOrder, vec![0, 1])]);
}

#[test]
fn one_collective_on_two_communicators_is_no_circle_of_partners() {
    let on = |name: &str, call| BlockedCall { communicator: Some(name.to_owned()), ..call };
    let both = |[one, other]: [&str; 2]| {
        let calls = [on(one, call(0, Verb::Barrier, &[1])), on(other, call(1, Verb::Barrier, &[0]))];
        diagnosed(&calls, &[])
    };
    assert_eq!(both(["world", "dup 1 of world"]), [(Code::CollectiveIncomplete, vec![0, 1])]);
    assert_eq!(both(["world", "world"]), [(Code::Deadlock, vec![0, 1])]);
}

#[test]
fn a_wait_is_named_with_the_call_that_started_its_operation() {
    let started = Some(CallLocation::new(1, CallSite::caller(Verb::Irecv)));
    let wait = BlockedCall { started_at: started.clone(), ..call(1, Verb::Wait, &[0]) };
    let findings = diagnose(&[wait], &[0], vec![]);
    assert_eq!(findings[0].locations.get(1), started.as_ref());
}

#[test]
fn nothing_is_said_of_ranks_that_wait_for_one_that_computes() {
    assert_eq!(diagnosed(&[call(0, Verb::Recv, &[1]), call(2, Verb::Recv, &[0])], &[]), []);
}

#[test]
fn a_rank_that_is_through_with_its_stage_is_awaited_in_vain() {
    let blocked = [call(0, Verb::Agreement, &[1]), call(1, Verb::Recv, &[0]), call(2, Verb::Agreement, &[0])];
    assert_eq!(diagnosed(&blocked, &[]), [(Code::PartnerEnded, vec![1])]);
    assert_eq!(diagnosed(&blocked[..1], &[]), [], "nobody waits but the framework");
}

/// A long message with a wrong tag: the sender waits for its receiver, which waits for another tag.
#[test]
fn a_wrong_tag_of_a_message_that_is_not_buffered_is_told_before_the_circle() {
    let blocked = [call(0, Verb::Send, &[1]), call(1, Verb::Recv, &[0]), call(2, Verb::Recv, &[0])];
    let miss = |sender: CallLocation| {
        let places = vec![blocked[1].location(), sender];
        Finding { code: Code::NearMiss, rank: 1, locations: places, details: vec![Text::verbatim("tag 5")] }
    };
    let lines = |found: &Finding| found.details.iter().map(ToString::to_string).collect::<Vec<_>>();
    let codes = |near| {
        let found = diagnose(&blocked, &[], vec![near]);
        found.into_iter().map(|found| (found.code, lines(&found))).collect::<Vec<_>>()
    };
    let circle = |more: &[&str]| {
        let details = ["who waits for whom: 0 -> 1 -> 0"].iter().chain(more);
        (Code::BufferDependence, details.map(|line| (*line).to_owned()).collect::<Vec<_>>())
    };
    let near = (Code::NearMiss, vec!["tag 5".to_owned()]);
    assert_eq!(codes(miss(blocked[0].location())), [near, circle(&[])]);
    let found = diagnose(&blocked, &[], vec![miss(blocked[0].location())]);
    let left: Vec<_> = drop_near_misses_if_buffering(found).into_iter().map(|found| found.code).collect();
    assert_eq!(left, [Code::BufferDependence], "with buffers it is received later");
    let other = CallLocation { rank: 2, ..blocked[0].location() };
    assert_eq!(codes(miss(other)), [circle(&["tag 5"])], "rank 2 is not of the circle");
}

#[test]
fn a_message_that_was_sent_is_told_with_the_circle_in_which_its_sender_waits_for_another() {
    let blocked = [call(0, Verb::Send, &[1]), call(1, Verb::Recv, &[2]), call(2, Verb::Send, &[0])];
    let places = vec![blocked[1].location(), blocked[2].location()];
    let miss =
        Finding { code: Code::NearMiss, rank: 1, locations: places, details: vec![Text::verbatim("tag 5")] };
    let found = diagnose(&blocked, &[], vec![miss]);
    assert_eq!(found.iter().map(|found| found.code).collect::<Vec<_>>(), [Code::BufferDependence]);
    assert_eq!(found[0].details.last().map(ToString::to_string).as_deref(), Some("tag 5"));
}

#[test]
fn only_ranks_of_one_collective_are_told_together() {
    let alone = |rank, verb| {
        let places = vec![CallLocation::new(rank, CallSite::caller(verb))];
        Finding { code: Code::CollectiveIncomplete, rank, locations: places, details: vec![] }
    };
    let findings =
        merge_by_collective(vec![alone(0, Verb::Reduce), alone(1, Verb::Gather), alone(2, Verb::Reduce)]);
    let ranks: Vec<Vec<_>> =
        findings.iter().map(|found| found.locations.iter().map(|place| place.rank).collect()).collect();
    assert_eq!(ranks, [vec![0, 2], vec![1]]);
}

#[test]
fn a_near_miss_takes_the_place_of_what_it_explains() {
    let blocked = [call(0, Verb::Recv, &[1]), call(1, Verb::Recv, &[0]), call(2, Verb::Recv, &[2])];
    let miss = Finding { code: Code::NearMiss, rank: 1, locations: vec![], details: vec![] };
    let codes: Vec<_> = diagnose(&blocked, &[], vec![miss]).iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [Code::NearMiss, Code::Deadlock], "it explains two ranks, the other circle one");
}
