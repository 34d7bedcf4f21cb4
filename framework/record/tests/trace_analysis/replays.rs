//! With the recorded costs the replay reproduces the record; with others it gives the values computed by hand.

use super::synthetic::{MS, collective, envelope, rank_trace, receive, send};
use crate::{
    CollectiveShape, EventKind, RankTrace,
    trace_analysis::{WhatIf, analyse},
};

fn what_if(traces: &[RankTrace]) -> WhatIf {
    let analysis = analyse(traces).expect("a sound trace");
    assert_eq!(analysis.what_if.as_recorded, analysis.total(), "the replay of the record is the record");
    analysis.what_if
}

#[test]
fn free_communication_leaves_work_and_the_order_of_it() {
    // 6 ms of work, a message of 1 ms, 4 ms of work.
    let traces = [rank_trace(0, 2, 8, &[(6, 7, send(1))]), rank_trace(1, 2, 11, &[(1, 7, receive(0))])];
    let free = what_if(&traces);
    assert_eq!(free.free_communication, 10 * MS);
    assert_eq!(free.rank_ends[2], Some(vec![7 * MS, 10 * MS]), "the sender works 1 ms after its send");
}

#[test]
fn balance_spreads_the_work_of_a_stage() {
    let at = |rank, begin| rank_trace(rank, 2, 12, &[(begin, 11, collective(0, CollectiveShape::All))]);
    // 2 and 10 ms of work before a barrier of 1 ms, 1 ms after it.
    assert_eq!(what_if(&[at(0, 2), at(1, 10)]).perfect_balance, 8 * MS);
}

#[test]
fn work_of_one_rank_alone_is_spread_too() {
    let root = rank_trace(0, 2, 9, &[(8, 9, collective(0, CollectiveShape::From(0)))]);
    let other = rank_trace(1, 2, 9, &[(0, 9, collective(0, CollectiveShape::From(0)))]);
    assert_eq!(what_if(&[root, other]).perfect_balance, 5 * MS);
}

#[test]
fn balance_spreads_work_over_calls_that_only_some_ranks_make() {
    // 6 ms of work, a message of 1 ms, 6 ms of work on the other rank: both have 6 ms of work already.
    let traces = [rank_trace(0, 2, 7, &[(6, 7, send(1))]), rank_trace(1, 2, 13, &[(0, 7, receive(0))])];
    assert_eq!(what_if(&traces).perfect_balance, 13 * MS);
}

#[test]
fn a_send_does_not_need_a_receive_that_was_posted_when_it_began() {
    // Without costs the send begins 1 ms before its receive, and 3 ms of work follow it.
    let traces = [
        rank_trace(0, 2, 6, &[(0, 1, EventKind::Local), (1, 3, send(1))]),
        rank_trace(1, 2, 3, &[(1, 3, receive(0))]),
    ];
    assert_eq!(what_if(&traces).free_communication, 3 * MS);
}

#[test]
fn of_messages_of_one_size_the_fastest_shows_the_cost() {
    let sent = |bytes| EventKind::Send { to: envelope(1, 0, bytes), synchronous: false };
    let got = |bytes| EventKind::Receive { from: envelope(0, 0, bytes) };
    let traces = [
        rank_trace(0, 2, 20, &[(0, 0, sent(0)), (0, 0, sent(8)), (0, 0, sent(8)), (0, 0, sent(0))]),
        rank_trace(1, 2, 20, &[(1, 3, got(0)), (3, 7, got(8)), (7, 16, got(8)), (16, 20, got(0))]),
    ];
    let model = analyse(&traces).expect("sound").model.expect("two sizes");
    assert!((model.latency_ns - 2e6).abs() < 1.0 && (model.ns_per_byte - 0.25e6).abs() < 1.0, "{model:?}");
}

#[test]
fn latency_and_bandwidth_are_told_apart_by_two_sizes_and_not_by_one() {
    // Nothing costs 2 ms, 8 bytes cost 4 ms: a latency of 2 ms and 0.25 ms a byte.
    let sent = |bytes| EventKind::Send { to: envelope(1, 0, bytes), synchronous: false };
    let got = |bytes| EventKind::Receive { from: envelope(0, 0, bytes) };
    let traces = [
        rank_trace(0, 2, 10, &[(0, 0, sent(0)), (0, 0, sent(8))]),
        rank_trace(1, 2, 10, &[(1, 3, got(0)), (3, 7, got(8))]),
    ];
    let model = analyse(&traces).expect("sound").model.expect("two sizes");
    assert!((model.latency_ns - 2e6).abs() < 1.0 && (model.ns_per_byte - 0.25e6).abs() < 1.0);
    let what_if = what_if(&traces);
    // 1 + 0 + 2 + 3 on rank 1; rank 0 takes 10 whatever the network.
    assert_eq!(what_if.zero_latency, Some(10 * MS));
    let alone = [rank_trace(0, 2, 0, &[(0, 0, sent(0)), (0, 0, sent(8))]), traces[1].clone()];
    let analysis = analyse(&alone).expect("sound");
    assert_eq!(analysis.what_if.zero_latency, Some(6 * MS));
    assert_eq!(analysis.what_if.infinite_bandwidth, Some(8 * MS));
    assert_eq!(analysis.what_if.free_communication, 4 * MS);
    let one = [rank_trace(0, 2, 10, &[(0, 1, sent(8))]), rank_trace(1, 2, 10, &[(1, 3, got(8))])];
    assert_eq!(analyse(&one).expect("sound").what_if.zero_latency, None);
}

/// A ring in which every rank works, passes on and sometimes enters a collective, with times drawn from `seed`; the
/// times fulfil the dependencies of the calls, as those of a real machine do.
fn ring(ranks: usize, rounds: usize, seed: u64) -> Vec<RankTrace> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut now: Vec<u64> = (0..ranks).map(|_| draw(5)).collect();
    let begins = now.clone();
    let mut calls: Vec<Vec<(u64, u64, EventKind)>> = vec![vec![]; ranks];
    let at = |rank: usize| envelope((rank % ranks) as u32, 0, 8);
    for round in 0..rounds {
        let entered: Vec<u64> = now.iter().map(|now| now + draw(20)).collect();
        for rank in 0..ranks {
            let left = (rank + ranks - 1) % ranks;
            let (act, needs) = match round % 3 {
                2 => (collective((round / 3) as u32, CollectiveShape::All), entered.iter().copied().max()),
                _ => (EventKind::Exchange { to: at(rank + 1), from: at(left) }, Some(entered[left])),
            };
            let end = entered[rank].max(needs.unwrap_or(0)) + draw(4);
            calls[rank].push((entered[rank], end, act));
            now[rank] = end;
        }
    }
    let trace = |rank: usize| {
        let mut trace = rank_trace(rank as u32, ranks as u32, now[rank] + rank as u64, &calls[rank]);
        (trace.begin_ns, trace.stages[0].begin_ns) = (begins[rank] * MS, begins[rank] * MS);
        trace
    };
    (0..ranks).map(trace).collect()
}

#[test]
fn law_parts_path_and_replay_are_the_whole_whatever_the_ranks_do() {
    for seed in 0..60 {
        let ranks = 2 + seed as usize % 5;
        let analysis = analyse(&ring(ranks, 1 + seed as usize % 12, seed)).expect("sound");
        for parts in &analysis.parts {
            assert_eq!(parts.total(), analysis.total(), "seed {seed}");
        }
        assert_eq!(analysis.critical_path.total(), analysis.total(), "seed {seed}");
        let follow = |pair: &[crate::trace_analysis::CriticalPathSegment]| {
            pair[0].end == pair[1].begin && pair[0].rank != pair[1].rank
        };
        assert!(
            analysis.critical_path.segments.windows(2).all(follow),
            "seed {seed}: {:?}",
            analysis.critical_path
        );
        let WhatIf { as_recorded, free_communication, .. } = analysis.what_if;
        assert_eq!(as_recorded, analysis.total(), "seed {seed}");
        assert!(free_communication <= as_recorded, "seed {seed}");
        assert!(analysis.matching.unreceived.is_empty() && analysis.matching.unsent.is_empty());
    }
}

#[test]
fn canary_a_call_that_takes_longer_makes_the_replay_longer() {
    let mut traces = ring(3, 6, 1);
    let before = what_if(&traces).as_recorded;
    let longest = (0..3).max_by_key(|&rank| traces[rank].end_ns).expect("three ranks");
    let last = traces[longest].events.len() - 1;
    traces[longest].events[last].end_ns += 5 * MS;
    traces[longest].end_ns += 5 * MS;
    assert_eq!(what_if(&traces).as_recorded, before + 5 * MS);
}
