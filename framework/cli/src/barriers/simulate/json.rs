//! The answer of `cargo wb barriers simulate --json`.

use serde::Serialize;
use wb_config::Date;
use wb_local::sim::max_plus::PathStep;

use super::{BarrierPrediction, PredictedTimes, Row, SimulationContext, SkipReason};

#[derive(Serialize)]
pub(super) struct PredictionReport<'a> {
    kind: &'static str,
    machine: &'a str,
    calibrated: Option<CalibrationRow>,
    noise_seed: Option<u64>,
    late: Option<LateRankRow>,
    episodes: u64,
    barriers: Vec<BarrierRow<'a>>,
}

#[derive(Serialize)]
struct CalibrationRow {
    date: Date,
    median_residual: f64,
    largest_residual: f64,
}

#[derive(Serialize)]
struct LateRankRow {
    rank: usize,
    by_ns: u64,
}

#[derive(Serialize)]
struct BarrierRow<'a> {
    name: &'a str,
    predictions: Vec<PredictionRow>,
}

#[derive(Serialize)]
struct PredictionRow {
    ranks: usize,
    #[serde(flatten)]
    result: PredictionResultRow,
}

#[derive(Serialize)]
#[serde(untagged)]
enum PredictionResultRow {
    Skipped {
        skipped: String,
    },
    Times {
        messages: usize,
        cost_ns: f64,
        last_entry_ns: u64,
        first_exit_ns: u64,
        mean_exit_ns: u64,
        last_exit_ns: u64,
        critical_path: Option<Vec<PathStepRow>>,
    },
}

#[derive(Serialize)]
#[serde(untagged)]
enum PathStepRow {
    Entry { enters: usize, at_ns: u64 },
    Message { message_from: usize, to: usize, called_ns: u64, arrives_ns: u64 },
    Acknowledgement { answer_from: usize, to: usize, posted_ns: u64, over_ns: u64 },
    Exit { leaves: usize, at_ns: u64 },
}

impl<'a> PredictionReport<'a> {
    pub(super) fn new(context: &SimulationContext<'a>, rows: &'a [Row], sizes: &[usize]) -> Self {
        let arguments = context.arguments;
        let calibration = context.description.settings().calibration.as_ref();
        Self {
            kind: "model",
            machine: &arguments.machine,
            calibrated: calibration.map(|calibration| CalibrationRow {
                date: calibration.date,
                median_residual: calibration.median_residual,
                largest_residual: calibration.largest_residual,
            }),
            noise_seed: arguments.noise,
            late: arguments.late.map(|rank| LateRankRow { rank, by_ns: arguments.by }),
            episodes: arguments.episodes,
            barriers: rows.iter().map(|row| BarrierRow::new(row, sizes)).collect(),
        }
    }
}

impl<'a> BarrierRow<'a> {
    fn new((entry, predictions): &'a Row, sizes: &[usize]) -> Self {
        let row = |(prediction, ranks): (&BarrierPrediction, &usize)| PredictionRow {
            ranks: *ranks,
            result: PredictionResultRow::from(prediction),
        };
        Self { name: entry.name, predictions: predictions.iter().zip(sizes).map(row).collect() }
    }
}

impl From<&BarrierPrediction> for PredictionResultRow {
    fn from(prediction: &BarrierPrediction) -> Self {
        match prediction {
            BarrierPrediction::Times(times) => Self::from_times(times),
            BarrierPrediction::Skipped(reason) => Self::Skipped {
                skipped: match reason {
                    SkipReason::Undefined(error) => error.to_string(),
                    SkipReason::TooManyMessages(messages) => format!("{messages} messages"),
                    SkipReason::SlowPlan(seconds) => {
                        format!("writing the plan down takes over {seconds} s")
                    }
                },
            },
        }
    }
}

impl PredictionResultRow {
    fn from_times(times: &PredictedTimes) -> Self {
        let path = times.path.as_ref();
        Self::Times {
            messages: times.messages,
            cost_ns: times.cost,
            last_entry_ns: times.outcome.last_entry(),
            first_exit_ns: times.outcome.first_exit(),
            mean_exit_ns: times.outcome.mean_exit(),
            last_exit_ns: times.outcome.last_exit(),
            critical_path: path.map(|path| path.steps.iter().map(PathStepRow::from).collect()),
        }
    }
}

impl From<&PathStep> for PathStepRow {
    fn from(step: &PathStep) -> Self {
        match *step {
            PathStep::Entry { rank, at } => Self::Entry { enters: rank, at_ns: at },
            PathStep::Message { from, to, called_at, arrives } => {
                Self::Message { message_from: from, to, called_ns: called_at, arrives_ns: arrives }
            }
            PathStep::Acknowledgement { from, to, posted, completed_at } => {
                Self::Acknowledgement { answer_from: from, to, posted_ns: posted, over_ns: completed_at }
            }
            PathStep::Exit { rank, at } => Self::Exit { leaves: rank, at_ns: at },
        }
    }
}
