//! Points of a course: exact hundredths.

use std::{
    fmt,
    iter::Sum,
    ops::{Add, AddAssign, Neg, Sub},
    str::FromStr,
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Points, exact to a hundredth; a penalty is negative.
///
/// Sums of floating-point numbers depend on their order. Grades must not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points {
    hundredths: i32,
}

/// The text or the number is not one of points: at most two digits after the point, at most 10,000 points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidPoints(String);

/// The largest amount, in points.
const MAX: i32 = 10_000;

impl Points {
    /// No points.
    pub const ZERO: Self = Self { hundredths: 0 };

    /// A whole number of points.
    pub const fn whole(points: u8) -> Self {
        Self { hundredths: points as i32 * 100 }
    }

    /// The points from hundredths.
    pub const fn from_hundredths(hundredths: i32) -> Self {
        Self { hundredths }
    }

    /// The amount in hundredths of a point.
    pub const fn hundredths(self) -> i32 {
        self.hundredths
    }

    /// `percent` per cent of these points, rounded to the nearest hundredth, halves away from zero.
    #[must_use]
    pub fn percent(self, percent: u8) -> Self {
        let product = i64::from(self.hundredths) * i64::from(percent);
        let rounded = (product + 50 * product.signum()) / 100;
        Self { hundredths: i32::try_from(rounded).expect("a percentage of points is in range") }
    }

    /// The fraction `share` (0 to 1) of these points, rounded to the nearest hundredth.
    #[must_use]
    pub fn share(self, share: f64) -> Self {
        Self { hundredths: (f64::from(self.hundredths) * share).round() as i32 }
    }

    /// `times` times these points.
    #[must_use]
    pub fn times(self, times: u32) -> Self {
        let times = i32::try_from(times).unwrap_or(i32::MAX);
        Self { hundredths: self.hundredths.saturating_mul(times) }
    }
}

impl Add for Points {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { hundredths: self.hundredths.saturating_add(other.hundredths) }
    }
}

impl AddAssign for Points {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Points {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { hundredths: self.hundredths.saturating_sub(other.hundredths) }
    }
}

impl Neg for Points {
    type Output = Self;
    fn neg(self) -> Self {
        Self { hundredths: -self.hundredths }
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Self>>(points: I) -> Self {
        points.fold(Self::ZERO, Self::add)
    }
}

impl fmt::Display for Points {
    /// Without trailing zeros: `12`, `4.5`, `-0.25`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.hundredths.unsigned_abs() / 100, self.hundredths.unsigned_abs() % 100);
        let sign = if self.hundredths < 0 { "-" } else { "" };
        match (rest, rest % 10) {
            (0, _) => f.pad(&format!("{sign}{whole}")),
            (_, 0) => f.pad(&format!("{sign}{whole}.{}", rest / 10)),
            _ => f.pad(&format!("{sign}{whole}.{rest:02}")),
        }
    }
}

impl FromStr for Points {
    type Err = InvalidPoints;

    fn from_str(text: &str) -> Result<Self, InvalidPoints> {
        let invalid = || InvalidPoints(text.to_owned());
        let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
        let (whole, rest) = digits.split_once('.').unwrap_or((digits, "0"));
        let number = |digits: &str| -> Option<i32> {
            let all = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            all.then(|| digits.parse().ok()).flatten()
        };
        let whole = number(whole).filter(|whole| *whole <= MAX).ok_or_else(invalid)?;
        let hundredths = match rest.len() {
            1 => number(rest).map(|tenths| tenths * 10),
            2 => number(rest),
            _ => None,
        };
        Ok(Self { hundredths: sign * (whole * 100 + hundredths.ok_or_else(invalid)?) })
    }
}

impl fmt::Display for InvalidPoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not an amount of points, expected a number such as 12, 4.5 or -0.25", self.0)
    }
}

impl std::error::Error for InvalidPoints {}

impl Serialize for Points {
    /// A JSON number: `4.5`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.hundredths % 100 {
            0 => serializer.serialize_i32(self.hundredths / 100),
            _ => serializer.serialize_f64(f64::from(self.hundredths) / 100.0),
        }
    }
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        number.to_string().parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
impl schemars::JsonSchema for Points {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Points".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "Points, exact to a hundredth; a penalty is negative.",
            "type": "number",
            "minimum": -MAX,
            "maximum": MAX,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(text: &str) -> Points {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn every_amount_is_read_as_it_is_written_in_text_and_json() {
        for hundredths in -1100..=1100 {
            let amount = Points { hundredths };
            assert_eq!(points(&amount.to_string()), amount);
            let json = serde_json::to_string(&amount).expect("a number");
            assert_eq!(serde_json::from_str::<Points>(&json).expect("the same number"), amount, "{json}");
        }
    }

    #[test]
    fn parts_are_rounded_to_hundredths() {
        assert_eq!(Points::whole(5).percent(90), points("4.5"));
        assert_eq!(points("0.05").percent(50), points("0.03"));
        assert_eq!(points("-0.05").percent(50), points("-0.03"));
        assert_eq!(Points::whole(3).share(0.5), points("1.5"));
    }

    #[test]
    fn other_texts_are_refused() {
        for text in
            ["", "-", ".", "1.", ".5", "1.234", "1e3", "+1", "NaN", "10001", "1,5", " 1", "99999999999"]
        {
            let error = text.parse::<Points>().expect_err(text);
            assert!(error.to_string().contains(&format!("`{text}`")), "{error}");
        }
    }
}
