//! An example of a trace.

use super::{
    CollectiveShape, Envelope, EventKind, RankTrace, SourceCall, StageSpan, Trace, TraceCommunicator,
    TraceEvent,
};
use crate::MeasuredWorkload;

/// A small complete trace, for documentation and tests. Rank 0 prepares the work for 5 ms and sends it to two other ranks,
/// which wait for it. All ranks compute, and a reduction combines the results.
pub fn example_trace() -> Trace {
    const MS: u64 = 1_000_000;
    let record = crate::example();
    let message = |peer, bytes| Envelope { peer, tag: 0, bytes };
    let send = |to| EventKind::Send { to: message(to, 1 << 20), synchronous: false };
    let sum = EventKind::Collective { sequence: 0, shape: CollectiveShape::To(0), bytes: 8 };
    let call =
        |verb: &str, line| SourceCall { verb: verb.into(), file: "tasks/example/src/mpi.rs".into(), line };
    let rank = |rank, run, end, events: &[(u32, u64, u64, EventKind)]| RankTrace {
        begin_ns: 0,
        end_ns: end,
        stages: vec![
            StageSpan { name: "preprocessing".into(), begin_ns: 0, end_ns: run },
            StageSpan { name: "run".into(), begin_ns: run, end_ns: end },
        ],
        communicators: vec![TraceCommunicator { name: "world".into(), rank, size: 3, sources: vec![] }],
        calls: vec![call("send", 21), call("recv", 24), call("reduce", 33)],
        events: events
            .iter()
            .map(|(call, begin_ns, end_ns, act)| TraceEvent {
                call: *call,
                communicator: 0,
                begin_ns: *begin_ns,
                end_ns: *end_ns,
                act: act.clone(),
            })
            .collect(),
        ..RankTrace::default()
    };
    let received = EventKind::Receive { from: message(0, 1 << 20) };
    let root =
        [(0, 5 * MS, 6 * MS, send(1)), (0, 6 * MS, 7 * MS, send(2)), (2, 12 * MS, 16 * MS, sum.clone())];
    let first = [(1, MS / 2, 6 * MS, received.clone()), (2, 15 * MS, 15 * MS + 200_000, sum.clone())];
    let second = [(1, MS / 2, 7 * MS, received), (2, 13 * MS, 13 * MS + 200_000, sum)];
    let ranks = vec![
        rank(0, 7 * MS, 16 * MS, &root),
        rank(1, 6 * MS, 15 * MS + 200_000, &first),
        rank(2, 7 * MS, 13 * MS + 200_000, &second),
    ];
    let workload = MeasuredWorkload { name: "rows".into(), size: 4096, unit: String::new() };
    let mut environment = record.environment;
    environment.machine.usable_cores = 4;
    Trace::new("2026-03-01T10:15:00Z", record.subject, environment, workload, ranks)
}
