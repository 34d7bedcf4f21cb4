//! Every wait state with a result computed by hand, and none where no rank waits.

use super::synthetic::{MS, collective, envelope, rank_trace, receive, send};
use crate::{
    CollectiveShape, EventKind, RankTrace, StageSpan,
    trace_analysis::{Analysis, CriticalPathSegment, EventRef, Parts, TraceError, WaitStateKind, analyse},
};

fn analysed(traces: &[RankTrace]) -> Analysis {
    let analysis = analyse(traces).expect("a sound trace");
    for parts in &analysis.parts {
        assert_eq!(parts.total(), analysis.total(), "the parts of a rank are the whole");
    }
    assert_eq!(analysis.critical_path.total(), analysis.total(), "the path is as long as the whole");
    analysis
}

/// The waits of the calls of a rank, in milliseconds.
fn waits(analysis: &Analysis, trace: usize) -> Vec<(usize, WaitStateKind, u64)> {
    let mine = analysis.waits.all().filter(|(place, _)| place.rank == trace);
    mine.map(|(place, wait)| (place.event, wait.cause, wait.ns / MS)).collect()
}

#[test]
fn a_receive_five_milliseconds_before_its_send_has_a_late_sender_of_exactly_five() {
    let traces = [rank_trace(0, 2, 10, &[(7, 8, send(1))]), rank_trace(1, 2, 10, &[(2, 9, receive(0))])];
    let analysis = analysed(&traces);
    assert_eq!(waits(&analysis, 1), [(0, WaitStateKind::LateSender, 5)]);
    assert_eq!(waits(&analysis, 0), []);
    let expected = Parts { compute: 3 * MS, late_sender: 5 * MS, transfer: 2 * MS, ..Parts::default() };
    assert_eq!(analysis.parts[1], expected);
    // Only rank 0 computes while rank 1 waits.
    let expected = Parts { compute: 4 * MS, serial: 5 * MS, transfer: MS, ..Parts::default() };
    assert_eq!(analysis.parts[0], expected);
}

#[test]
fn a_receive_after_its_send_waits_for_nobody() {
    let traces = [rank_trace(0, 2, 10, &[(1, 2, send(1))]), rank_trace(1, 2, 10, &[(4, 5, receive(0))])];
    assert_eq!(analysed(&traces).waits.all().count(), 0, "the send was buffered and the receive found it");
}

#[test]
fn a_send_that_stands_until_its_receive_is_posted_has_a_late_receiver() {
    let traces = [rank_trace(0, 2, 10, &[(1, 8, send(1))]), rank_trace(1, 2, 10, &[(7, 9, receive(0))])];
    let analysis = analysed(&traces);
    assert_eq!(waits(&analysis, 0), [(0, WaitStateKind::LateReceiver, 6)]);
    assert_eq!(waits(&analysis, 1), []);
    assert_eq!(analysis.parts[0].late_receiver, 6 * MS);
    assert_eq!(analysis.parts[0].transfer, MS);
}

/// A synchronous send cannot end before its receive is posted; a standard one that ends then was buffered.
#[test]
fn a_receive_that_is_posted_when_its_send_ends_was_waited_for_by_a_synchronous_send_only() {
    for (synchronous, expected) in [(true, vec![(0, WaitStateKind::LateReceiver, 6)]), (false, vec![])] {
        let send = EventKind::Send { to: envelope(1, 0, 8), synchronous };
        let traces = [rank_trace(0, 2, 10, &[(1, 7, send)]), rank_trace(1, 2, 10, &[(7, 9, receive(0))])];
        let analysis = analysed(&traces);
        assert_eq!((waits(&analysis, 0), waits(&analysis, 1)), (expected, vec![]), "{synchronous}");
    }
}

#[test]
fn of_two_that_come_last_together_the_first_by_rank_is_named() {
    let at = |rank, begin| rank_trace(rank, 3, 12, &[(begin, 10, collective(0, CollectiveShape::All))]);
    let analysis = analysed(&[at(0, 1), at(1, 9), at(2, 9)]);
    let on = analysis.waits.at(EventRef { rank: 0, event: 0 }).map(|wait| wait.ended_by);
    assert_eq!(on, Some(EventRef { rank: 1, event: 0 }));
}

#[test]
fn requests_wait_where_they_are_waited_for() {
    let from = envelope(0, 0, 8);
    let traces = [
        rank_trace(
            0,
            2,
            20,
            &[
                (1, 2, EventKind::StartSend { to: envelope(1, 0, 8), request: 4 }),
                (5, 13, EventKind::FinishSend { request: 4 }),
            ],
        ),
        rank_trace(
            1,
            2,
            20,
            &[
                (11, 12, EventKind::StartReceive { request: 9 }),
                (13, 14, EventKind::FinishReceive { request: 9, from }),
            ],
        ),
    ];
    let analysis = analysed(&traces);
    assert_eq!(waits(&analysis, 0), [(1, WaitStateKind::LateReceiver, 6)]);
    assert_eq!(waits(&analysis, 1), []);
    let early = [
        rank_trace(0, 2, 20, &[(9, 10, send(1))]),
        rank_trace(
            1,
            2,
            20,
            &[
                (1, 2, EventKind::StartReceive { request: 0 }),
                (6, 11, EventKind::FinishReceive { request: 0, from }),
            ],
        ),
    ];
    assert_eq!(
        waits(&analysed(&early), 1),
        [(1, WaitStateKind::LateSender, 3)],
        "from the wait, not from the irecv"
    );
}

#[test]
fn an_exchange_waits_for_the_later_of_its_two_partners() {
    let both = |to, from| EventKind::Exchange { to: envelope(to, 0, 8), from: envelope(from, 0, 8) };
    let traces = [
        rank_trace(0, 3, 20, &[(1, 10, both(1, 2))]),
        rank_trace(1, 3, 20, &[(5, 10, both(2, 0))]),
        rank_trace(2, 3, 20, &[(8, 10, both(0, 1))]),
    ];
    let analysis = analysed(&traces);
    assert_eq!(waits(&analysis, 0), [(0, WaitStateKind::LateSender, 7)]);
    assert_eq!(waits(&analysis, 1), [(0, WaitStateKind::LateReceiver, 3)]);
    assert_eq!(waits(&analysis, 2), []);
}

#[test]
fn at_a_barrier_everybody_waits_for_the_last() {
    let at = |rank, begin| rank_trace(rank, 3, 12, &[(begin, 10, collective(0, CollectiveShape::All))]);
    let analysis = analysed(&[at(0, 1), at(1, 9), at(2, 4)]);
    assert_eq!(waits(&analysis, 0), [(0, WaitStateKind::Collective, 8)]);
    assert_eq!(waits(&analysis, 1), []);
    assert_eq!(waits(&analysis, 2), [(0, WaitStateKind::Collective, 5)]);
}

#[test]
fn a_broadcast_waits_for_its_root_only_and_a_reduction_only_its_root_waits() {
    let with = |shape| {
        [(0, 5), (1, 2), (2, 8)]
            .map(|(rank, begin)| rank_trace(rank, 3, 12, &[(begin, 10, collective(0, shape))]))
    };
    let broadcast = analysed(&with(CollectiveShape::From(0)));
    assert_eq!(waits(&broadcast, 1), [(0, WaitStateKind::Collective, 3)]);
    assert_eq!(broadcast.waits.all().count(), 1, "rank 2 came after the root, the root needs no other rank");
    let reduction = analysed(&with(CollectiveShape::To(0)));
    assert_eq!(waits(&reduction, 0), [(0, WaitStateKind::Collective, 3)]);
    assert_eq!(reduction.waits.all().count(), 1);
    let prefix = analysed(&with(CollectiveShape::Prefix));
    assert_eq!(waits(&prefix, 1), [(0, WaitStateKind::Collective, 3)], "rank 1 needs rank 0, not rank 2");
    assert_eq!(prefix.waits.all().count(), 1);
}

#[test]
fn a_neighbourhood_collective_waits_for_its_sources_only() {
    // A ring of four: each receives from the rank before it. Rank 3 is the last one.
    let at = |rank: u32, begin| {
        let mut trace = rank_trace(rank, 4, 12, &[(begin, 10, collective(0, CollectiveShape::Neighbours))]);
        trace.communicators[0].sources = vec![(rank + 3) % 4];
        trace
    };
    let analysis = analysed(&[at(0, 2), at(1, 1), at(2, 4), at(3, 9)]);
    assert_eq!(waits(&analysis, 0), [(0, WaitStateKind::Collective, 7)]);
    assert_eq!(waits(&analysis, 1), [(0, WaitStateKind::Collective, 1)], "rank 1 needs rank 0, not rank 3");
    assert_eq!(analysis.waits.all().count(), 2, "the sources of ranks 2 and 3 came before them");
}

#[test]
fn a_wait_never_reaches_beyond_its_call() {
    // A collective that releases its first rank before the last has entered, as a barrier of neighbours may.
    let at = |rank, begin, end| rank_trace(rank, 2, 12, &[(begin, end, collective(0, CollectiveShape::All))]);
    let analysis = analysed(&[at(0, 1, 4), at(1, 9, 10)]);
    assert_eq!(waits(&analysis, 0), [(0, WaitStateKind::Collective, 3)]);
    // So the path does not continue on the rank that entered after the call had ended.
    assert_eq!(analysis.critical_path.segments, [CriticalPathSegment { rank: 0, begin: 0, end: 12 * MS }]);
}

#[test]
fn post_and_complete_are_waited_for_like_messages() {
    let origin = [
        (1, 5, EventKind::Start { peers: vec![1] }),
        (5, 6, EventKind::Access { target: 1, bytes: 8 }),
        (9, 10, EventKind::Complete { peers: vec![1] }),
    ];
    let target = [(4, 5, EventKind::Post { peers: vec![0] }), (5, 11, EventKind::Wait { peers: vec![0] })];
    let analysis = analysed(&[rank_trace(0, 2, 12, &origin), rank_trace(1, 2, 12, &target)]);
    assert_eq!(waits(&analysis, 0), [(0, WaitStateKind::LateSender, 3)]);
    assert_eq!(waits(&analysis, 1), [(1, WaitStateKind::LateSender, 4)]);
    assert!(analysis.matching.messages.iter().all(|message| message.tag.is_none()));
    // A start that does not wait: then the complete does.
    let lazy = [(1, 2, EventKind::Start { peers: vec![1] }), (2, 6, EventKind::Complete { peers: vec![1] })];
    let analysis = analysed(&[rank_trace(0, 2, 12, &lazy), rank_trace(1, 2, 12, &target)]);
    assert_eq!(waits(&analysis, 0), [(0, WaitStateKind::LateSender, 1), (1, WaitStateKind::LateSender, 2)]);
}

#[test]
fn who_is_done_early_is_out_of_balance_and_who_works_then_works_alone() {
    let analysis = analysed(&[rank_trace(0, 2, 4, &[]), rank_trace(1, 2, 10, &[])]);
    let short = Parts { compute: 4 * MS, imbalance: 6 * MS, ..Parts::default() };
    assert_eq!(analysis.parts[0], short);
    let long = Parts { compute: 4 * MS, serial: 6 * MS, ..Parts::default() };
    assert_eq!(analysis.parts[1], long);
}

#[test]
fn with_three_ranks_work_is_serial_only_while_both_others_wait() {
    let traces = [
        rank_trace(0, 3, 10, &[(8, 9, collective(0, CollectiveShape::All))]),
        rank_trace(1, 3, 10, &[(2, 9, collective(0, CollectiveShape::All))]),
        rank_trace(2, 3, 10, &[(5, 9, collective(0, CollectiveShape::All))]),
    ];
    let analysis = analysed(&traces);
    assert_eq!(analysis.parts[0].serial, 3 * MS);
    assert_eq!(analysis.parts[2].serial, 0);
}

#[test]
fn a_rank_without_others_computes_and_is_not_serial() {
    let analysis = analysed(&[rank_trace(0, 1, 10, &[(2, 3, collective(0, CollectiveShape::All))])]);
    let expected = Parts { compute: 9 * MS, transfer: MS, ..Parts::default() };
    assert_eq!(analysis.parts, [expected]);
}

#[test]
fn the_critical_path_goes_from_the_last_exit_to_whom_it_waited_for() {
    let traces = [
        rank_trace(0, 3, 8, &[(6, 7, send(1))]),
        rank_trace(1, 3, 20, &[(2, 8, receive(0)), (12, 13, send(2))]),
        rank_trace(2, 3, 22, &[(1, 14, receive(1))]),
    ];
    let path = analysed(&traces).critical_path;
    let output: Vec<_> = path.segments.iter().map(|s| (s.rank, s.begin / MS, s.end / MS)).collect();
    assert_eq!(output, [(0, 0, 6), (1, 6, 12), (2, 12, 22)]);
    assert_eq!((path.compute, path.transfer), (18 * MS, 4 * MS));
}

#[test]
fn a_path_through_nobody_stays_where_it_is() {
    let mut late = rank_trace(1, 2, 10, &[]);
    late.begin_ns = 3 * MS;
    let path = analysed(&[rank_trace(0, 2, 9, &[]), late]).critical_path;
    assert_eq!(path.start, 3 * MS);
    assert_eq!(path.segments.len(), 1);
}

#[test]
fn canary_a_wait_that_is_one_nanosecond_off_is_noticed() {
    let mut traces = [rank_trace(0, 2, 10, &[(7, 8, send(1))]), rank_trace(1, 2, 10, &[(2, 9, receive(0))])];
    traces[0].events[0].begin_ns += 1;
    assert_eq!(
        analysed(&traces).waits.at(EventRef { rank: 1, event: 0 }).map(|wait| wait.ns),
        Some(5 * MS + 1)
    );
}

#[test]
fn a_recording_that_was_full_is_told_as_far_as_it_is_whole() {
    let mut full = rank_trace(0, 2, 20, &[(1, 2, send(1)), (4, 5, send(1))]);
    full.left_out = 7;
    let traces =
        [full, rank_trace(1, 2, 20, &[(2, 3, receive(0)), (4, 6, receive(0)), (8, 9, EventKind::Local)])];
    let cut = crate::trace_analysis::truncate(&traces);
    assert_eq!((cut.missing_since, cut.missing_calls), (Some(5 * MS), 9));
    let analysis = analysed(&cut.ranks);
    assert_eq!(analysis.total(), 5 * MS);
    assert_eq!(cut.ranks[1].end_ns, 4 * MS, "what the cut goes through is not computing");
    let whole = [traces[1].clone()];
    assert_eq!(crate::trace_analysis::truncate(&whole).missing_since, None);
    let both = traces.map(|trace| RankTrace { left_out: 1, ..trace });
    assert_eq!(
        crate::trace_analysis::truncate(&both).missing_since,
        Some(5 * MS),
        "up to the first log that was full"
    );
}

#[test]
fn calls_are_added_up_by_their_place_in_the_source() {
    let traces = [rank_trace(0, 2, 10, &[(7, 8, send(1))]), rank_trace(1, 2, 10, &[(2, 9, receive(0))])];
    let timeline = crate::trace_analysis::Timeline::new(&traces).expect("sound");
    let analysis = analysed(&traces);
    let tallies = crate::trace_analysis::tallies(&timeline, &analysis.waits);
    assert_eq!(tallies.len(), 1, "both are the same line here");
    assert_eq!((tallies[0].count, tallies[0].ns, tallies[0].waiting()), (2, 8 * MS, 5 * MS));
    assert_eq!((tallies[0].cause(), tallies[0].stage), (Some(WaitStateKind::LateSender), Some("run")));
    let stage = |name: &str, begin| StageSpan { name: name.into(), begin_ns: begin * MS, end_ns: 10 * MS };
    let mut staged =
        rank_trace(0, 1, 10, &[(4, 5, EventKind::Local), (5, 6, EventKind::Local), (6, 7, EventKind::Local)]);
    staged.stages = vec![stage("first", 5), stage("second", 6)];
    let staged = [staged];
    let timeline = crate::trace_analysis::Timeline::new(&staged).expect("sound");
    let stages: Vec<_> = timeline.event_refs().map(|place| timeline.stage(place)).collect();
    assert_eq!(
        stages,
        [None, Some("first"), Some("second")],
        "a call that is made when a stage begins is of it"
    );
}

#[test]
fn a_send_waits_for_a_receive_up_to_the_edge_of_its_call() {
    // When the receive is posted, whether an ssend (1 to 8) then waited for it, and whether a standard send did.
    for (posted, synchronous, standard) in [
        (0, false, false),
        (1, false, false),
        (2, true, true),
        (7, true, true),
        (8, true, false),
        (9, false, false),
    ] {
        for (is_synchronous, expected) in [(true, synchronous), (false, standard)] {
            let sent = EventKind::Send { to: envelope(1, 0, 8), synchronous: is_synchronous };
            let traces =
                [rank_trace(0, 2, 10, &[(1, 8, sent)]), rank_trace(1, 2, 10, &[(posted, 9, receive(0))])];
            let analysis = analysed(&traces);
            let wanted = if expected { vec![(0, WaitStateKind::LateReceiver, posted - 1)] } else { vec![] };
            assert_eq!(waits(&analysis, 0), wanted, "posted at {posted}, ssend: {is_synchronous}");
        }
    }
}

#[test]
fn stages_that_run_backwards_and_times_beyond_counting_are_refused() {
    let staged = |begin_ns, end_ns| {
        let stages = vec![StageSpan { name: "run".into(), begin_ns, end_ns }];
        analyse(&[RankTrace { begin_ns: 5, stages, ..rank_trace(0, 1, 10, &[]) }]).map(drop)
    };
    assert_eq!(staged(5, 7), Ok(()));
    assert_eq!(staged(7, 6), Err(TraceError::Stage { rank: 0, stage: 0 }));
    assert_eq!(staged(4, 6), Err(TraceError::Stage { rank: 0, stage: 0 }));
    let long = |traces: usize, end_ns| {
        let traces: Vec<RankTrace> =
            (0..traces).map(|_| RankTrace { end_ns, ..RankTrace::default() }).collect();
        analyse(&traces).map(drop)
    };
    assert_eq!(long(2, 1 << 62), Ok(()));
    assert_eq!(long(3, 1 << 62), Err(TraceError::TooLong { ranks: 3, ns: 1 << 62 }));
}
