//! Sends match their receives by MPI's rule that messages do not overtake each other; unmatched ones are reported.

use super::synthetic::{collective, envelope, rank_trace, receive, send};
use crate::{
    CollectiveShape, EventKind, TraceCommunicator,
    trace_analysis::{EventRef, TraceError, analyse},
};

/// The send that each receive matches: numbers of events.
fn pairs(traces: &[crate::RankTrace]) -> Vec<(usize, usize)> {
    let matching = analyse(traces).expect("a sound trace").matching;
    let mut pairs: Vec<_> = matching.messages.iter().map(|m| (m.send.event, m.received.event)).collect();
    pairs.sort_unstable();
    pairs
}

#[test]
fn messages_of_one_name_keep_their_order_and_other_tags_do_not_count() {
    let other = EventKind::Send { to: envelope(1, 7, 8), synchronous: false };
    let got_other = EventKind::Receive { from: envelope(0, 7, 8) };
    let traces = [
        rank_trace(0, 2, 9, &[(1, 2, send(1)), (2, 3, other), (3, 4, send(1))]),
        rank_trace(1, 2, 9, &[(4, 5, got_other), (5, 6, receive(0)), (6, 7, receive(0))]),
    ];
    assert_eq!(pairs(&traces), [(0, 1), (1, 0), (2, 2)]);
}

#[test]
fn receives_count_from_their_posting_and_not_from_their_waiting() {
    let from = envelope(0, 0, 8);
    let finish = |request| EventKind::FinishReceive { request, from };
    let traces = [
        rank_trace(0, 2, 9, &[(1, 2, send(1)), (2, 3, send(1))]),
        rank_trace(
            1,
            2,
            9,
            &[
                (0, 1, EventKind::StartReceive { request: 0 }),
                (1, 2, EventKind::StartReceive { request: 1 }),
                (4, 5, finish(1)),
                (5, 6, finish(0)),
            ],
        ),
    ];
    assert_eq!(pairs(&traces), [(0, 3), (1, 2)], "the request that was posted first has the first message");
}

#[test]
fn ranks_are_those_of_the_communicator() {
    let mut traces = [rank_trace(0, 2, 9, &[(1, 2, send(0))]), rank_trace(1, 2, 9, &[(3, 4, receive(1))])];
    for (trace, rank) in traces.iter_mut().zip([1, 0]) {
        trace.communicators.push(TraceCommunicator {
            name: "world.0:1".into(),
            rank,
            size: 2,
            sources: vec![],
        });
        trace.events[0].communicator = 1;
    }
    assert_eq!(pairs(&traces), [(0, 0)]);
}

#[test]
fn what_meets_nobody_is_told() {
    let traces = [
        rank_trace(0, 2, 9, &[(1, 2, send(1)), (2, 3, send(1))]),
        rank_trace(1, 2, 9, &[(3, 4, receive(0))]),
    ];
    let matching = analyse(&traces).expect("sound").matching;
    assert_eq!(matching.unreceived, [EventRef { rank: 0, event: 1 }]);
    let traces = [rank_trace(0, 2, 9, &[]), rank_trace(1, 2, 9, &[(3, 4, receive(0))])];
    assert_eq!(analyse(&traces).expect("sound").matching.unsent, [EventRef { rank: 1, event: 0 }]);
}

#[test]
fn collectives_meet_by_their_number() {
    let calls = [(1, 2, collective(0, CollectiveShape::All)), (4, 5, collective(1, CollectiveShape::All))];
    let matching =
        analyse(&[rank_trace(0, 2, 9, &calls), rank_trace(1, 2, 9, &calls)]).expect("sound").matching;
    let members: Vec<Vec<usize>> = matching
        .collectives
        .iter()
        .map(|m| m.members.iter().map(|member| member.entered.event).collect())
        .collect();
    assert_eq!(members, [[0, 0], [1, 1]]);
}

#[test]
fn canaries_lanes_that_contradict_themselves_are_refused() {
    assert_eq!(analyse(&[]).expect_err("no rank"), TraceError::Empty);
    let overlapping = rank_trace(0, 1, 9, &[(1, 4, EventKind::Local), (3, 5, EventKind::Local)]);
    assert_eq!(analyse(&[overlapping]).expect_err("overlap"), TraceError::TimeReversed { rank: 0, event: 1 });
    let short = rank_trace(0, 1, 3, &[(1, 4, EventKind::Local)]);
    assert_eq!(
        analyse(&[short]).expect_err("an end too early"),
        TraceError::TimeReversed { rank: 0, event: 1 }
    );
    let mut dangling = rank_trace(0, 1, 9, &[(1, 4, EventKind::Local)]);
    dangling.events[0].call = 1;
    assert_eq!(
        analyse(&[dangling]).expect_err("no such call"),
        TraceError::UnknownReference { rank: 0, event: 0 }
    );
    let stranger = rank_trace(0, 1, 9, &[(1, 4, send(3))]);
    let expected = TraceError::UnknownPeer { rank: 0, event: 0, peer: 3 };
    assert_eq!(analyse(&[stranger]).expect_err("no such rank"), expected);
    let twins = [rank_trace(0, 2, 9, &[]), rank_trace(0, 2, 9, &[])];
    assert!(matches!(
        analyse(&twins).expect_err("twins"),
        TraceError::DuplicateRank { first_rank: 0, other: 1, rank: 0, .. }
    ));
}
