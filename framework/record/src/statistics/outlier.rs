//! Tukey's outliers: counted and drawn, never deleted.

use crate::statistics::order_statistics::{quantile_of_sorted, sorted};

/// Above this share of severe outliers a series is called noisy.
pub const SEVERE_SHARE_OF_NOISE: f64 = 0.10;

/// Counts of samples outside Tukey's fences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Outliers {
    /// The number of samples between 1.5 and 3 interquartile ranges away from the quartiles.
    pub mild: usize,
    /// More than 3 interquartile ranges away.
    pub severe: usize,
    /// Samples looked at.
    pub total: usize,
}

impl Outliers {
    /// Whether more than a tenth of the samples are severe outliers.
    pub fn is_noisy(&self) -> bool {
        self.severe as f64 > SEVERE_SHARE_OF_NOISE * self.total as f64
    }
}

/// Counts the outliers.
pub fn outliers(samples: &[f64]) -> Outliers {
    let sorted = sorted(samples);
    let mut counted = Outliers { total: sorted.len(), ..Outliers::default() };
    let (Some(q1), Some(q3)) = (quantile_of_sorted(&sorted, 0.25), quantile_of_sorted(&sorted, 0.75)) else {
        return counted;
    };
    for x in sorted {
        let distance = (q1 - x).max(x - q3);
        if distance > 3.0 * (q3 - q1) {
            counted.severe += 1;
        } else if distance > 1.5 * (q3 - q1) {
            counted.mild += 1;
        }
    }
    counted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_at_one_and_a_half_and_three_ranges() {
        let mut samples: Vec<f64> = (1..=40).map(f64::from).collect();
        assert_eq!(outliers(&samples), Outliers { mild: 0, severe: 0, total: 40 });
        samples.extend([75.0, 200.0]);
        assert_eq!(outliers(&samples), Outliers { mild: 1, severe: 1, total: 42 });
    }

    #[test]
    fn what_lies_on_a_fence_is_inside_of_it() {
        // The quartiles are 10 and 20: the fences lie at 35 and 50 above, at -5 and -20 below.
        let with = |x: f64| outliers(&[10.0, 10.0, 10.0, 15.0, 20.0, 20.0, 20.0, x, 30.0 - x]);
        for (x, mild, severe) in [(35.0, 0, 0), (35.5, 2, 0), (50.0, 2, 0), (50.5, 0, 2)] {
            assert_eq!(with(x), Outliers { mild, severe, total: 9 }, "{x}");
        }
    }

    #[test]
    fn noisy_is_more_than_a_tenth() {
        assert!(!Outliers { mild: 9, severe: 1, total: 10 }.is_noisy());
        assert!(Outliers { mild: 0, severe: 2, total: 10 }.is_noisy());
        assert!(!outliers(&[]).is_noisy());
    }
}
