//! A day of the calendar.

use std::{
    fmt::{self, Display},
    str::FromStr,
};

use serde::{
    Serialize, Serializer,
    de::{Deserialize, Deserializer, Error, Unexpected, Visitor},
};
use wb_text::{Text, yaml};

/// A day, written `2027-03-14`. Days compare as they follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    /// The year, 2000 to 2199.
    pub year: u16,
    /// The month, 1 to 12.
    pub month: u8,
    /// The day of the month, from 1.
    pub day: u8,
}

impl Date {
    /// The day with these numbers, if there is such a day.
    pub fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let exists = (2000..2200).contains(&year) && (1..=days_in_month(year, month)).contains(&day);
        exists.then_some(Self { year, month, day })
    }
}

/// The number of days of a month; 0 for a month that is none.
fn days_in_month(year: u16, month: u8) -> u8 {
    let leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    }
}

/// What a day is.
fn allowed() -> Text {
    yaml::day("2027-03-14")
}

impl FromStr for Date {
    type Err = Text;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = |from, to| text.get(from..to).filter(|part| part.bytes().all(|b| b.is_ascii_digit()));
        let parts = (text.len() == 10 && text.get(4..5) == Some("-") && text.get(7..8) == Some("-"))
            .then(|| Some((digits(0, 4)?, digits(5, 7)?, digits(8, 10)?)))
            .flatten();
        let (year, month, day) = parts.ok_or_else(allowed)?;
        let number = |part: &str| part.parse::<u16>().map_err(|_| allowed());
        // Two digits fit into a byte.
        Self::new(number(year)?, number(month)? as u8, number(day)? as u8).ok_or_else(allowed)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DateVisitor)
    }
}

struct DateVisitor;

impl Visitor<'_> for DateVisitor {
    type Value = Date;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        allowed().fmt(f)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Date, E> {
        text.parse().map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_that_exist_are_read_and_written_the_same() {
        for text in ["2027-03-14", "2028-02-29", "2000-02-29", "2027-12-31"] {
            assert_eq!(text.parse::<Date>().map(|date| date.to_string()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn other_days_are_refused() {
        for text in [
            "2027-02-29",
            "2100-02-29",
            "2027-13-01",
            "2027-00-10",
            "2027-1-1",
            "14.03.2027",
            "2027-03-1x",
            "",
        ] {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
    }
}
