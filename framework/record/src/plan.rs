//! The plan of a run, and the rules by which its numbers are judged.

use serde::{Deserialize, Serialize};

use crate::{
    fields::{AllowedValues, COUNT, NS, RANKS, SECONDS, SHARE, fields},
    statistics::EfficiencyBand,
};

/// The plan of one run. It is recorded because a report must name its sampling rules, must explain why these rank
/// counts and no others, and must grade by the bands that were in force on that day.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasurementPlan {
    /// A quick run: fewer launches, a wider target. Not for grades.
    pub quick: bool,
    /// The requested rank counts.
    pub ranks: Vec<u32>,
    /// The origin of this choice: `-n on the command line`, `task.yaml`.
    pub ranks_chosen_by: String,
    /// Launches of each series, at least.
    pub launches: u32,
    /// Sampling of a series stops when half the width of the interval over the median is below this: 0.03, quick 0.05.
    pub target_half_width: f64,
    /// Wall time each series may use, in seconds.
    pub budget_s: f64,
    /// The shortest repetition that counts, before clock and barrier are considered: 50 ms for a grade, 0 without a speed-up.
    pub least_repetition_ns: u64,
    /// Efficiency bands in force, best first; empty when performance is not graded.
    #[serde(default)]
    pub bands: Vec<EfficiencyBand>,
    /// Points the performance of this task can earn; `None` when performance is not graded.
    #[serde(default)]
    pub performance_points: Option<f64>,
    /// The rank count whose efficiency is graded; `None`: the largest that is not oversubscribed.
    #[serde(default)]
    pub graded_ranks: Option<u32>,
    /// `pipeline` decides where its efficiency is below this share of that of `task_run`: 0.5 for 50 %. `None` in a record
    /// of a program without this rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pipeline_decides_below: Option<f64>,
}

fields! {
    MeasurementPlan {
        quick,
        ranks: RANKS,
        ranks_chosen_by,
        launches: COUNT,
        target_half_width: SHARE,
        budget_s: SECONDS,
        least_repetition_ns: NS,
        bands,
        performance_points: AllowedValues::Real(0.0, 1e4),
        graded_ranks: RANKS,
        pipeline_decides_below: SHARE,
    }
    EfficiencyBand { least_efficiency: AllowedValues::Real(0.0, 100.0), share: AllowedValues::Real(0.0, 1.0) }
}
