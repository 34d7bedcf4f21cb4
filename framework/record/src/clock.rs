//! The clocks of a measurement: their resolution, the barrier before a repetition, and the comparison of several clocks.

use serde::{Deserialize, Serialize};

use crate::fields::{AllowedValues, RANK, RANKS, REAL_NS, fields, plain};

/// The clock and the barrier that start a repetition.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClockInfo {
    /// Name of the clock, for example `CLOCK_MONOTONIC`.
    pub name: String,
    /// The smallest difference seen between two readings that differ.
    pub resolution_ns: f64,
    /// The cost of the barrier that synchronises the ranks at this number of ranks; `None` for one rank.
    #[serde(default)]
    pub barrier_ns: Option<f64>,
    /// Where the ranks read several clocks: the bound of the error of a repetition's time, which is the difference of two
    /// corrected stamps. `None` where all ranks read one clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncertainty_ns: Option<f64>,
    /// The clocks of the ranks, if there are several, the reference first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compared: Vec<ComparedClock>,
}

/// The result of the comparisons during a launch for the clock of one host.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ComparedClock {
    /// The host's name.
    pub host: String,
    /// The lowest rank that reads this clock.
    pub first_rank: u32,
    /// The number of ranks that read it.
    pub ranks: u32,
    /// The offset from the reference at the first comparison, nanoseconds.
    pub offset_ns: f64,
    /// The drift against the reference, in millionths.
    pub drift_ppm: f64,
    /// The bound of the error of one corrected stamp.
    pub uncertainty_ns: f64,
    /// The size of a step of the clock that the comparisons show; it is a part of the uncertainty.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub step_ns: f64,
}

fn is_zero(ns: &f64) -> bool {
    *ns == 0.0
}

/// The clocks from which a time over all ranks was computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ElapsedFrom {
    /// One clock: `max(end) - min(start)` over the ranks. Stamps of other clocks were corrected.
    #[default]
    CommonClock,
    /// The clock of each rank: `max(end - start)` over the ranks. The common clock was too uncertain: by more than 10 % of the
    /// median.
    LocalClocks,
}

impl ElapsedFrom {
    /// Whether it is the ordinary form.
    pub fn is_common_clock(&self) -> bool {
        *self == Self::CommonClock
    }
}

/// The least length of a timed repetition, in steps of the clock.
const MIN_RESOLUTIONS: f64 = 1000.0;

/// The least length of a timed repetition, in barriers: a shorter one starts too unevenly.
const MIN_BARRIERS: f64 = 100.0;

/// The least length of a timed repetition, in uncertainties of several clocks.
const MIN_UNCERTAINTIES: f64 = 100.0;

impl ClockInfo {
    /// A clock that all ranks read.
    pub fn shared(name: impl Into<String>, resolution_ns: f64, barrier_ns: Option<f64>) -> Self {
        Self { name: name.into(), resolution_ns, barrier_ns, uncertainty_ns: None, compared: vec![] }
    }

    /// The shortest repetition that this clock and this barrier measure reliably: 1,000 resolutions, 100 barriers and 100
    /// uncertainties.
    pub fn shortest_reliable_ns(&self) -> f64 {
        let barriers = MIN_BARRIERS * self.barrier_ns.unwrap_or(0.0);
        let uncertainties = MIN_UNCERTAINTIES * self.uncertainty_ns.unwrap_or(0.0);
        barriers.max(MIN_RESOLUTIONS * self.resolution_ns).max(uncertainties)
    }
}

/// The difference of two clocks.
const OFFSET_NS: AllowedValues = AllowedValues::Real(-1e18, 1e18);

/// A relative drift; a clock that steps can have any.
const PPM: AllowedValues = AllowedValues::Real(-1e12, 1e12);

fields! {
    ClockInfo { name, resolution_ns: REAL_NS, barrier_ns: REAL_NS, uncertainty_ns: REAL_NS, compared }
    ComparedClock {
        host,
        first_rank: RANK,
        ranks: RANKS,
        offset_ns: OFFSET_NS,
        drift_ppm: PPM,
        uncertainty_ns: REAL_NS,
        step_ns: REAL_NS,
    }
}
plain! { ElapsedFrom }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repetition_must_be_a_hundred_times_as_long_as_the_uncertainty() {
        let one = ClockInfo::shared("c", 20.0, Some(400.0));
        assert_eq!(one.shortest_reliable_ns(), 40_000.0);
        let several = ClockInfo { uncertainty_ns: Some(50_000.0), ..one };
        assert_eq!(several.shortest_reliable_ns(), 5_000_000.0);
    }

    #[test]
    fn one_clock_is_written_as_before_there_were_several() {
        let written = serde_json::to_string(&ClockInfo::shared("c", 20.0, Some(400.0))).expect("a line");
        assert_eq!(written, r#"{"name":"c","resolution_ns":20.0,"barrier_ns":400.0}"#);
        let read: ClockInfo = serde_json::from_str(&written).expect("read");
        assert_eq!(read, ClockInfo::shared("c", 20.0, Some(400.0)));
    }
}
