//! Numbers and moments inside the reasons of a grade, in both languages.

use jiff::{Timestamp, tz::TimeZone};
use wb_text::{Lang, Text, number};

use crate::{Points, task_grade::MeasuredInterval};

impl From<Points> for Text {
    /// The points with the decimal mark of the language: `4.5`, `4,5`.
    fn from(points: Points) -> Self {
        let digits = points.to_string();
        in_both(|lang| number::localized(lang, &digits))
    }
}

/// A text that `make` writes for each language.
fn in_both(make: impl Fn(Lang) -> String) -> Text {
    Text { en: make(Lang::En).into(), ru: make(Lang::Ru).into() }
}

/// A number with its digits after the decimal mark.
pub(crate) fn decimal(x: f64, decimals: usize) -> Text {
    in_both(|lang| number::fixed(lang, x, decimals))
}

/// A number with as many digits as it has.
pub(crate) fn shortest(x: f64) -> Text {
    in_both(|lang| number::shortest(lang, x))
}

/// An interval in per cent: `47.1 % [45.0, 49.2]`.
pub(crate) fn percent_interval(interval: &MeasuredInterval) -> Text {
    in_both(|lang| {
        let number = |x| number::fixed(lang, x, 1);
        let ends = number::interval(lang, &number(interval.low), &number(interval.high));
        format!("{} % {ends}", number(interval.value))
    })
}

/// A moment in the time zone of the course: `2027-03-07 23:59`.
pub(crate) fn moment(at: Timestamp, time_zone: &TimeZone) -> Text {
    Text::verbatim(at.to_zoned(time_zone.clone()).strftime("%Y-%m-%d %H:%M").to_string())
}
