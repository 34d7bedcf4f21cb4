//! The serial fraction that explains a whole curve: Amdahl's law fitted by weighted least squares.
//!
//! With `y = 1/S - 1/p` and `x = 1 - 1/p` the law `1/S = f + (1 - f)/p` is the line `y = f x` through the origin, so
//! `f = sum(w x y) / sum(w x^2)`, cut to 0..=1. The weights are the inverse variances of `1/S`, read off the intervals.

use std::collections::BTreeSet;

use crate::statistics::Estimate;

/// A fit on fewer different rank counts is a drawing, not a law.
const MIN_RANK_COUNTS: usize = 4;

/// One point of the curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    /// Ranks.
    pub ranks: u32,
    /// Speed-up at that many ranks.
    pub speedup: Estimate,
}

/// Amdahl's law as it fits the observations.
#[derive(Clone, Debug, PartialEq)]
pub struct AmdahlFit {
    /// The serial fraction `f`, 0..=1.
    pub serial_fraction: f64,
    /// Measured minus fitted `1/S`, in the order of the observations.
    pub residuals: Vec<f64>,
}

impl AmdahlFit {
    /// The speed-up the law gives for `ranks`.
    pub fn speedup(&self, ranks: f64) -> f64 {
        1.0 / (self.serial_fraction + (1.0 - self.serial_fraction) / ranks)
    }

    /// The limit `1/f` for any number of ranks; `None` if no serial part was found.
    pub fn limit(&self) -> Option<f64> {
        (self.serial_fraction > 0.0).then(|| 1.0 / self.serial_fraction)
    }
}

/// Fits the law; `None` with fewer than four different rank counts or a speed-up that is not positive.
pub fn fit_amdahl(observations: &[Observation]) -> Option<AmdahlFit> {
    let different: BTreeSet<u32> = observations.iter().map(|o| o.ranks).collect();
    if different.len() < MIN_RANK_COUNTS
        || observations.iter().any(|o| o.ranks == 0 || o.speedup.value <= 0.0)
    {
        return None;
    }
    let (mut above, mut below) = (0.0, 0.0);
    for observation in observations {
        let (x, y) = coordinates(observation);
        let weight = weight(&observation.speedup);
        above += weight * x * y;
        below += weight * x * x;
    }
    let serial_fraction = (above / below).clamp(0.0, 1.0);
    let residuals = observations.iter().map(|o| {
        let (x, y) = coordinates(o);
        y - serial_fraction * x
    });
    Some(AmdahlFit { serial_fraction, residuals: residuals.collect() })
}

fn coordinates(observation: &Observation) -> (f64, f64) {
    let inverse = 1.0 / f64::from(observation.ranks);
    (1.0 - inverse, 1.0 / observation.speedup.value - inverse)
}

/// The inverse variance of `1/S`: a 95 % interval is four standard deviations wide. A point without an interval, or
/// with one of no width, is trusted to 1 %, so that no single point takes the whole weight.
fn weight(speedup: &Estimate) -> f64 {
    let least = 0.01 / speedup.value;
    let deviation = match speedup.interval {
        Some(interval) if interval.lo > 0.0 => (1.0 / interval.lo - 1.0 / interval.hi) / 4.0,
        _ => least,
    };
    deviation.max(least).powi(-2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Interval;

    fn exact(f: f64, p: u32) -> Observation {
        let value = 1.0 / (f + (1.0 - f) / f64::from(p));
        Observation { ranks: p, speedup: Estimate { value, interval: None } }
    }

    #[test]
    fn an_exact_curve_gives_its_fraction_back() {
        for f in [0.0, 0.05, 0.3, 1.0] {
            let points: Vec<_> = [1, 2, 4, 8].map(|p| exact(f, p)).to_vec();
            let fit = fit_amdahl(&points).unwrap();
            assert!((fit.serial_fraction - f).abs() < 1e-12, "{f}: {fit:?}");
            assert!(fit.residuals.iter().all(|r| r.abs() < 1e-12));
            assert!((fit.speedup(8.0) - points[3].speedup.value).abs() < 1e-9);
        }
        assert_eq!(fit_amdahl(&[1, 2, 4, 8].map(|p| exact(0.25, p))).unwrap().limit(), Some(4.0));
    }

    #[test]
    fn three_rank_counts_are_not_enough_however_many_points() {
        assert_eq!(fit_amdahl(&[1, 2, 4, 4, 2].map(|p| exact(0.1, p))), None);
    }

    #[test]
    fn a_superlinear_curve_is_cut_to_no_serial_part() {
        let points = [1, 2, 3, 4].map(|p| Observation {
            ranks: p,
            speedup: Estimate { value: f64::from(p).powf(1.2), interval: None },
        });
        let fit = fit_amdahl(&points).unwrap();
        assert_eq!((fit.serial_fraction, fit.limit()), (0.0, None));
    }

    #[test]
    fn a_weight_is_the_inverse_variance_of_the_inverse_speedup() {
        // A 95 % interval of 1/S from 0.4 to 0.6 reaches two deviations of 0.05 to both sides.
        let wide = Estimate { value: 2.0, interval: Some(Interval { lo: 1.0 / 0.6, hi: 2.5 }) };
        assert!((weight(&wide) - 400.0).abs() < 1e-6, "{}", weight(&wide));
        // Nothing is known to more than 1 %.
        assert!((weight(&Estimate { interval: None, ..wide }) - 40_000.0).abs() < 1e-6);
    }

    #[test]
    fn an_uncertain_point_pulls_less() {
        let mut points: Vec<_> = [1, 2, 4, 8].map(|p| exact(0.1, p)).to_vec();
        points[3].speedup.value /= 2.0;
        let trusted = fit_amdahl(&points).unwrap().serial_fraction;
        let value = points[3].speedup.value;
        points[3].speedup.interval = Some(Interval { lo: value * 0.4, hi: value * 2.5 });
        let doubted = fit_amdahl(&points).unwrap().serial_fraction;
        assert!((doubted - 0.1).abs() < (trusted - 0.1).abs() / 4.0, "{doubted} {trusted}");
    }
}
