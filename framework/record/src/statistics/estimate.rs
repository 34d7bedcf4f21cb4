//! A number with its interval.

/// A 95 % interval; `lo <= hi`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
}

impl Interval {
    /// The interval between two numbers, whichever is the smaller.
    pub fn between(a: f64, b: f64) -> Self {
        Self { lo: a.min(b), hi: a.max(b) }
    }

    /// Whether `x` lies inside, ends included.
    pub fn contains(&self, x: f64) -> bool {
        (self.lo..=self.hi).contains(&x)
    }

    /// The image under a monotone function, rising or falling.
    pub fn map(self, monotone: impl Fn(f64) -> f64) -> Self {
        Self::between(monotone(self.lo), monotone(self.hi))
    }

    /// Half the width.
    pub fn half_width(&self) -> f64 {
        (self.hi - self.lo) / 2.0
    }
}

/// A point estimate, and the interval if the samples allow one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The point estimate.
    pub value: f64,
    /// The 95 % interval; `None` if there were too few samples for one.
    pub interval: Option<Interval>,
}

impl Estimate {
    /// The estimate of a monotone function of the quantity.
    pub fn map(self, monotone: impl Fn(f64) -> f64) -> Self {
        Self { value: monotone(self.value), interval: self.interval.map(|interval| interval.map(&monotone)) }
    }
}

/// How two quantities compare, given the estimate of their ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The ratio is below one: interval wholly below, and further than the noise floor.
    Less,
    /// The samples do not distinguish them.
    Indistinguishable,
    /// The ratio is above one: interval wholly above, and further than the noise floor.
    Greater,
}

impl Comparison {
    /// Two variants differ only if the interval of their ratio excludes 1 **and** the effect exceeds `noise_floor`
    /// (0.03 for 3 %). Without an interval nothing is claimed.
    pub fn from_ratio(ratio: &Estimate, noise_floor: f64) -> Self {
        let Some(interval) = ratio.interval else { return Self::Indistinguishable };
        if interval.contains(1.0) || (ratio.value - 1.0).abs() <= noise_floor {
            Self::Indistinguishable
        } else if ratio.value < 1.0 {
            Self::Less
        } else {
            Self::Greater
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_falling_function_swaps_the_ends() {
        assert_eq!(Interval { lo: 1.0, hi: 4.0 }.map(|x| 1.0 / x), Interval { lo: 0.25, hi: 1.0 });
    }

    #[test]
    fn a_difference_needs_interval_and_size() {
        let ratio = |value, lo, hi| Estimate { value, interval: Some(Interval { lo, hi }) };
        assert_eq!(Comparison::from_ratio(&ratio(1.1, 1.05, 1.2), 0.03), Comparison::Greater);
        assert_eq!(Comparison::from_ratio(&ratio(0.8, 0.7, 0.9), 0.03), Comparison::Less);
        assert_eq!(Comparison::from_ratio(&ratio(1.1, 0.99, 1.2), 0.03), Comparison::Indistinguishable);
        assert_eq!(Comparison::from_ratio(&ratio(1.02, 1.01, 1.03), 0.03), Comparison::Indistinguishable);
        let bare = Estimate { value: 9.0, interval: None };
        assert_eq!(Comparison::from_ratio(&bare, 0.03), Comparison::Indistinguishable);
    }
}
