//! The summary of one series of times.

use crate::statistics::{
    Estimate, Outliers, median_interval,
    order_statistics::{median_of_sorted, quantile_of_sorted, sorted},
    outliers,
};

/// Median with interval, extremes and outliers of one series. There is no mean: times of a shared machine are skewed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Number of samples.
    pub n: usize,
    /// The median, with its distribution-free interval from six samples on.
    pub median: Estimate,
    /// The least sample.
    pub min: f64,
    /// The 95 % quantile.
    pub p95: f64,
    /// The greatest sample.
    pub max: f64,
    /// Tukey's outliers.
    pub outliers: Outliers,
}

impl Summary {
    /// Summarises the samples; `None` if there are none.
    pub fn from_samples(samples: &[f64]) -> Option<Self> {
        let sorted = sorted(samples);
        let value = median_of_sorted(&sorted)?;
        Some(Self {
            n: sorted.len(),
            median: Estimate { value, interval: median_interval(samples) },
            min: sorted[0],
            p95: quantile_of_sorted(&sorted, 0.95)?,
            max: sorted[sorted.len() - 1],
            outliers: outliers(samples),
        })
    }

    /// Half the width of the interval over the median, if there is an interval.
    pub fn relative_half_width(&self) -> Option<f64> {
        self.median.interval.filter(|_| self.median.value != 0.0).map(|i| i.half_width() / self.median.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Interval;

    #[test]
    fn a_summary_of_six() {
        let summary = Summary::from_samples(&[6.0, 1.0, 2.0, 5.0, 3.0, 4.0]).unwrap();
        assert_eq!(summary.median, Estimate { value: 3.5, interval: Some(Interval { lo: 1.0, hi: 6.0 }) });
        assert_eq!((summary.n, summary.min, summary.max), (6, 1.0, 6.0));
        assert!((summary.relative_half_width().unwrap() - 2.5 / 3.5).abs() < 1e-12);
        assert!(Summary::from_samples(&[]).is_none());
    }
}
