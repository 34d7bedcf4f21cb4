//! Traces written by hand, in milliseconds.
use crate::{
    CollectiveShape, Envelope, EventKind, RankTrace, SourceCall, StageSpan, TraceCommunicator, TraceEvent,
};

/// Nanoseconds of a millisecond.
pub(crate) const MS: u64 = 1_000_000;

/// The trace of a rank from 0 to `end`, with these calls, in milliseconds.
pub(crate) fn rank_trace(rank: u32, size: u32, end: u64, calls: &[(u64, u64, EventKind)]) -> RankTrace {
    let event = |(begin, until, act): &(u64, u64, EventKind)| TraceEvent {
        call: 0,
        communicator: 0,
        begin_ns: begin * MS,
        end_ns: until * MS,
        act: act.clone(),
    };
    RankTrace {
        begin_ns: 0,
        end_ns: end * MS,
        stages: vec![StageSpan { name: "run".into(), begin_ns: 0, end_ns: end * MS }],
        communicators: vec![TraceCommunicator { name: "world".into(), rank, size, sources: vec![] }],
        calls: vec![SourceCall { verb: "call".into(), file: "src/mpi.rs".into(), line: 1 }],
        events: calls.iter().map(event).collect(),
        ..RankTrace::default()
    }
}

pub(crate) fn envelope(peer: u32, tag: i32, bytes: u64) -> Envelope {
    Envelope { peer, tag, bytes }
}

pub(crate) fn send(to: u32) -> EventKind {
    EventKind::Send { to: envelope(to, 0, 8), synchronous: false }
}

pub(crate) fn receive(from: u32) -> EventKind {
    EventKind::Receive { from: envelope(from, 0, 8) }
}

pub(crate) fn collective(sequence: u32, shape: CollectiveShape) -> EventKind {
    EventKind::Collective { sequence, shape, bytes: 8 }
}
