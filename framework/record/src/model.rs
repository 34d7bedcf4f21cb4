//! The machine of the predictions of a run, and the quality of its model.
use serde::{Deserialize, Serialize};

use crate::fields::{AllowedValues, COUNT, RANKS, fields};
use wb_text::Text;

/// The model of one machine, as a report names it. The [`Prediction`](crate::Prediction)s of the same run and machine are its
/// series.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PredictionModel {
    /// The name of the machine, for example `cluster-ib`.
    pub machine: String,
    /// The description of the machine, in one line.
    pub about: Text<String>,
    /// Whether it is the host of the measurements: only then is the difference to them the model's error alone.
    pub is_host: bool,
    /// Cores of a machine that is one node; `None` where a network joins any number of nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores: Option<u32>,
    /// The rank counts that were simulated.
    pub ranks: Vec<u32>,
    /// What its messages were fitted to; `None` for values from publications, of which no error is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fit: Option<FitQuality>,
    /// The reason for missing predictions, as the simulating program reports it; `None` if none is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// The residuals of a fitted model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitQuality {
    /// The day, for example `2026-03-01`.
    pub date: String,
    /// The library that carried the messages.
    pub library: String,
    /// The number of fitted points.
    pub points: u32,
    /// The median over these points of |model / measured - 1|.
    pub median_residual: f64,
    /// The largest of them.
    pub largest_residual: f64,
}

fields! {
    PredictionModel { machine, about, is_host, cores: RANKS, ranks: RANKS, fit, failure }
    FitQuality { date, library, points: COUNT, median_residual: AllowedValues::Real(0.0, 1e9), largest_residual: AllowedValues::Real(0.0, 1e9) }
}
