//! From data to pixels, linearly or by logarithm, and the ticks between.

/// One axis of a plot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    lo: f64,
    hi: f64,
    logarithmic: bool,
}

impl Scale {
    /// A linear axis from `lo` to `hi`.
    pub(crate) fn linear(lo: f64, hi: f64) -> Self {
        let hi = if hi > lo { hi } else { lo + 1.0 };
        Self { lo, hi, logarithmic: false }
    }

    /// A logarithmic axis around the values, with `margin` (1.2 for a fifth) on both sides. Values that are not
    /// positive have no logarithm and are passed over.
    pub(crate) fn logarithmic_around(values: impl IntoIterator<Item = f64>, margin: f64) -> Self {
        let positive = values.into_iter().filter(|v| *v > 0.0 && v.is_finite());
        let (lo, hi) = positive.fold((f64::INFINITY, 0.0_f64), |(lo, hi), v| (lo.min(v), hi.max(v)));
        if lo > hi {
            return Self { lo: 0.1, hi: 10.0, logarithmic: true };
        }
        Self { lo: lo / margin, hi: hi * margin, logarithmic: true }
    }

    /// The place of `value` between the ends, 0..=1 inside.
    pub(crate) fn normalize(&self, value: f64) -> f64 {
        if self.logarithmic {
            (value.max(f64::MIN_POSITIVE) / self.lo).ln() / (self.hi / self.lo).ln()
        } else {
            (value - self.lo) / (self.hi - self.lo)
        }
    }

    /// Round values on the axis, at most about eight.
    pub(crate) fn ticks(&self) -> Vec<f64> {
        if self.logarithmic { self.decade_ticks() } else { self.round_ticks() }
    }

    /// `1 2 5` within each decade if there are few decades, else whole decades or every other one.
    fn decade_ticks(&self) -> Vec<f64> {
        let decades = (self.hi / self.lo).log10();
        let (steps, stride): (&[f64], i32) = match decades {
            d if d < 0.8 => (&[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0], 1),
            d if d < 2.5 => (&[1.0, 2.0, 5.0], 1),
            d if d < 7.0 => (&[1.0], 1),
            _ => (&[1.0], 2),
        };
        let (first, last) = (self.lo.log10().floor() as i32, self.hi.log10().ceil() as i32);
        let exponents = (first..=last).filter(|e| e.rem_euclid(stride) == 0);
        let all = exponents.flat_map(|e| steps.iter().map(move |s| s * 10_f64.powi(e)));
        all.filter(|t| (self.lo..=self.hi).contains(t)).collect()
    }

    fn round_ticks(&self) -> Vec<f64> {
        let rough = (self.hi - self.lo) / 5.0;
        let power = 10_f64.powf(rough.log10().floor());
        let step =
            [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|s| *s >= rough).unwrap_or(rough);
        let first = (self.lo / step).ceil() as i64;
        let last = (self.hi / step + 1e-9).floor() as i64;
        (first..=last).map(|k| k as f64 * step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_proportional() {
        assert!((Scale::linear(0.0, 4.0).normalize(1.0) - 0.25).abs() < 1e-12);
        let log = Scale::logarithmic_around([1.0, 10_000.0], 1.0);
        assert!((log.normalize(10.0) - 0.25).abs() < 1e-12);
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(Scale::linear(0.0, 2.2).ticks(), vec![0.0, 0.5, 1.0, 1.5, 2.0]);
        let ticks = Scale::logarithmic_around([3.0, 40.0], 1.0).ticks();
        assert_eq!(ticks, vec![5.0, 10.0, 20.0]);
        assert!(Scale::logarithmic_around([8.0, 8e6], 1.0).ticks().len() <= 8);
    }

    #[test]
    fn no_values_still_make_an_axis() {
        let axis = Scale::logarithmic_around([], 1.2);
        assert!(axis.normalize(1.0).is_finite() && !axis.ticks().is_empty());
    }
}
