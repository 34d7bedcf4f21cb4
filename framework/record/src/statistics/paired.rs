//! The ratio of two quantities that were measured in pairs, with its bootstrap interval.
//!
//! A machine that changes its state while it is measured (its clock rate, its neighbours, where its cores lie) changes
//! both members of a pair that were taken next to each other, and their ratio stays what it is. A ratio of medians
//! compares whatever state each side happened to see in the middle of its samples: where two states take turns, the two
//! medians may come from different ones, and the ratio then belongs to neither. So: the ratio of each pair first, the
//! median of these afterwards. The median is taken of logarithms, which makes the ratio of a to b exactly the inverse
//! of that of b to a. The interval is the hierarchical bootstrap of [`ratio_of_medians`](crate::statistics::ratio_of_medians),
//! over launches and the pairs inside them.
use crate::statistics::{Estimate, bootstrap, median};

/// The median over all pairs of first / second, with its 95 % interval; the pairs are grouped by launch.
///
/// `None` when there is no pair, or a number is not positive and finite: such a time was not measured. The interval is
/// `None` with fewer than six pairs or fewer than two launches.
///
/// ```
/// use wb_record::statistics::paired_ratio;
/// // The machine turns four times slower in the middle of each launch; the first is always twice the second.
/// let launch = vec![(20.0, 10.0), (22.0, 11.0), (80.0, 40.0), (84.0, 42.0)];
/// let ratio = paired_ratio(&[launch.clone(), launch]).unwrap();
/// assert!((ratio.value - 2.0).abs() < 1e-12 && ratio.interval.unwrap().half_width() < 1e-12);
/// ```
pub fn paired_ratio(launches: &[Vec<(f64, f64)>]) -> Option<Estimate> {
    let is_time = |x: f64| x.is_finite() && x > 0.0;
    let are_times = launches.iter().flatten().all(|&(first, second)| is_time(first) && is_time(second));
    let of_launch =
        |launch: &Vec<(f64, f64)>| launch.iter().map(|(first, second)| (first / second).ln()).collect();
    let logarithms: Vec<Vec<f64>> =
        launches.iter().filter(|launch| !launch.is_empty()).map(of_launch).collect();
    let value = are_times.then(|| median(&logarithms.concat())).flatten()?;
    Some(Estimate { value, interval: bootstrap::median_interval(&logarithms) }.map(f64::exp))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::ratio_of_medians;

    /// Five launches of sixteen rounds; `(a, b)` in the fast state, five times as much in the slow one. Which rounds are
    /// the round shows which one was slow.
    fn drifting(a: f64, b: f64, slow: impl Fn(usize) -> (bool, bool)) -> Vec<Vec<(f64, f64)>> {
        let visit = |time: f64, slow: bool, jitter: usize| {
            time * (1.0 + 0.01 * (jitter % 5) as f64) * if slow { 5.0 } else { 1.0 }
        };
        let round = |round: usize| {
            let (of_a, of_b) = slow(round);
            (visit(a, of_a, 7 * round), visit(b, of_b, 3 * round))
        };
        vec![(0..16).map(round).collect(); 5]
    }

    fn unpaired_ratio(pairs: &[Vec<(f64, f64)>]) -> Estimate {
        let side = |of: fn(&(f64, f64)) -> f64| -> Vec<Vec<f64>> {
            pairs.iter().map(|launch| launch.iter().map(of).collect()).collect()
        };
        ratio_of_medians(&side(|pair| pair.0), &side(|pair| pair.1)).expect("samples")
    }

    /// Half of the rounds are slow, and in a single one the state changes between the two visits.
    fn is_slow(round: usize) -> (bool, bool) {
        (round < 8, round < 9)
    }

    #[test]
    fn where_the_state_changes_the_ratio_of_medians_lies_and_that_of_pairs_does_not() {
        let pairs = drifting(120.0, 100.0, is_slow);
        let (paired, lying) = (paired_ratio(&pairs).expect("pairs"), unpaired_ratio(&pairs));
        assert!((paired.value - 1.2).abs() < 0.05, "{paired:?}");
        let interval = paired.interval.expect("enough pairs");
        assert!(interval.contains(1.2) && interval.half_width() < 0.1, "{paired:?}");
        // a is the slower one, and the ratio of medians shows the opposite.
        assert!(lying.value < 1.0, "{lying:?}");
        assert!(lying.interval.expect("enough samples").half_width() > 1.0, "{lying:?}");
    }

    /// The canary: pairs that do not share the machine's state have a wide interval.
    #[test]
    fn pairs_torn_apart_are_as_wide_as_the_drift() {
        let torn = drifting(120.0, 100.0, |round| (round % 2 == 0, round % 2 == 1));
        let interval = paired_ratio(&torn).and_then(|paired| paired.interval).expect("enough pairs");
        assert!(interval.half_width() > 1.0, "{interval:?}");
    }

    #[test]
    fn without_drift_both_agree() {
        let pairs = drifting(120.0, 100.0, |_| (false, false));
        let (paired, medians) = (paired_ratio(&pairs).expect("pairs"), unpaired_ratio(&pairs));
        assert!((paired.value - medians.value).abs() < 0.02, "{paired:?} {medians:?}");
    }

    #[test]
    fn turned_round_it_is_the_inverse() {
        let pairs = drifting(120.0, 100.0, is_slow);
        let turned: Vec<Vec<_>> =
            pairs.iter().map(|launch| launch.iter().map(|&(a, b)| (b, a)).collect()).collect();
        let (one, other) = (paired_ratio(&pairs).expect("pairs"), paired_ratio(&turned).expect("pairs"));
        assert!((one.value * other.value - 1.0).abs() < 1e-12, "{one:?} {other:?}");
    }

    #[test]
    fn one_launch_or_five_pairs_have_no_interval_and_no_time_no_ratio() {
        assert_eq!(paired_ratio(&[vec![(2.0, 1.0); 40]]).expect("pairs").interval, None);
        assert_eq!(paired_ratio(&[vec![(2.0, 1.0); 2], vec![(2.0, 1.0); 3]]).expect("pairs").interval, None);
        assert_eq!(paired_ratio(&[vec![], vec![]]), None);
        for bad in [(0.0, 1.0), (1.0, 0.0), (f64::INFINITY, 1.0)] {
            assert_eq!(paired_ratio(&[vec![(2.0, 1.0), bad]]), None, "{bad:?}");
        }
    }
}
