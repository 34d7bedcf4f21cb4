//! What every page of one language needs: the scoreboard, and numbers and dates as text.

use jiff::{Timestamp, tz::TimeZone};
use maud::{Markup, html};
use wb_course::{Letter, MeasuredInterval, Points, Scoreboard, ScoreboardStudent, Visibility};
use wb_messages::{Lang, number};

/// The scoreboard in one language.
pub(crate) struct PageContext<'a> {
    pub(crate) board: &'a Scoreboard,
    pub(crate) lang: Lang,
    zone: TimeZone,
}

impl<'a> PageContext<'a> {
    pub(crate) fn new(board: &'a Scoreboard, lang: Lang, zone: TimeZone) -> Self {
        Self { board, lang, zone }
    }

    /// Whether names may be shown.
    pub(crate) fn is_private(&self) -> bool {
        self.board.visibility == Visibility::Private
    }

    /// `4.5`, in Russian `4,5`.
    pub(crate) fn points(&self, points: Points) -> String {
        number::localized(self.lang, &points.to_string())
    }

    /// A moment in the time zone of the course: `2027-03-07 23:59`, in Russian `07.03.2027 23:59`.
    pub(crate) fn moment(&self, at: Timestamp) -> String {
        let format = match self.lang {
            Lang::En => "%Y-%m-%d %H:%M",
            Lang::Ru => "%d.%m.%Y %H:%M",
        };
        at.to_zoned(self.zone.clone()).strftime(format).to_string()
    }

    /// The day of a moment.
    pub(crate) fn day(&self, at: Timestamp) -> String {
        let moment = self.moment(at);
        moment.split(' ').next().unwrap_or_default().to_owned()
    }

    /// A speed-up or an efficiency in per cent, with the digits that a reader compares.
    pub(crate) fn measured(&self, letter: Letter, value: f64) -> String {
        let decimals = match letter {
            Letter::Efficiency => 0,
            _ if value.abs() >= 9.995 => 1,
            _ => 2,
        };
        number::fixed(self.lang, value, decimals)
    }

    /// `[1.80, 1.86]`.
    pub(crate) fn interval(&self, letter: Letter, interval: MeasuredInterval) -> String {
        let end = |value| self.measured(letter, value);
        number::interval(self.lang, &end(interval.low), &end(interval.high))
    }
}

/// The name of a student for a page, the id where there is none; a text from outside has a direction of its own.
pub(crate) fn shown_name(student: &ScoreboardStudent) -> Markup {
    html! { bdi { (plain_name(student)) } }
}

/// Text in which `back ticks` become code.
pub(crate) fn code_spans(text: &str) -> Markup {
    html! {
        @for (index, part) in text.split('`').enumerate() {
            @if index % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

/// The name of a student as text.
pub(crate) fn plain_name(student: &ScoreboardStudent) -> String {
    wb_text::escape::line(student.name.as_deref().unwrap_or(&student.id)).into_owned()
}
