//! Records of measurements and their environment, and what is computed from them by pure functions: [`statistics`], and
//! [`trace_analysis`] of a traced run.
//!
//! One [`Record`] is one line of JSON, and a file of such lines (`records.jsonl`) is all that a report is made from.
//! Reading checks the range of every number ([`ReadError`]) and escapes hidden characters of texts, so every record that was
//! read is meaningful.
//!
//! The types know no trait of the workbench and nothing of how a number was obtained, so that a record written years
//! ago still renders. Two rules keep that true: a field that arrives later is optional and has a `serde` default, and
//! a change of meaning raises [`SCHEMA_VERSION`], which an older program then refuses by name instead of misreading.
//!
//! Times are integers of nanoseconds **as they were measured**; what is derived from them (medians, speed-up,
//! verdicts) is not stored; the reader computes it.
//!
//! ```
//! # let record = wb_record::example();
//! let line = record.to_line();
//! assert_eq!(wb_record::Record::parse_line(&line)?, record);
//!
//! assert_eq!(wb_record::read_all(&format!("{line}\n\n"))?.len(), 1);
//! let wrong = line.replace("\"ranks\":2", "\"ranks\":0");
//! let error = wb_record::read_all(&wrong).unwrap_err();
//! assert_eq!(error.to_string(), "line 1: measurement.ranks is 0, expected a whole number from 1 to 1048576");
//! # Ok::<(), wb_record::ReadError>(())
//! ```
#![forbid(unsafe_code)]

mod barrier;
mod calibration;
mod ceiling;
mod clock;
mod environment;
mod fields;
mod functional;
mod identity;
mod launch_part;
mod line;
mod machine_load;
mod model;
mod outcome;
mod placement;
mod plan;
mod prediction;
mod read_error;
mod record;
mod schema_version;
mod series;
pub mod statistics;
mod subject;
mod sweep;
mod timing;
mod trace;
pub mod trace_analysis;

pub use barrier::{
    BASELINE, BASELINE_FAMILY, BarrierForm, BarrierLine, BarrierOutcome, BarrierRun, BarrierSamples,
    BarrierSeries, CollectiveCell, CollectiveWay, EpisodeMessages, REFERENCE, REFERENCE_VARIANTS,
    REFERENCE_VERB, collective_cells, example_barriers, example_collectives,
};
pub use calibration::{Calibration, FittedCostSegment, FittedLink, LinkCalibration, ModelComparison};
pub use ceiling::Ceiling;
pub use clock::{ClockInfo, ComparedClock, ElapsedFrom};
pub use environment::{Backend, BuildInfo, Cache, Environment, HostMachine, MessagePassing};
pub use fields::AllowedValues;
pub use functional::{FunctionalRecord, RankWait, TestOutcome};
pub use launch_part::{InvalidLaunchPart, LaunchPart};
pub use machine_load::MachineLoad;
pub use model::{FitQuality, PredictionModel};
pub use outcome::{SeriesFailure, SeriesOutcome};
pub use placement::HostPlacement;
pub use plan::MeasurementPlan;
pub use prediction::{ComputingCost, Prediction};
pub use read_error::ReadError;
pub use record::{Measurement, Provenance, Record, example, read_all};
pub use schema_version::SCHEMA_VERSION;
pub use series::{MeasuredWorkload, Series, TimedRegion, Version};
pub use subject::Subject;
pub use sweep::{Formula, Sweep};
pub use timing::{Repetition, Sentinel, Stages, Timing, Traffic};
pub use trace::{
    CollectiveRound, CollectiveShape, Envelope, EventKind, LOG_HEADER_BYTES, LogEnd, LogEntry, LogError,
    LogStart, LoggedCall, LoggedSite, RankLog, RankTrace, SourceCall, StageSpan, Trace, TraceCommunicator,
    TraceEvent, UnrecordedCalls, WithoutOverlap, example_trace, max_calls_per_rank,
};
/// Texts in both languages, such as the title of a task; see [`wb_text`].
pub use wb_text::Text;

pub use crate::statistics::EfficiencyBand;

/// The greatest seed that a command accepts and a record has: a greater number is not exact in every reader of JSON.
pub const MAX_SEED: u64 = (1 << 53) - 1;
