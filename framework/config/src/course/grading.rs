//! What turns results into points and points into marks: limits, bands, marks and penalties.

use std::time::Duration;

use serde::Deserialize;
use wb_record::statistics::EfficiencyBand;

use crate::value;

/// The time limits of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CourseLimits {
    /// The sum of the stages of a functional case.
    #[serde(rename = "functional_seconds", deserialize_with = "value::seconds")]
    pub functional: Duration,
    /// One measured repetition.
    #[serde(rename = "performance_seconds", deserialize_with = "value::seconds")]
    pub performance: Duration,
    /// A test program of a task.
    #[serde(rename = "program_seconds", deserialize_with = "value::seconds")]
    pub program: Duration,
}

/// One step of the scale from efficiency to points, as the file has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EfficiencyBandSettings {
    /// The least efficiency of the band, in per cent; the band ends below the one before it.
    #[serde(deserialize_with = "value::whole::<_, _, 0, 100>")]
    pub from_percent: u8,
    /// The share of the performance points, in per cent.
    #[serde(deserialize_with = "value::whole::<_, _, 0, 100>")]
    pub points_percent: u8,
}

impl From<&EfficiencyBandSettings> for EfficiencyBand {
    fn from(band: &EfficiencyBandSettings) -> Self {
        Self {
            least_efficiency: f64::from(band.from_percent) / 100.0,
            share: f64::from(band.points_percent) / 100.0,
        }
    }
}

/// One step of the scale from points to marks.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarkSettings {
    /// The least share of the course's points, in per cent; the step ends below the one before it.
    #[serde(deserialize_with = "value::whole::<_, _, 0, 100>")]
    pub from_percent: u8,
    /// The mark.
    #[serde(deserialize_with = "value::text")]
    pub mark: String,
}

/// How communication assignments earn the points of their performance: they have no speed-up.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommunicationPoints {
    /// The share of the points for as many messages and rounds as the formula of the algorithm says, in per cent; the rest is for the
    /// times.
    #[serde(deserialize_with = "value::whole::<_, _, 0, 100>")]
    pub counts_percent: u8,
    /// A size earns its part of the points for the times when the time is at most this many times that of the library's own call.
    #[serde(deserialize_with = "value::factor")]
    pub library_factor: f64,
}

impl Default for CommunicationPoints {
    fn default() -> Self {
        Self { counts_percent: 50, library_factor: 3.0 }
    }
}

/// The penalties.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Penalties {
    /// Points for every day after the deadline.
    #[serde(deserialize_with = "value::whole::<_, _, 0, 100>")]
    pub late_points_per_day: u8,
    /// The share of the points that a version has earned which copying it costs.
    #[serde(deserialize_with = "value::fraction")]
    pub copied_share_of_solution: f64,
}
