//! Single values with their allowed ranges: used as `deserialize_with`.

use std::{
    fmt::{self, Display},
    marker::PhantomData,
    time::Duration,
};

use jiff::{
    civil::Date,
    tz::{TimeZone, TimeZoneDatabase},
};
use serde::{
    Deserialize,
    de::{Deserializer, Error, Unexpected, Visitor},
};
use wb_text::{
    Text,
    escape::{NAME_CHARS_MAX, NameError},
    yaml,
};

/// A whole number from `MIN` to `MAX`.
pub(crate) fn whole<'de, D, T, const MIN: u64, const MAX: u64>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u64>,
{
    deserializer.deserialize_any(WholeVisitor::<T, MIN, MAX>(PhantomData))
}

struct WholeVisitor<T, const MIN: u64, const MAX: u64>(PhantomData<T>);

impl<T: TryFrom<u64>, const MIN: u64, const MAX: u64> Visitor<'_> for WholeVisitor<T, MIN, MAX> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        yaml::whole(MIN, MAX).fmt(f)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<T, E> {
        let refused = || E::invalid_value(Unexpected::Unsigned(value), &self);
        if !(MIN..=MAX).contains(&value) {
            return Err(refused());
        }
        T::try_from(value).map_err(|_| refused())
    }
}

/// A name or a title: visible characters in one line ([`wb_text::escape::check_name`]). A number is not a text: `group: 381`
/// must be quoted, or another reader might take it for a number.
pub(crate) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    deserializer.deserialize_any(TextVisitor)
}

/// [`text`], where it may be left out.
pub(crate) fn optional_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    text(deserializer).map(Some)
}

struct TextVisitor;

impl Visitor<'_> for TextVisitor {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        yaml::name().fmt(f)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<String, E> {
        parse_text(value).map_err(E::custom)
    }
}

/// A name or a title without surrounding space, or why it is none.
pub(crate) fn parse_text(value: &str) -> Result<String, Text> {
    match value.trim() {
        "" => Err(yaml::invalid_value(yaml::string(value), yaml::name())),
        trimmed => wb_text::escape::check_name(trimmed).map(|()| trimmed.to_owned()).map_err(name_error),
    }
}

/// The reason why a text is not a name.
fn name_error(error: NameError) -> Text {
    match error {
        NameError::Hidden(c, at) => yaml::name_hidden(at, format!("{:04X}", u32::from(c)), NAME_CHARS_MAX),
        NameError::Blank => yaml::name_blank(NAME_CHARS_MAX),
        NameError::TooLong(chars) => yaml::name_too_long(chars, NAME_CHARS_MAX),
    }
}

/// A time limit in seconds, above 0 and at most an hour.
pub(crate) fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    deserializer
        .deserialize_any(RealVisitor { min: 0.001, max: 3600.0, expected: yaml::seconds() })
        .map(Duration::from_secs_f64)
}

/// A fraction of a whole, from 0 to 1.
pub(crate) fn fraction<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    deserializer.deserialize_any(RealVisitor { min: 0.0, max: 1.0, expected: yaml::number(0, 1) })
}

/// A relative error: 0 is none, 1 is all of it, and it can be more.
pub(crate) fn share<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    deserializer.deserialize_any(RealVisitor { min: 0.0, max: 1e6, expected: yaml::number(0, 1_000_000) })
}

/// How many times as large: 1 is as large.
pub(crate) fn factor<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    deserializer.deserialize_any(RealVisitor { min: 1.0, max: 1000.0, expected: yaml::number(1, 1000) })
}

/// A number in a range.
pub(crate) struct RealVisitor {
    pub(crate) min: f64,
    pub(crate) max: f64,
    pub(crate) expected: Text,
}

impl Visitor<'_> for RealVisitor {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expected.fmt(f)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<f64, E> {
        match (self.min..=self.max).contains(&value) {
            true => Ok(value),
            false => Err(E::invalid_value(Unexpected::Float(value), &self)),
        }
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<f64, E> {
        match i32::try_from(value) {
            Ok(value) if (self.min..=self.max).contains(&f64::from(value)) => Ok(f64::from(value)),
            _ => Err(E::invalid_value(Unexpected::Signed(value), &self)),
        }
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<f64, E> {
        // Exact up to 2^53, far above what any range here allows.
        self.visit_f64(value as f64)
    }
}

/// A whole number from `MIN` to `MAX`, where it may be left out.
pub(crate) fn optional_whole<'de, D, T, const MIN: u64, const MAX: u64>(
    deserializer: D,
) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u64>,
{
    whole::<D, T, MIN, MAX>(deserializer).map(Some)
}

/// A text that `parse` reads.
pub(crate) fn parsed<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    expected: Text,
    parse: fn(&str) -> Option<T>,
) -> Result<T, D::Error> {
    deserializer.deserialize_any(ParsedVisitor { expected, parse })
}

struct ParsedVisitor<T> {
    expected: Text,
    parse: fn(&str) -> Option<T>,
}

impl<T> Visitor<'_> for ParsedVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expected.fmt(f)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        (self.parse)(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

/// A day, written `2027-03-14`.
pub(crate) fn date<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Date, D::Error> {
    parsed(deserializer, yaml::day("2027-03-14"), parse_date)
}

/// A name of the IANA database of time zones.
pub(crate) fn time_zone<'de, D: Deserializer<'de>>(deserializer: D) -> Result<TimeZone, D::Error> {
    parsed(deserializer, yaml::time_zone("Europe/Moscow"), parse_time_zone)
}

/// The zone with that name, of the database in this program: the rules of the machine's own could be others next year.
pub(crate) fn parse_time_zone(name: &str) -> Option<TimeZone> {
    let zone = TimeZoneDatabase::bundled().get(name).ok()?;
    (zone.iana_name() == Some(name)).then_some(zone)
}

/// The login of a student.
pub(crate) fn login<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    parsed(deserializer, yaml::login(), |text| is_login(text).then(|| text.to_owned()))
}

/// [`login`], where it may be left out.
pub(crate) fn optional_login<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    login(deserializer).map(Some)
}

/// Whether a text is a login: it is also a part of the names of files and pages.
pub(crate) fn is_login(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (1..=64).contains(&text.len())
        && text.bytes().all(allowed)
        && text.starts_with(|first: char| first.is_ascii_alphanumeric())
}

/// One word, or several joined by `_`, of a task's name.
pub(crate) fn word<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    parsed(deserializer, yaml::word_of_task(), |text| is_word(text).then(|| text.to_owned()))
}

fn is_word(text: &str) -> bool {
    let part = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    text.len() <= 32
        && text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.split('_').all(part)
}

/// One of [`text`] in a list.
#[derive(Deserialize)]
#[serde(transparent)]
struct VisibleText(#[serde(deserialize_with = "text")] String);

/// A list of [`text`].
pub(crate) fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let texts = Vec::<VisibleText>::deserialize(deserializer)?;
    Ok(texts.into_iter().map(|VisibleText(text)| text).collect())
}

/// A day of a course. The library also reads other forms of ISO 8601, and other years.
pub(crate) fn parse_date(text: &str) -> Option<Date> {
    let date = text.parse::<Date>().ok()?;
    ((2000..2200).contains(&date.year()) && date.to_string() == text).then_some(date)
}

/// A number of ranks of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub(crate) struct RankCount(#[serde(deserialize_with = "whole::<_, _, 1, 1024>")] pub(crate) usize);

/// A list of numbers of ranks.
pub(crate) fn ranks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<usize>, D::Error> {
    let ranks = Vec::<RankCount>::deserialize(deserializer)?;
    Ok(ranks.into_iter().map(|RankCount(ranks)| ranks).collect())
}

#[cfg(test)]
mod tests {
    use super::parse_date;

    #[test]
    fn days_that_exist_are_read_and_written_the_same() {
        for text in ["2027-03-14", "2028-02-29", "2000-02-29", "2027-12-31", "2199-12-31"] {
            assert_eq!(parse_date(text).map(|date| date.to_string()), Some(text.to_owned()));
        }
    }

    #[test]
    fn other_days_and_other_forms_are_refused() {
        for text in [
            "2027-02-29",
            "2100-02-29",
            "2027-13-01",
            "2027-00-10",
            "1999-12-31",
            "2200-01-01",
            "2027-1-1",
            "20270314",
            "+002027-03-14",
            "2027-03-14T10:00",
            "2027-03-14[Europe/Moscow]",
            " 2027-03-14",
            "14.03.2027",
            "2027-03-1x",
            "",
        ] {
            assert_eq!(parse_date(text), None, "{text}");
        }
    }
}
