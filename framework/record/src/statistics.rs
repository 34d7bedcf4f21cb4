//! Medians, intervals, bootstraps and scaling laws: pure functions of samples.
//!
//! Nothing here knows what was measured, reads a clock or draws an unseeded random number, so a report that is built
//! twice from the same records has the same digits. What is deliberately **absent** is a mean of ratios, arithmetic or
//! geometric: a speed-up is a ratio of medians, computed once. Where two things were measured in pairs on a machine that
//! drifts, the ratio is the *median* over the pairs ([`paired_ratio`]). Source of the rules: T. Hoefler and R. Belli,
//! "Scientific benchmarking of parallel computing systems", SC'15.
//!
//! A quantity that cannot be stated from the samples at hand (an interval from five samples, a serial fraction from one
//! rank) is `None`, never a number that looks like one.
//!
//! ```
//! use wb_record::statistics::{efficiency, speedup};
//! // Two launches of four repetitions each, in nanoseconds.
//! let base = [vec![100.0, 101.0, 99.0, 100.0], vec![100.0, 102.0, 98.0, 100.0]];
//! let parallel = [vec![52.0, 51.0, 53.0, 52.0], vec![52.0, 52.0, 51.0, 54.0]];
//! let s = speedup(&base, &parallel).unwrap();
//! assert!((s.value - 100.0 / 52.0).abs() < 1e-12);
//! let interval = s.map(|s| efficiency(s, 2)).interval.unwrap();
//! assert!(interval.lo > 0.9 && interval.hi < 1.0);
//! ```

mod amdahl;
mod band;
mod bootstrap;
mod estimate;
mod order_statistics;
mod outlier;
mod paired;
mod rank_correlation;
mod scaling;
mod summary;
mod warmup;

pub use amdahl::{AmdahlFit, Observation, fit_amdahl};
pub use band::{EfficiencyBand, Grade, grade};
pub use bootstrap::{DRAWS, SEED, ratio_of_medians};
pub use estimate::{Comparison, Estimate, Interval};
pub use order_statistics::{
    MIN_SAMPLES, mad, median, median_interval, median_ranks, quantile, relative_half_width,
};
pub use outlier::{Outliers, SEVERE_SHARE_OF_NOISE, outliers};
pub use paired::paired_ratio;
pub use rank_correlation::kendall_tau;
pub use scaling::{efficiency, is_superlinear, karp_flatt, overhead, ratio_of_intervals, speedup};
pub use summary::Summary;
pub use warmup::{MAX_WARMUP_SHARE, warmup};

#[cfg(test)]
#[path = "../tests/statistics/intervals.rs"]
mod interface;
