//! How many first repetitions are warm-up.

use crate::statistics::{mad, median};

/// No more than this share of the samples is dropped as warm-up (but always at least one).
pub const MAX_WARMUP_SHARE: f64 = 0.20;

/// Number of leading samples to drop: one, and then as long as the next one lies outside median ± 3 MAD of the last
/// half, up to a fifth of all. 0 only without samples.
///
/// The last half is the yardstick because whatever warms up has done so by then, if it ever does.
pub fn warmup(samples: &[f64]) -> usize {
    let last_half = &samples[samples.len() / 2..];
    let (Some(centre), Some(spread)) = (median(last_half), mad(last_half)) else { return 0 };
    let most = ((MAX_WARMUP_SHARE * samples.len() as f64) as usize).max(1);
    let settled = samples.iter().skip(1).position(|x| (x - centre).abs() <= 3.0 * spread);
    settled.map_or(most, |more| (1 + more).min(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_dropped_even_from_a_steady_series() {
        assert_eq!(warmup(&[5.0; 20]), 1);
        assert_eq!(warmup(&[5.0]), 1);
        assert_eq!(warmup(&[]), 0);
    }

    #[test]
    fn dropping_goes_on_while_samples_are_outside() {
        let mut samples = vec![90.0, 50.0, 30.0];
        samples.extend((0..27).map(|i| 10.0 + f64::from(i % 3)));
        assert_eq!(warmup(&samples), 3);
    }

    #[test]
    fn a_series_that_never_settles_loses_a_fifth_and_no_more() {
        let falling: Vec<f64> = (0..50).map(|i| 1000.0 - 10.0 * f64::from(i)).collect();
        assert_eq!(warmup(&falling), 10);
    }
}
