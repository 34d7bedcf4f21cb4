//! A trace: what every rank called, when, and with whom, in one pass through the stages.
//!
//! A trace contains what a rank observed of its own calls, without conclusions: `wb_record::trace_analysis` computes which send matches which
//! receive, and which rank waited for which. Peers are ranks of the event's communicator. A communicator has the same name on
//! all its ranks.
//!
//! Times are nanoseconds of one clock that all ranks share. The events of a rank are in order and do not overlap.

mod event;
mod example;
mod log;

use serde::{Deserialize, Serialize};

pub use self::{
    event::{CollectiveShape, Envelope, EventKind},
    example::example_trace,
    log::{LOG_HEADER_BYTES, LogEnd, LogEntry, LogError, LogStart, LoggedCall, LoggedSite, RankLog},
};
use crate::{
    Environment, MeasuredWorkload, ReadError, SCHEMA_VERSION, Subject,
    fields::{ANY, COUNT, NS, RANK, RANKS, fields},
    line,
};

/// One traced pass of one task: a document of one line of JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// The format; see [`SCHEMA_VERSION`].
    pub schema: u32,
    /// When it was taken, RFC 3339.
    pub at: String,
    /// The traced program.
    pub subject: Subject,
    /// Where it was run.
    pub environment: Environment,
    /// The input.
    pub workload: MeasuredWorkload,
    /// The machine whose virtual time the times are of, where the run was simulated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated: Option<String>,
    /// One per rank, in the order of ranks.
    #[serde(rename = "lanes")]
    pub ranks: Vec<RankTrace>,
}

/// The trace of one rank.
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
    /// The calls, in order.
    #[serde(default)]
    pub events: Vec<TraceEvent>,
    /// The rounds of messages inside of collective calls, in order, where our algorithms perform them over messages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<CollectiveRound>,
    /// Calls that came when the recording was full; they are missing above.
    #[serde(default)]
    pub left_out: u64,
    /// The total time of these calls; 0 in a record of a program that did not note it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out_ns: u64,
    /// Processor time that this rank took outside of calls; `None` where it was not measured, as in virtual time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub computed_ns: Option<u64>,
    /// The functions that were called and are not recorded, with the number of their calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unrecorded: Vec<UnrecordedCalls>,
    /// Whether the rank ended before the end of the recording. Then the trace ends with the last call that returned.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_unfinished: bool,
    /// The same pass without overlap; `None` where no collective operation was started to be waited for later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without_overlap: Option<WithoutOverlap>,
}

/// Messages inside of a collective call that were posted together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollectiveRound {
    /// The index of the call in [`RankTrace::events`].
    pub event: u32,
    /// The algorithm, by the name in its catalogue; in the first round of a call only.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub algorithm: String,
    /// When the messages were posted.
    pub begin_ns: u64,
    /// When all of them were complete.
    pub end_ns: u64,
    /// What was sent.
    pub sends: Vec<Envelope>,
    /// What was received.
    pub receives: Vec<Envelope>,
}

/// Calls of a function that a trace does not contain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnrecordedCalls {
    /// The function, for example `MPI_Put`; empty for all functions on threads that are not recorded.
    pub function: String,
    /// The number of calls.
    pub count: u64,
}

/// The times of one rank in a second pass, in which each started collective operation was completed in the call that started it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WithoutOverlap {
    /// The time of the pass on this rank.
    pub elapsed_ns: u64,
    /// The time in which this rank was in calls that start or complete collective operations.
    pub collectives_ns: u64,
}

fn is_zero(ns: &u64) -> bool {
    *ns == 0
}

impl RankTrace {
    /// The times that a trace keeps of a pass without overlap.
    pub fn as_without_overlap(&self) -> WithoutOverlap {
        WithoutOverlap {
            elapsed_ns: self.end_ns.saturating_sub(self.begin_ns),
            collectives_ns: self.started_collectives_ns(),
        }
    }

    /// Whether a collective operation was started to be waited for later.
    pub fn starts_collectives(&self) -> bool {
        self.events.iter().any(|event| matches!(event.act, EventKind::StartCollective { .. }))
    }

    /// The time in which this rank was in calls that start or complete such operations. A call that completes several is counted once.
    pub fn started_collectives_ns(&self) -> u64 {
        let (mut sum, mut counted_until) = (0, 0);
        for event in &self.events {
            if let EventKind::StartCollective { .. } | EventKind::FinishCollective { .. } = event.act {
                sum += event.end_ns.saturating_sub(event.begin_ns.max(counted_until));
                counted_until = event.end_ns.max(counted_until);
            }
        }
        sum
    }

    /// Replaces every time by what `time` makes of it, for example to correct it to another clock. Durations stay.
    pub fn map_times(&mut self, time: impl Fn(u64) -> u64) {
        let stages = self.stages.iter_mut().flat_map(|stage| [&mut stage.begin_ns, &mut stage.end_ns]);
        let events = self.events.iter_mut().flat_map(|event| [&mut event.begin_ns, &mut event.end_ns]);
        let rounds = self.rounds.iter_mut().flat_map(|round| [&mut round.begin_ns, &mut round.end_ns]);
        let own = [&mut self.begin_ns, &mut self.end_ns];
        own.into_iter()
            .chain(stages)
            .chain(events)
            .chain(rounds)
            .for_each(|stamp_ns| *stamp_ns = time(*stamp_ns));
    }
}

/// The time in which a stage ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageSpan {
    /// `validation`, `preprocessing`, `run` or `postprocessing`.
    pub name: String,
    /// The begin of the stage.
    pub begin_ns: u64,
    /// The end of the stage.
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
    /// The number of ranks.
    pub size: u32,
    /// The ranks from which this one receives in neighbourhood collectives, where the communicator has a topology.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<u32>,
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
    /// The index of the call in [`RankTrace::calls`].
    pub call: u32,
    /// The index of the communicator in [`RankTrace::communicators`].
    pub communicator: u32,
    /// The time of the entry.
    pub begin_ns: u64,
    /// The time of the return.
    pub end_ns: u64,
    /// The kind of call.
    pub act: EventKind,
}

/// The largest number of calls that all ranks of a job together record.
const MAX_CALLS: usize = 1 << 20;

/// The largest number of calls that one rank records.
const MAX_CALLS_PER_RANK: usize = 1 << 18;

/// The largest number of calls that one of `ranks` ranks records.
pub fn max_calls_per_rank(ranks: usize) -> usize {
    (MAX_CALLS / ranks).min(MAX_CALLS_PER_RANK)
}

impl Trace {
    /// A trace of the current [`SCHEMA_VERSION`].
    pub fn new(
        at: impl Into<String>,
        subject: Subject,
        environment: Environment,
        workload: MeasuredWorkload,
        ranks: Vec<RankTrace>,
    ) -> Self {
        Self { schema: SCHEMA_VERSION, at: at.into(), subject, environment, workload, simulated: None, ranks }
    }

    /// The trace with at most the first `calls` calls of every rank; the others count as [`RankTrace::left_out`].
    #[must_use]
    pub fn truncated(mut self, calls: usize) -> Self {
        for rank in &mut self.ranks {
            rank.left_out += rank.events.len().saturating_sub(calls) as u64;
            let dropped =
                rank.events.iter().skip(calls).map(|event| event.end_ns.saturating_sub(event.begin_ns));
            rank.left_out_ns = dropped.fold(rank.left_out_ns, u64::saturating_add);
            rank.events.truncate(calls);
            rank.rounds.retain(|round| (round.event as usize) < calls);
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

fields! {
    Trace { schema: ANY, at, subject, environment, workload, simulated, ranks = "lanes" }
    RankTrace {
        begin_ns: NS, end_ns: NS, stages, communicators, calls, events, rounds, left_out: COUNT, left_out_ns: NS, computed_ns: NS,
        unrecorded, is_unfinished, without_overlap,
    }
    CollectiveRound { event: ANY, algorithm, begin_ns: NS, end_ns: NS, sends, receives }
    UnrecordedCalls { function, count: COUNT }
    WithoutOverlap { elapsed_ns: NS, collectives_ns: NS }
    StageSpan { name, begin_ns: NS, end_ns: NS }
    TraceCommunicator { name, rank: RANK, size: RANKS, sources: RANK }
    SourceCall { verb, file, line: ANY }
    TraceEvent { call: ANY, communicator: ANY, begin_ns: NS, end_ns: NS, act }
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
            EventKind::StartCollective { sequence: 2, shape: CollectiveShape::Prefix, bytes: 4, request: 5 },
            EventKind::FinishCollective { request: 5 },
            EventKind::Collective { sequence: 1, shape: CollectiveShape::From(2), bytes: 4 },
            EventKind::Post { peers: vec![1, 2] },
        ];
        let event = |act| TraceEvent { call: 0, communicator: 0, begin_ns: 1, end_ns: 1 << 62, act };
        let rank = RankTrace {
            begin_ns: 1,
            end_ns: 9,
            stages: vec![StageSpan { name: "run".into(), begin_ns: 1, end_ns: 9 }],
            communicators: vec![TraceCommunicator {
                name: "world".into(),
                rank: 0,
                size: 1,
                sources: vec![0],
            }],
            calls: vec![SourceCall { verb: "recv".into(), file: "src/mpi.rs".into(), line: 7 }],
            events: acts.map(event).into(),
            rounds: [5, 6]
                .map(|event| CollectiveRound {
                    event,
                    algorithm: "binomial".into(),
                    begin_ns: 1,
                    end_ns: 2,
                    sends: vec![from],
                    receives: vec![],
                })
                .into(),
            left_out: 2,
            left_out_ns: 0,
            computed_ns: Some(3),
            unrecorded: vec![UnrecordedCalls { function: "MPI_Put".into(), count: 9 }],
            is_unfinished: true,
            without_overlap: Some(WithoutOverlap { elapsed_ns: 9, collectives_ns: 7 }),
        };
        let workload = MeasuredWorkload { name: "sine".into(), size: 5, unit: String::new() };
        Trace::new("2026-03-01T10:15:00Z", record.subject, record.environment, workload, vec![rank])
    }

    #[test]
    fn a_trace_survives_writing_and_reading() {
        let line = trace().to_line();
        assert!(!line.contains('\n'));
        assert_eq!(Trace::parse_line(&line).expect("readable"), trace());
    }

    #[test]
    fn calls_that_complete_several_operations_are_counted_once() {
        let mut rank = trace().ranks.remove(0);
        rank.events.retain(|event| matches!(event.act, EventKind::FinishCollective { .. }));
        let finish = rank.events[0].clone();
        rank.events = [(2, 5), (2, 7), (9, 10)]
            .map(|(begin_ns, end_ns)| TraceEvent { begin_ns, end_ns, ..finish.clone() })
            .into();
        assert_eq!(rank.started_collectives_ns(), 6);
        assert!(!rank.starts_collectives());
    }

    #[test]
    fn a_shortened_trace_counts_what_it_leaves_out() {
        let short = trace().truncated(3);
        assert_eq!((short.ranks[0].events.len(), short.ranks[0].left_out), (3, 6));
        assert_eq!((short.ranks[0].rounds.len(), trace().truncated(6).ranks[0].rounds.len()), (0, 1));
        assert_eq!(trace().truncated(7), trace());
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
