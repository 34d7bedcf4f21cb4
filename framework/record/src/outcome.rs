//! How the sampling of one series ended.

use serde::{Deserialize, Serialize};

use crate::Series;
use crate::fields::{COUNT, FieldVisitor, NS, SECONDS, SHARE, VisitFields, fields};

/// Written once for every series, after its last launch (or instead of its timings when there are none).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeriesOutcome {
    /// The series.
    pub series: Series,
    /// Whether the interval of the median became narrow enough before the budget ended.
    pub converged: bool,
    /// Half the width of the interval over the median, at the end; `None` if there were too few samples for one.
    pub half_width: Option<f64>,
    /// Wall time this series was given, in seconds.
    pub budget_s: f64,
    /// Wall time it used.
    pub spent_s: f64,
    /// Launches that were repeated because the sentinel kernel drifted.
    #[serde(default)]
    pub repeated_launches: u32,
    /// The reason why there is no usable time, if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<SeriesFailure>,
}

/// The reason why a series has no usable time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum SeriesFailure {
    /// One repetition is shorter than can be timed for a grade, and could not be made longer.
    TooShort {
        /// The median repetition.
        measured_ns: u64,
        /// The least that counts: 50 ms, 1,000 clock resolutions or 100 barriers, whichever is most.
        required_ns: u64,
    },
    /// The output was wrong.
    Incorrect {
        /// The explanation of the oracle.
        reason: String,
    },
    /// The performance limit interrupted it.
    Limit {
        /// The limit.
        limit_s: f64,
    },
    /// The program could not be started, or ended without a result.
    Crashed {
        /// The observed failure.
        reason: String,
    },
    /// The version is disabled in the task's settings.
    Disabled,
}

fields! {
    SeriesOutcome { series, converged, half_width: SHARE, budget_s: SECONDS, spent_s: SECONDS, repeated_launches: COUNT, failure }
}

impl VisitFields for SeriesFailure {
    fn visit_fields(&mut self, visitor: &mut FieldVisitor<'_>) {
        use crate::fields::CheckedNumber as _;
        match self {
            Self::TooShort { measured_ns, required_ns } => {
                visitor.field("measured_ns", |visitor| measured_ns.check(NS, visitor));
                visitor.field("required_ns", |visitor| required_ns.check(NS, visitor));
            }
            Self::Incorrect { reason } | Self::Crashed { reason } => reason.visit_fields(visitor),
            Self::Limit { limit_s } => visitor.field("limit_s", |visitor| limit_s.check(SECONDS, visitor)),
            Self::Disabled => {}
        }
    }
}
