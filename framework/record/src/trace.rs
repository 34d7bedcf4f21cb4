//! A trace: what every rank called, when, and with whom, in one pass through the stages.
//!
//! A trace says what a rank saw of its own calls and nothing that had to be concluded: which send belongs to which receive,
//! who waited for whom and why is computed again by whoever reads. Peers are ranks of the event's communicator; a
//! communicator has the same name on all its ranks, which is how ranks of different communicators are told apart.
//!
//! Times are nanoseconds of one clock that all ranks share. On a lane the events follow each other and do not overlap.
use serde::{Deserialize, Serialize};

use crate::fields::{ANY, BYTES, COUNT, CheckedNumber, FieldVisitor, NS, RANK, RANKS, VisitFields, fields};
use crate::{Environment, MeasuredWorkload, ReadError, SCHEMA, Subject, line};

/// One traced pass of one task: a document of one line of JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// The format; see [`SCHEMA`].
    pub schema: u32,
    /// When it was taken, RFC 3339.
    pub at: String,
    /// What was run.
    pub subject: Subject,
    /// Where it was run.
    pub environment: Environment,
    /// On which input.
    pub workload: MeasuredWorkload,
    /// The machine whose virtual time the times are of, where the run was simulated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated: Option<String>,
    /// One per rank, in the order of ranks.
    pub lanes: Vec<RankTrace>,
}

/// What one rank did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RankTrace {
    /// When the pass began here.
    pub begin_ns: u64,
    /// When it was over here.
    pub end_ns: u64,
    /// The stages in their order.
    #[serde(default)]
    pub stages: Vec<StageSpan>,
    /// The communicators that events name by their place in this list.
    #[serde(default)]
    pub communicators: Vec<TraceCommunicator>,
    /// The calls of the source that events name by their place in this list.
    #[serde(default)]
    pub calls: Vec<SourceCall>,
    /// What was called, in order.
    #[serde(default)]
    pub events: Vec<TraceEvent>,
    /// Calls that came when the recording was full; they are missing above.
    #[serde(default)]
    pub left_out: u64,
    /// How long these calls took together; 0 in a record of a program that did not note it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out_ns: u64,
    /// Processor time that this rank took outside of calls; `None` where it was not measured, as in virtual time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub computed_ns: Option<u64>,
}

fn is_zero(ns: &u64) -> bool {
    *ns == 0
}

/// From when to when a stage ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageSpan {
    /// `validation`, `preprocessing`, `run` or `postprocessing`.
    pub name: String,
    /// Its first moment.
    pub begin_ns: u64,
    /// Its last.
    pub end_ns: u64,
}

/// A communicator as one of its ranks sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceCommunicator {
    /// `world`, `world.0` for what was made from it first, `world.1:7` for the part of colour 7 of a split. A window and a
    /// barrier with a handle count as communicators of their own.
    pub name: String,
    /// This rank's number in it.
    pub rank: u32,
    /// How many ranks it has.
    pub size: u32,
}

/// A call in the source.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SourceCall {
    /// The verb as it is written, for example `recv`.
    pub verb: String,
    /// The file, as the compiler was given it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// One call from its entry to its return.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceEvent {
    /// Its place in [`RankTrace::calls`].
    pub call: u32,
    /// Its place in [`RankTrace::communicators`].
    pub communicator: u32,
    /// Its entry.
    pub begin_ns: u64,
    /// Its return.
    pub end_ns: u64,
    /// What it did.
    pub act: EventKind,
}

/// One end of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Envelope {
    /// The rank at the other end.
    pub peer: u32,
    /// The tag.
    pub tag: i32,
    /// The size.
    pub bytes: u64,
}

/// What a call did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// Nothing that concerns another rank's call: a probe, a test, own memory, a lock.
    Local,
    /// Sent, and returned when the buffer was free again.
    Send {
        /// Where to.
        to: Envelope,
        /// Only when the receiver had begun (`ssend`).
        #[serde(default)]
        synchronous: bool,
    },
    /// Received.
    Receive {
        /// Where from: what really came, not what was asked for.
        from: Envelope,
    },
    /// Sent and received at once.
    Exchange {
        /// Where to.
        to: Envelope,
        /// Where from.
        from: Envelope,
    },
    /// Began to send.
    StartSend {
        /// Where to.
        to: Envelope,
        /// The request's number on this lane.
        request: u32,
    },
    /// Began to receive.
    StartReceive {
        /// The request's number on this lane.
        request: u32,
    },
    /// Waited for a send.
    FinishSend {
        /// The request's number on this lane.
        request: u32,
    },
    /// Waited for a receive.
    FinishReceive {
        /// The request's number on this lane.
        request: u32,
        /// Where from.
        from: Envelope,
    },
    /// Took part in a collective call.
    Collective {
        /// Its number among the collective calls of its communicator.
        sequence: u32,
        /// Who needs whom.
        shape: CollectiveShape,
        /// What this rank put in or got, whichever is more.
        bytes: u64,
    },
    /// Reached into another rank's part of a window.
    Access {
        /// Whose part.
        target: u32,
        /// How much went either way.
        bytes: u64,
    },
    /// Opened an exposure epoch for these ranks (`MPI_Win_post`).
    Post {
        /// The origins.
        peers: Vec<u32>,
    },
    /// Opened an access epoch to these ranks (`MPI_Win_start`).
    Start {
        /// The targets.
        peers: Vec<u32>,
    },
    /// Ended the access epoch to these ranks (`MPI_Win_complete`).
    Complete {
        /// The targets.
        peers: Vec<u32>,
    },
    /// Ended the exposure epoch for these ranks (`MPI_Win_wait`).
    Wait {
        /// The origins.
        peers: Vec<u32>,
    },
}

/// Who needs whom in a collective call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CollectiveShape {
    /// Everybody needs everybody: barrier, allreduce, fence, ...
    All,
    /// Everybody needs this rank: bcast, scatter.
    From(u32),
    /// This rank needs everybody: reduce, gather.
    To(u32),
    /// Each needs those before it: scan, exscan.
    Prefix,
}

impl Trace {
    /// A trace of the current [`SCHEMA`].
    pub fn new(
        at: impl Into<String>,
        subject: Subject,
        environment: Environment,
        workload: MeasuredWorkload,
        lanes: Vec<RankTrace>,
    ) -> Self {
        Self { schema: SCHEMA, at: at.into(), subject, environment, workload, simulated: None, lanes }
    }

    /// The trace with at most the first `calls` calls of every rank; the others count as [`RankTrace::left_out`].
    #[must_use]
    pub fn truncated(mut self, calls: usize) -> Self {
        for lane in &mut self.lanes {
            lane.left_out += lane.events.len().saturating_sub(calls) as u64;
            let dropped =
                lane.events.iter().skip(calls).map(|event| event.end_ns.saturating_sub(event.begin_ns));
            lane.left_out_ns = dropped.fold(lane.left_out_ns, u64::saturating_add);
            lane.events.truncate(calls);
        }
        self
    }

    /// The trace as one line of JSON, without the line end.
    ///
    /// # Panics
    /// If the environment holds a number that JSON cannot hold.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("traces have string keys only, so they always serialise")
    }

    /// Reads one line.
    ///
    /// # Errors
    /// [`ReadError::NewerSchema`] for a trace of a newer program, [`ReadError::Field`] for a number that cannot be,
    /// [`ReadError::NotARecord`] for anything else that is none.
    pub fn parse_line(line: &str) -> Result<Self, ReadError> {
        line::parse(line.strip_prefix('\u{feff}').unwrap_or(line))
    }

    /// Replaces every text of the trace by what `text` makes of it.
    pub fn map_texts(&mut self, text: &mut dyn FnMut(&str) -> String) {
        line::map_texts(self, text);
    }
}

/// A small complete trace, for documentation and tests: rank 0 prepares the work for 5 ms and deals it out, two others wait
/// for it; all compute, and a reduction brings the results together.
pub fn example_trace() -> Trace {
    const MS: u64 = 1_000_000;
    let record = crate::example();
    let message = |peer, bytes| Envelope { peer, tag: 0, bytes };
    let send = |to| EventKind::Send { to: message(to, 1 << 20), synchronous: false };
    let sum = EventKind::Collective { sequence: 0, shape: CollectiveShape::To(0), bytes: 8 };
    let call =
        |verb: &str, line| SourceCall { verb: verb.into(), file: "tasks/example/src/mpi.rs".into(), line };
    let lane = |rank, run, end, events: &[(u32, u64, u64, EventKind)]| RankTrace {
        begin_ns: 0,
        end_ns: end,
        stages: vec![
            StageSpan { name: "preprocessing".into(), begin_ns: 0, end_ns: run },
            StageSpan { name: "run".into(), begin_ns: run, end_ns: end },
        ],
        communicators: vec![TraceCommunicator { name: "world".into(), rank, size: 3 }],
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
        left_out: 0,
        left_out_ns: 0,
        computed_ns: None,
    };
    let got = EventKind::Receive { from: message(0, 1 << 20) };
    let root =
        [(0, 5 * MS, 6 * MS, send(1)), (0, 6 * MS, 7 * MS, send(2)), (2, 12 * MS, 16 * MS, sum.clone())];
    let first = [(1, MS / 2, 6 * MS, got.clone()), (2, 15 * MS, 15 * MS + 200_000, sum.clone())];
    let second = [(1, MS / 2, 7 * MS, got), (2, 13 * MS, 13 * MS + 200_000, sum)];
    let lanes = vec![
        lane(0, 7 * MS, 16 * MS, &root),
        lane(1, 6 * MS, 15 * MS + 200_000, &first),
        lane(2, 7 * MS, 13 * MS + 200_000, &second),
    ];
    let workload = MeasuredWorkload { name: "rows".into(), size: 4096, unit: String::new() };
    let mut environment = record.environment;
    environment.machine.usable_cores = 4;
    Trace::new("2026-03-01T10:15:00Z", record.subject, environment, workload, lanes)
}

fields! {
    Trace { schema: ANY, at, subject, environment, workload, simulated, lanes }
    RankTrace {
        begin_ns: NS, end_ns: NS, stages, communicators, calls, events, left_out: COUNT, left_out_ns: NS, computed_ns: NS,
    }
    StageSpan { name, begin_ns: NS, end_ns: NS }
    TraceCommunicator { name, rank: RANK, size: RANKS }
    SourceCall { verb, file, line: ANY }
    TraceEvent { call: ANY, communicator: ANY, begin_ns: NS, end_ns: NS, act }
}

impl VisitFields for Envelope {
    fn visit_fields(&mut self, walk: &mut FieldVisitor<'_>) {
        // Every tag is one: libraries use negative ones.
        let Self { peer, tag: _, bytes } = self;
        walk.field("peer", |walk| peer.check(RANK, walk));
        walk.field("bytes", |walk| bytes.check(BYTES, walk));
    }
}

impl VisitFields for EventKind {
    fn visit_fields(&mut self, walk: &mut FieldVisitor<'_>) {
        match self {
            Self::Send { to, synchronous: _ } | Self::StartSend { to, request: _ } => to.visit_fields(walk),
            Self::Receive { from } | Self::FinishReceive { request: _, from } => from.visit_fields(walk),
            Self::Exchange { to, from } => {
                to.visit_fields(walk);
                from.visit_fields(walk);
            }
            Self::Collective { sequence: _, shape, bytes } => {
                shape.visit_fields(walk);
                walk.field("bytes", |walk| bytes.check(BYTES, walk));
            }
            Self::Access { target, bytes } => {
                walk.field("target", |walk| target.check(RANK, walk));
                walk.field("bytes", |walk| bytes.check(BYTES, walk));
            }
            Self::Post { peers }
            | Self::Start { peers }
            | Self::Complete { peers }
            | Self::Wait { peers } => {
                walk.field("peers", |walk| peers.check(RANK, walk));
            }
            Self::Local | Self::StartReceive { request: _ } | Self::FinishSend { request: _ } => {}
        }
    }
}

impl VisitFields for CollectiveShape {
    fn visit_fields(&mut self, walk: &mut FieldVisitor<'_>) {
        match self {
            Self::From(root) | Self::To(root) => walk.field("root", |walk| root.check(RANK, walk)),
            Self::All | Self::Prefix => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    fn trace() -> Trace {
        let record = example();
        let from = Envelope { peer: 0, tag: -1, bytes: 8 };
        let acts = [
            EventKind::Local,
            EventKind::Receive { from },
            EventKind::StartReceive { request: 3 },
            EventKind::Collective { sequence: 1, shape: CollectiveShape::From(2), bytes: 4 },
            EventKind::Post { peers: vec![1, 2] },
        ];
        let event = |act| TraceEvent { call: 0, communicator: 0, begin_ns: 1, end_ns: 1 << 62, act };
        let lane = RankTrace {
            begin_ns: 1,
            end_ns: 9,
            stages: vec![StageSpan { name: "run".into(), begin_ns: 1, end_ns: 9 }],
            communicators: vec![TraceCommunicator { name: "world".into(), rank: 0, size: 1 }],
            calls: vec![SourceCall { verb: "recv".into(), file: "src/mpi.rs".into(), line: 7 }],
            events: acts.map(event).into(),
            left_out: 2,
            left_out_ns: 0,
            computed_ns: Some(3),
        };
        let workload = MeasuredWorkload { name: "sine".into(), size: 5, unit: String::new() };
        Trace::new("2026-03-01T10:15:00Z", record.subject, record.environment, workload, vec![lane])
    }

    #[test]
    fn a_trace_survives_writing_and_reading() {
        let line = trace().to_line();
        assert!(!line.contains('\n'));
        assert_eq!(Trace::parse_line(&line).expect("readable"), trace());
    }

    #[test]
    fn a_shortened_trace_counts_what_it_leaves_out() {
        let short = trace().truncated(3);
        assert_eq!((short.lanes[0].events.len(), short.lanes[0].left_out), (3, 4));
        assert_eq!(trace().truncated(5), trace());
    }

    #[test]
    fn what_a_trace_says_stays_readable() {
        let line = trace().to_line();
        for expected in [
            r#""act":"local""#,
            r#""act":{"receive":{"from":{"peer":0,"tag":-1,"bytes":8}}}"#,
            r#""shape":{"from":2}"#,
        ] {
            assert!(line.contains(expected), "{expected} in {line}");
        }
    }

    #[test]
    fn a_newer_trace_is_refused_by_name() {
        let newer = trace().to_line().replacen(r#""schema":1"#, r#""schema":2"#, 1);
        assert!(matches!(Trace::parse_line(&newer), Err(ReadError::NewerSchema { found: 2, .. })));
    }
}
