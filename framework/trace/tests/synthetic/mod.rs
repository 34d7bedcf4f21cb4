//! Lanes written by hand, in milliseconds.
#![allow(dead_code, reason = "each test uses its part")]
use wb_record::{Act, Call, Communicator, Envelope, Event, Lane, Shape, StageSpan};

/// Nanoseconds of a millisecond.
pub(crate) const MS: u64 = 1_000_000;

/// A lane from 0 to `end` whose calls are given with their milliseconds.
pub(crate) fn lane(rank: u32, size: u32, end: u64, calls: &[(u64, u64, Act)]) -> Lane {
    let event = |(begin, until, act): &(u64, u64, Act)| Event {
        call: 0,
        communicator: 0,
        begin_ns: begin * MS,
        end_ns: until * MS,
        act: act.clone(),
    };
    Lane {
        begin_ns: 0,
        end_ns: end * MS,
        stages: vec![StageSpan { name: "run".into(), begin_ns: 0, end_ns: end * MS }],
        communicators: vec![Communicator { name: "world".into(), rank, size }],
        calls: vec![Call { verb: "call".into(), file: "src/mpi.rs".into(), line: 1 }],
        events: calls.iter().map(event).collect(),
        left_out: 0,
        left_out_ns: 0,
        computed_ns: None,
    }
}

pub(crate) fn envelope(peer: u32, tag: i32, bytes: u64) -> Envelope {
    Envelope { peer, tag, bytes }
}

pub(crate) fn send(to: u32) -> Act {
    Act::Send { to: envelope(to, 0, 8), synchronous: false }
}

pub(crate) fn receive(from: u32) -> Act {
    Act::Receive { from: envelope(from, 0, 8) }
}

pub(crate) fn collective(sequence: u32, shape: Shape) -> Act {
    Act::Collective { sequence, shape, bytes: 8 }
}
