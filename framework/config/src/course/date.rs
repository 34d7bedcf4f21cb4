//! A day or a moment in the course's time zone.

use std::fmt;

use jiff::{
    Timestamp, ToSpan,
    civil::{Date, DateTime},
    tz::TimeZone,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use wb_text::yaml;

use crate::value;

/// A day, or a moment of a day, both in the time zone of the course: `2027-03-14`, `2027-03-14T18:00`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CourseDate {
    /// The whole day.
    Day(Date),
    /// A moment.
    Moment(DateTime),
}

impl CourseDate {
    /// Reads a day or a moment as it is written in the course's files; a course is in the years 2000 to 2199.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(day) = value::parse_date(text) {
            return Some(Self::Day(day));
        }
        let (day, time) = text.split_once(['T', ' '])?;
        let is_time = matches!(time.len(), 5 | 8) && time.is_ascii();
        value::parse_date(day).filter(|_| is_time)?;
        text.parse::<DateTime>().ok().map(Self::Moment)
    }

    /// The last instant that belongs to it: a deadline is met at this instant, and missed after it.
    pub fn last_instant(&self, zone: &TimeZone) -> Timestamp {
        match self {
            Self::Moment(moment) => instant(*moment, zone),
            Self::Day(day) => {
                let next = day.saturating_add(1.day()).at(0, 0, 0, 0);
                instant(next, zone).saturating_sub(1.nanosecond()).expect("a nanosecond is a unit of time")
            }
        }
    }

    /// The first instant that belongs to it.
    pub fn first_instant(&self, zone: &TimeZone) -> Timestamp {
        match self {
            Self::Moment(moment) => instant(*moment, zone),
            Self::Day(day) => instant(day.at(0, 0, 0, 0), zone),
        }
    }
}

/// The instant of a local time; one that a change of the clocks skips or repeats is the later, or the earlier, of two.
fn instant(local: DateTime, zone: &TimeZone) -> Timestamp {
    zone.to_ambiguous_timestamp(local).compatible().expect("the years of a course are in range")
}

impl fmt::Display for CourseDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Day(day) => day.fmt(f),
            Self::Moment(moment) => moment.fmt(f),
        }
    }
}

impl<'de> Deserialize<'de> for CourseDate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        value::parsed(deserializer, yaml::day_or_moment("2027-03-14", "2027-03-14T18:00"), Self::parse)
    }
}

impl Serialize for CourseDate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> CourseDate {
        CourseDate::parse(text).unwrap_or_else(|| panic!("{text}"))
    }

    fn zone(name: &str) -> TimeZone {
        value::parse_time_zone(name).unwrap_or_else(|| panic!("{name}"))
    }

    #[test]
    fn a_day_ends_with_its_last_nanosecond_in_the_zone_of_the_course() {
        let moscow = zone("Europe/Moscow");
        let day = date("2027-03-07");
        assert_eq!(day.first_instant(&moscow).to_string(), "2027-03-06T21:00:00Z");
        assert_eq!(day.last_instant(&moscow).to_string(), "2027-03-07T20:59:59.999999999Z");
        assert_eq!(date("2027-03-07T18:00").last_instant(&moscow).to_string(), "2027-03-07T15:00:00Z");
        assert_eq!(date("2027-03-07 18:00:30").last_instant(&moscow).to_string(), "2027-03-07T15:00:30Z");
    }

    #[test]
    fn a_day_of_23_hours_is_shorter() {
        let berlin = zone("Europe/Berlin");
        let spring = date("2027-03-28");
        let length = spring.first_instant(&berlin).until(spring.last_instant(&berlin)).expect("two instants");
        assert_eq!(length.get_seconds(), 23 * 3600 - 1);
    }

    #[test]
    fn other_forms_are_refused() {
        for text in [
            "2027-02-29",
            "2027-03-07T",
            "2027-03-07T25:00",
            "2027-03-07T18",
            "2027-03-07T18:00Z",
            "2027-03-07T18:00+03:00",
            "2027-03-07T18:00:00.5",
            "07.03.2027",
            "1999-03-07T18:00",
            "tomorrow",
            "",
        ] {
            assert_eq!(CourseDate::parse(text), None, "{text}");
        }
    }
}
