//! The hierarchical bootstrap of a ratio of medians.
//!
//! Repetitions of one launch share its memory layout, its core assignment and its neighbours, so pooling them as if they
//! were independent makes intervals too narrow. Each draw therefore resamples the launches first and the repetitions
//! inside every drawn launch second, takes the median of the pool on both sides, and notes the ratio; the interval is
//! the middle 95 % of the draws.

use oorandom::Rand32;

use crate::statistics::{Estimate, Interval, MIN_SAMPLES, median, order_statistics::quantile_of_sorted};

/// Draws of one interval.
pub const DRAWS: usize = 2_000;

/// The seed of the draws. It is fixed, so that a report is rebuilt with the same digits.
pub const SEED: u64 = 0x5eed_7e57;

/// `median(numerator) / median(denominator)` with its bootstrap interval; the samples are grouped by launch.
///
/// `None` if one side has no samples or the denominator's median is 0. The interval is `None` if a median of 0 was drawn for
/// the denominator, or if a side has fewer than six samples or fewer than two launches: one launch contains no information on the differences between launches, and
/// [`crate::statistics::speedup`] then falls back on the conservative ratio of the two intervals.
pub fn ratio_of_medians(numerator: &[Vec<f64>], denominator: &[Vec<f64>]) -> Option<Estimate> {
    let above = without_empty(numerator);
    let below = without_empty(denominator);
    let value = median(&above.concat())? / median(&below.concat()).filter(|&m| m != 0.0)?;
    let resampled = can_be_resampled(&above) && can_be_resampled(&below);
    let interval = resampled.then_some(()).and_then(|()| {
        let mut random = Rand32::new(SEED);
        let mut pool = Vec::new();
        percentile_interval(|| {
            let top = resampled_median(&above, &mut random, &mut pool);
            top / resampled_median(&below, &mut random, &mut pool)
        })
    });
    Some(Estimate { value, interval })
}

/// The interval of the median of samples that are grouped by launch, none of which is empty; `None` as above.
pub(crate) fn median_interval(launches: &[Vec<f64>]) -> Option<Interval> {
    can_be_resampled(launches).then_some(()).and_then(|()| {
        let mut random = Rand32::new(SEED);
        let mut pool = Vec::new();
        percentile_interval(|| resampled_median(launches, &mut random, &mut pool))
    })
}

/// The middle 95 % of the draws; `None` if one of them is not finite: the median of a denominator was 0.
fn percentile_interval(draw: impl FnMut() -> f64) -> Option<Interval> {
    let mut draws: Vec<f64> = std::iter::repeat_with(draw).take(DRAWS).collect();
    if draws.iter().any(|draw| !draw.is_finite()) {
        return None;
    }
    draws.sort_by(f64::total_cmp);
    let at = |q| quantile_of_sorted(&draws, q).expect("there are draws");
    Some(Interval { lo: at(0.025), hi: at(0.975) })
}

fn without_empty(launches: &[Vec<f64>]) -> Vec<Vec<f64>> {
    launches.iter().filter(|launch| !launch.is_empty()).cloned().collect()
}

fn can_be_resampled(launches: &[Vec<f64>]) -> bool {
    launches.len() >= 2 && launches.iter().map(Vec::len).sum::<usize>() >= MIN_SAMPLES
}

/// The median of one draw; `pool` is scratch space that is kept between draws.
fn resampled_median(launches: &[Vec<f64>], random: &mut Rand32, pool: &mut Vec<f64>) -> f64 {
    pool.clear();
    for _ in launches {
        let launch = &launches[random_index(launches.len(), random)];
        for _ in launch {
            pool.push(launch[random_index(launch.len(), random)]);
        }
    }
    median_by_selection(pool)
}

/// The median without sorting everything: the draws of one interval need four thousand of them.
fn median_by_selection(pool: &mut [f64]) -> f64 {
    let (half, is_even) = (pool.len() / 2, pool.len().is_multiple_of(2));
    let (below, upper, _) = pool.select_nth_unstable_by(half, f64::total_cmp);
    if is_even {
        f64::midpoint(below.iter().copied().fold(f64::NEG_INFINITY, f64::max), *upper)
    } else {
        *upper
    }
}

fn random_index(n: usize, random: &mut Rand32) -> usize {
    random.rand_range(0..n as u32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Launches around `centre` that differ by `between`, with repetitions that differ by `within`.
    fn launches(centre: f64, between: f64, within: f64) -> Vec<Vec<f64>> {
        (0..5)
            .map(|launch| {
                let base = centre + between * f64::from(launch - 2);
                (0..8).map(|repetition| base + within * (f64::from(repetition) - 3.5)).collect()
            })
            .collect()
    }

    #[test]
    fn constant_samples_have_an_exact_ratio() {
        let estimate =
            ratio_of_medians(&[vec![10.0; 4], vec![10.0; 4]], &[vec![5.0; 3], vec![5.0; 3]]).unwrap();
        assert_eq!(estimate, Estimate { value: 2.0, interval: Some(Interval { lo: 2.0, hi: 2.0 }) });
    }

    #[test]
    fn the_same_samples_give_the_same_digits() {
        let (a, b) = (launches(100.0, 2.0, 0.3), launches(50.0, 1.0, 0.2));
        assert_eq!(ratio_of_medians(&a, &b), ratio_of_medians(&a, &b));
    }

    #[test]
    fn launches_that_differ_widen_the_interval() {
        let narrow = ratio_of_medians(&launches(100.0, 0.0, 0.5), &launches(50.0, 0.0, 0.2)).unwrap();
        let wide = ratio_of_medians(&launches(100.0, 4.0, 0.5), &launches(50.0, 2.0, 0.2)).unwrap();
        let width = |e: &Estimate| e.interval.unwrap().half_width();
        assert!(width(&wide) > 4.0 * width(&narrow), "{wide:?} against {narrow:?}");
        assert!(wide.interval.unwrap().contains(2.0));
    }

    #[test]
    fn one_launch_or_five_samples_have_no_interval() {
        let many = launches(100.0, 1.0, 0.3);
        assert_eq!(ratio_of_medians(&many, &[vec![50.0; 40]]).unwrap().interval, None);
        assert_eq!(ratio_of_medians(&many, &[vec![50.0; 2], vec![50.0; 3]]).unwrap().interval, None);
    }

    #[test]
    fn selection_finds_the_same_median_as_sorting() {
        for n in 1..40 {
            let mut pool: Vec<f64> = (0..n).map(|i| f64::from(i * 17 % 23)).collect();
            assert_eq!(Some(median_by_selection(&mut pool)), median(&pool), "n = {n}");
        }
    }

    #[test]
    fn samples_of_nought_to_divide_by_leave_no_interval_and_no_nan() {
        let below = [vec![0.0, 0.0, 5.0, 5.0], vec![0.0, 5.0, 5.0, 5.0]];
        let ratio = ratio_of_medians(&[vec![10.0; 4], vec![10.0; 4]], &below).unwrap();
        assert_eq!(ratio, Estimate { value: 2.0, interval: None });
    }

    #[test]
    fn nothing_or_zero_has_no_ratio() {
        assert_eq!(ratio_of_medians(&[], &[vec![1.0]]), None);
        assert_eq!(ratio_of_medians(&[vec![1.0]], &[vec![0.0]]), None);
    }
}
