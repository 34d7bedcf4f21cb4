//! The allowed distance of a floating-point number from the expected one.
use std::fmt;

/// `|got - expected| <= absolute + relative * |expected|`; equal values are always allowed, and so is NaN for NaN.
///
/// ```
/// use wb_task::Tolerance;
/// let tolerance = Tolerance::relative(1e-12);
/// assert!(tolerance.allows(0.1 + 0.2, 0.3) && !tolerance.allows(0.31, 0.3));
/// assert_eq!(tolerance.to_string(), "|got - expected| <= 1e-12 * |expected|");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// In the numbers' own unit.
    pub absolute: f64,
    /// As a fraction of the expected number.
    pub relative: f64,
}

impl Tolerance {
    /// An absolute tolerance, for numbers around zero.
    pub fn absolute(absolute: f64) -> Self {
        Self { absolute, relative: 0.0 }
    }

    /// A relative tolerance: a sum of n numbers in another order is off by about n * 1.1e-16.
    pub fn relative(relative: f64) -> Self {
        Self { absolute: 0.0, relative }
    }

    /// Whether `got` is close enough to `expected`.
    pub fn allows(self, got: f64, expected: f64) -> bool {
        let within = (got - expected).abs() <= self.absolute + self.relative * expected.abs();
        got == expected || within && expected.is_finite() || got.is_nan() && expected.is_nan()
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { absolute, relative } = self;
        match (*absolute != 0.0, *relative != 0.0) {
            (true, true) => write!(f, "|got - expected| <= {absolute:e} + {relative:e} * |expected|"),
            (_, false) => write!(f, "|got - expected| <= {absolute:e}"),
            (false, true) => write!(f, "|got - expected| <= {relative:e} * |expected|"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finite_is_only_like_itself() {
        let any = Tolerance { absolute: f64::MAX, relative: 1.0 };
        assert!(any.allows(f64::INFINITY, f64::INFINITY) && any.allows(f64::NAN, f64::NAN));
        assert!(!any.allows(1.0, f64::INFINITY) && !any.allows(f64::NEG_INFINITY, f64::INFINITY));
        assert!(!any.allows(f64::NAN, 1.0) && !any.allows(1.0, f64::NAN));
        assert!(Tolerance::absolute(0.0).allows(2.0, 2.0) && !Tolerance::absolute(0.5).allows(2.0, 2.75));
    }
}
