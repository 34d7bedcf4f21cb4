//! A floating-point number that may be infinite or not a number, in formats that people read: JSON has no such numbers.
//!
//! ```
//! #[derive(serde::Serialize, serde::Deserialize)]
//! struct Limit(#[serde(with = "wb_task::special_float")] f64);
//! assert_eq!(serde_json::to_string(&[Limit(0.5), Limit(f64::NEG_INFINITY)]).unwrap(), r#"[0.5,"-inf"]"#);
//! assert!(serde_json::from_str::<Limit>(r#""nan""#).unwrap().0.is_nan());
//! ```
use std::fmt;

use serde::{
    Deserializer, Serializer,
    de::{Error, Visitor},
};

/// Writes a number, as `"inf"`, `"-inf"` or `"nan"` where the format is for people and the number is not finite.
///
/// # Errors
/// Errors of the format.
pub fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match serializer.is_human_readable() && !number.is_finite() {
        true if number.is_nan() => serializer.serialize_str("nan"),
        true => serializer.serialize_str(if *number > 0.0 { "inf" } else { "-inf" }),
        false => serializer.serialize_f64(*number),
    }
}

/// Reads what [`serialize`] writes.
///
/// # Errors
/// For everything else.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    match deserializer.is_human_readable() {
        true => deserializer.deserialize_any(NumberVisitor),
        false => deserializer.deserialize_f64(NumberVisitor),
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, \"inf\", \"-inf\" or \"nan\"")
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<f64, E> {
        Ok(number)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<f64, E> {
        Ok(number as f64)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<f64, E> {
        Ok(number as f64)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<f64, E> {
        match text {
            "inf" => Ok(f64::INFINITY),
            "-inf" => Ok(f64::NEG_INFINITY),
            "nan" => Ok(f64::NAN),
            other => Err(E::invalid_value(serde::de::Unexpected::Str(other), &self)),
        }
    }
}
