//! The analysis of a trace: a pure function from the recorded calls to wait states and costs.
//!
//! A trace ([`crate::RankTrace`]s) contains the calls of every rank with their times. From these follow the messages (MPI's
//! messages do not overtake each other, so the n-th send of an envelope matches the n-th receive of that envelope), the wait
//! states of Wolf and Mohr (*Automatic performance analysis of hybrid MPI/OpenMP applications*, 2003; the definitions of
//! Scalasca), the split of every rank's time into parts that add up to the whole to the nanosecond, the critical path from
//! the last exit backwards (Böhme and others, *Scalable critical-path based performance analysis*, IPDPS 2012), and
//! estimates of what would have happened on a better network or with even work.
//!
//! | module | noun |
//! |---|---|
//! | [`timeline`] | the checked traces of all ranks; references to events |
//! | [`truncation`] | the part that is complete on all ranks |
//! | [`matching`] | which send matches which receive, which calls are one collective |
//! | `dependence` | which ranks a call of a collective needs |
//! | [`causality`] | what ends before that which it needs has begun |
//! | [`wait`] | which rank waited in which call, and for which rank |
//! | [`parts`] | what a rank's time is made of |
//! | [`path`] | the critical path |
//! | [`model`] | latency and bandwidth as the trace shows them |
//! | [`tally`] | what each call of the source cost |
//! | [`replay`] | the same program with other costs |
//! | [`inside`] | the messages inside of a collective |
//! | [`traffic`] | who sends how much to whom |
//!
//! ```
//! use wb_record::{Envelope, EventKind, RankTrace, SourceCall, TraceCommunicator, TraceEvent};
//! let rank_trace = |rank, begin_ns, end_ns, act| RankTrace {
//!     begin_ns: 0,
//!     end_ns: 10,
//!     communicators: vec![TraceCommunicator { name: "world".into(), rank, size: 2, sources: vec![] }],
//!     calls: vec![SourceCall { verb: "call".into(), file: "src/mpi.rs".into(), line: 1 }],
//!     events: vec![TraceEvent { call: 0, communicator: 0, begin_ns, end_ns, act }],
//!     ..RankTrace::default()
//! };
//! let envelope = |peer| Envelope { peer, tag: 0, bytes: 8 };
//! let sender = rank_trace(0, 6, 7, EventKind::Send { to: envelope(1), synchronous: false });
//! let receiver = rank_trace(1, 1, 8, EventKind::Receive { from: envelope(0) });
//! let analysis = wb_record::trace_analysis::analyse(&[sender, receiver])?;
//! assert_eq!(analysis.parts[1].late_sender, 5);
//! assert_eq!(analysis.parts[1].total(), 10);
//! # Ok::<(), wb_record::trace_analysis::TraceError>(())
//! ```

pub mod causality;
mod dependence;
pub mod inside;
pub mod matching;
pub mod model;
pub mod overlap;
pub mod parts;
pub mod path;
pub mod replay;
pub mod tally;
pub mod timeline;
pub mod traffic;
pub mod truncation;
pub mod wait;

pub use causality::CausalityViolations;
pub use inside::InsideMessage;
pub use matching::{CollectiveMatch, CollectiveMember, MatchedMessage, Matching};
pub use model::HockneyModel;
pub use overlap::Overlap;
pub use parts::Parts;
pub use path::{CriticalPath, CriticalPathSegment};
pub use replay::WhatIf;
pub use tally::{CallTally, tallies};
pub use timeline::{EventRef, Timeline, TraceError};
pub use traffic::{TrafficCell, TrafficMatrix};
pub use truncation::{Truncation, truncate};
pub use wait::{WaitInterval, WaitStateKind, Waits};

use crate::RankTrace;

/// The analysis of a trace.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The first moment of the first rank.
    pub origin: u64,
    /// The last moment of the last rank.
    pub finish: u64,
    /// The messages and the collectives.
    pub matching: Matching,
    /// What ended before that which it needs had begun: a wrong correction of clocks.
    pub violations: CausalityViolations,
    /// The wait states.
    pub waits: Waits,
    /// The parts of each rank's time.
    pub parts: Vec<Parts>,
    /// The chain of work and messages that determines the duration.
    pub critical_path: CriticalPath,
    /// The costs of the network, estimated from the messages.
    pub model: Option<HockneyModel>,
    /// Estimates with other costs.
    pub what_if: WhatIf,
}

impl Analysis {
    /// From the first moment to the last, nanoseconds.
    pub fn total(&self) -> u64 {
        self.finish - self.origin
    }

    /// The sum of the parts over all ranks.
    pub fn sum_parts(&self) -> Parts {
        self.parts.iter().fold(Parts::default(), |sum, parts| sum + *parts)
    }
}

/// Analyses the traces of all ranks; the costs of the network are estimated from the messages.
///
/// # Errors
/// [`TraceError`]: the trace contradicts itself.
pub fn analyse(ranks: &[RankTrace]) -> Result<Analysis, TraceError> {
    let timeline = Timeline::new(ranks)?;
    let matching = Matching::from_timeline(&timeline)?;
    let violations = CausalityViolations::from_matching(&timeline, &matching);
    let waits = Waits::from_matching(&timeline, &matching);
    let parts = parts::split(&timeline, &waits);
    let path = CriticalPath::from_waits(&timeline, &waits);
    let model = HockneyModel::from_matching(&timeline, &matching);
    let what_if = replay::what_if(&timeline, &matching, &waits, model);
    let (origin, finish) = (timeline.origin, timeline.finish);
    Ok(Analysis { origin, finish, matching, violations, waits, parts, critical_path: path, model, what_if })
}

#[cfg(test)]
#[path = "../tests/trace_analysis/mod.rs"]
mod interface;
