//! Order statistics: median, quantiles, median absolute deviation, and the distribution-free interval of the median.

use crate::statistics::Interval;

/// The least number of samples: with fewer no distribution-free 95 % interval of the median exists: the whole range of five samples covers
/// it with 93.75 % only, that of six with 96.9 %.
pub const MIN_SAMPLES: usize = 6;

/// The samples in rising order.
///
/// # Panics
/// If one is not a number: no clock yields that.
pub(crate) fn sorted(samples: &[f64]) -> Vec<f64> {
    assert!(samples.iter().all(|x| !x.is_nan()), "a sample is not a number");
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

pub(crate) fn median_of_sorted(sorted: &[f64]) -> Option<f64> {
    let n = sorted.len();
    match n {
        0 => None,
        _ if n % 2 == 1 => Some(sorted[n / 2]),
        _ => Some(f64::midpoint(sorted[n / 2 - 1], sorted[n / 2])),
    }
}

/// The median; `None` without samples.
pub fn median(samples: &[f64]) -> Option<f64> {
    median_of_sorted(&sorted(samples))
}

/// The `q`-quantile by linear interpolation between order statistics (type 7 of Hyndman and Fan, the default of R and
/// NumPy); `None` without samples.
///
/// # Panics
/// If `q` is not in 0..=1.
pub fn quantile(samples: &[f64], q: f64) -> Option<f64> {
    quantile_of_sorted(&sorted(samples), q)
}

pub(crate) fn quantile_of_sorted(sorted: &[f64], q: f64) -> Option<f64> {
    assert!((0.0..=1.0).contains(&q), "a quantile lies between 0 and 1, not at {q}");
    let last = sorted.len().checked_sub(1)?;
    let position = q * last as f64;
    let below = position.floor() as usize;
    let above = (below + 1).min(last);
    Some(sorted[below] + (position - below as f64) * (sorted[above] - sorted[below]))
}

/// The median absolute deviation from the median, unscaled; `None` without samples.
pub fn mad(samples: &[f64]) -> Option<f64> {
    let centre = median(samples)?;
    median(&samples.iter().map(|x| (x - centre).abs()).collect::<Vec<_>>())
}

/// The ranks, counted from 1, of the order statistics that bound the median of `n` samples with at least 95 %
/// confidence whatever the distribution (Le Boudec, "Performance Evaluation", 2010); `None` below
/// [`MIN_SAMPLES`].
pub fn median_ranks(n: usize) -> Option<(usize, usize)> {
    if n < MIN_SAMPLES {
        return None;
    }
    let (size, spread) = (n as f64, 1.96 * (n as f64).sqrt());
    let lo = ((size - spread) / 2.0).floor().max(1.0) as usize;
    let hi = (1.0 + f64::midpoint(size, spread)).ceil() as usize;
    Some((lo, hi.min(n)))
}

/// The distribution-free 95 % interval of the median; `None` below [`MIN_SAMPLES`].
pub fn median_interval(samples: &[f64]) -> Option<Interval> {
    let (lo, hi) = median_ranks(samples.len())?;
    let sorted = sorted(samples);
    Some(Interval { lo: sorted[lo - 1], hi: sorted[hi - 1] })
}

/// Half the width of the median's interval over the median: what a sampler compares with its target. `None` below
/// [`MIN_SAMPLES`] or if the median is 0.
pub fn relative_half_width(samples: &[f64]) -> Option<f64> {
    let centre = median(samples).filter(|&m| m != 0.0)?;
    Some(median_interval(samples)?.half_width() / centre)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Exact probability that the median lies between the order statistics `lo` and `hi` of `n`: the binomial
    /// distribution with 1/2, summed from `lo` to `hi - 1`.
    fn coverage(n: usize, lo: usize, hi: usize) -> f64 {
        let mut term = 0.5_f64.powi(n as i32);
        let mut sum = 0.0;
        for k in 0..hi {
            if k >= lo {
                sum += term;
            }
            term *= (n - k) as f64 / (k + 1) as f64;
        }
        sum
    }

    #[test]
    fn medians_of_odd_even_and_no_samples() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(&[]), None);
    }

    #[test]
    fn quantiles_agree_with_numpy() {
        let samples: Vec<f64> = (1..=20).map(f64::from).collect();
        assert!((quantile(&samples, 0.95).unwrap() - 19.05).abs() < 1e-12);
        assert_eq!(quantile(&samples, 0.0), Some(1.0));
        assert_eq!(quantile(&samples, 1.0), Some(20.0));
        assert_eq!(quantile(&[], 0.5), None);
    }

    #[test]
    fn mad_ignores_one_wild_sample() {
        assert_eq!(mad(&[1.0, 2.0, 3.0, 4.0, 1e9]), Some(1.0));
    }

    #[test]
    fn known_ranks_of_the_median_interval() {
        assert_eq!(median_ranks(6), Some((1, 6)));
        assert_eq!(median_ranks(8), Some((1, 8)));
        assert_eq!(median_ranks(20), Some((5, 16)));
        assert_eq!(median_ranks(100), Some((40, 61)));
    }

    #[test]
    fn five_samples_have_no_interval_because_their_range_covers_too_little() {
        assert_eq!(median_ranks(5), None);
        assert!((coverage(5, 1, 5) - 0.9375).abs() < 1e-12);
        assert!((coverage(6, 1, 6) - 0.96875).abs() < 1e-12);
        assert_eq!(median_interval(&[1.0; 5]), None);
        assert_eq!(relative_half_width(&[1.0; 5]), None);
    }

    #[test]
    fn every_interval_covers_the_median_with_95_percent() {
        for n in MIN_SAMPLES..=400 {
            let (lo, hi) = median_ranks(n).unwrap();
            assert!(lo >= 1 && hi <= n, "{n}: {lo}..{hi}");
            assert!(coverage(n, lo, hi) >= 0.95, "{n}: {}", coverage(n, lo, hi));
        }
    }

    #[test]
    fn the_interval_of_a_median_covers_it_95_times_of_100_and_is_not_wider_than_that_takes() {
        for n in 6..=400 {
            let (lo, hi) = median_ranks(n).expect("six samples or more");
            let covered = coverage(n, lo, hi);
            assert!(covered >= 0.95, "{n} samples: {covered}");
            // Rounded outwards on both sides: two steps further in is too narrow.
            assert!(n < 12 || coverage(n, lo + 2, hi - 2) < 0.95, "{n} samples");
            let samples: Vec<f64> = (1..=n).rev().map(|x| x as f64).collect();
            assert_eq!(median_interval(&samples), Some(Interval { lo: lo as f64, hi: hi as f64 }));
        }
    }

    #[test]
    fn the_coverage_check_can_fail() {
        assert!(coverage(100, 41, 60) < 0.95);
    }

    #[test]
    #[should_panic(expected = "not a number")]
    fn nan_is_a_broken_promise() {
        let _ = median(&[1.0, f64::NAN]);
    }
}
