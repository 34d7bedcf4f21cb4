//! Speed-up and what follows from it: efficiency, overhead, the serial fraction of Karp and Flatt.

use crate::statistics::{Estimate, Interval, median_interval, ratio_of_medians};

/// `S = T* / T(p)`: the ratio of the median base time to the median parallel time, samples grouped by launch.
///
/// The interval is the hierarchical bootstrap's; where that is impossible (a single launch) it is the conservative
/// [`ratio_of_intervals`], and `None` if not even the medians have intervals. `None` without samples.
pub fn speedup(base: &[Vec<f64>], parallel: &[Vec<f64>]) -> Option<Estimate> {
    let mut estimate = ratio_of_medians(base, parallel)?;
    if estimate.interval.is_none() {
        let intervals = median_interval(&base.concat()).zip(median_interval(&parallel.concat()));
        estimate.interval = intervals.and_then(|(above, below)| ratio_of_intervals(above, below));
    }
    Some(estimate)
}

/// `[lo_s / hi_p, hi_s / lo_p]`: wider than necessary, and never too narrow. `None` if the denominator reaches 0.
pub fn ratio_of_intervals(numerator: Interval, denominator: Interval) -> Option<Interval> {
    (denominator.lo > 0.0)
        .then(|| Interval { lo: numerator.lo / denominator.hi, hi: numerator.hi / denominator.lo })
}

/// `E = S / p`, with `p` the ranks that really ran.
///
/// # Panics
/// If `ranks` is 0.
pub fn efficiency(speedup: f64, ranks: u32) -> f64 {
    assert!(ranks > 0, "a measurement has at least one rank");
    speedup / f64::from(ranks)
}

/// `T_o = p T(p) - T*`: the time all ranks together spent on something else than the sequential work.
pub fn overhead(ranks: u32, parallel_time: f64, base_time: f64) -> f64 {
    f64::from(ranks) * parallel_time - base_time
}

/// The experimentally determined serial fraction `e = (1/S - 1/p) / (1 - 1/p)` (Karp and Flatt, CACM 33(5), 1990).
///
/// The same at every `p`: there is a serial part. Rising with `p`: overhead grows. Negative: superlinear.
/// `None` for fewer than two ranks or a speed-up that is not positive.
pub fn karp_flatt(speedup: &Estimate, ranks: u32) -> Option<Estimate> {
    let least = speedup.interval.map_or(speedup.value, |interval| interval.lo.min(speedup.value));
    if ranks < 2 || least <= 0.0 {
        return None;
    }
    let inverse = 1.0 / f64::from(ranks);
    Some(speedup.map(|s| (1.0 / s - inverse) / (1.0 - inverse)))
}

/// Whether the efficiency is above one beyond doubt: then a cache, or a weak base, explains it and not the parallel code.
pub fn is_superlinear(efficiency: &Estimate) -> bool {
    efficiency.interval.is_some_and(|interval| interval.lo > 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(value: f64, lo: f64, hi: f64) -> Estimate {
        Estimate { value, interval: Some(Interval { lo, hi }) }
    }

    #[test]
    fn known_values_of_karp_and_flatt() {
        // Amdahl's law with a serial fraction f gives e = f at every p.
        for p in [2, 4, 8, 64] {
            let s = 1.0 / (0.1 + 0.9 / f64::from(p));
            let e = karp_flatt(&Estimate { value: s, interval: None }, p).unwrap();
            assert!((e.value - 0.1).abs() < 1e-12, "p = {p}: {e:?}");
        }
        assert_eq!(karp_flatt(&estimate(1.0, 0.9, 1.1), 1), None);
        assert!(karp_flatt(&estimate(2.5, 2.4, 2.6), 2).unwrap().value < 0.0);
        assert_eq!(
            karp_flatt(&estimate(0.5, 0.0, 1.0), 2),
            None,
            "the inverse of the least speed-up is unbounded"
        );
    }

    #[test]
    fn the_interval_of_karp_and_flatt_is_the_right_way_round() {
        let e = karp_flatt(&estimate(1.6, 1.5, 1.7), 2).unwrap();
        let interval = e.interval.unwrap();
        assert!(interval.lo < e.value && e.value < interval.hi);
    }

    #[test]
    fn one_launch_falls_back_on_the_ratio_of_intervals() {
        let base = [vec![10.0, 11.0, 12.0, 9.0, 10.0, 10.0]];
        let parallel = [vec![5.0, 5.0, 6.0, 4.0, 5.0, 5.0]];
        let s = speedup(&base, &parallel).unwrap();
        assert_eq!(s, estimate(2.0, 9.0 / 6.0, 12.0 / 4.0));
        assert_eq!(speedup(&[vec![1.0; 5]], &[vec![1.0; 5]]).unwrap().interval, None);
    }

    #[test]
    fn efficiency_divides_by_the_ranks_that_ran() {
        assert_eq!(estimate(2.0, 1.9, 2.0).map(|s| efficiency(s, 2)), estimate(1.0, 0.95, 1.0));
    }

    #[test]
    fn overhead_is_what_the_ranks_did_beyond_the_work() {
        assert_eq!(overhead(4, 30.0, 100.0), 20.0);
        assert_eq!(overhead(2, 50.0, 100.0), 0.0);
    }

    #[test]
    fn superlinear_needs_the_whole_interval() {
        assert!(is_superlinear(&estimate(1.1, 1.05, 1.2)));
        assert!(!is_superlinear(&estimate(1.1, 0.99, 1.2)));
        assert!(!is_superlinear(&Estimate { value: 3.0, interval: None }));
    }
}
