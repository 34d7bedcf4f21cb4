//! The days of the demo that follow from the deadlines of its course.

use jiff::{ToSpan, civil::Date};
use wb_config::{CourseDate, CourseSettings};

/// The days on which an instructor of the demo acts.
pub(crate) struct DemoCalendar {
    /// The later deadline of students with an extension for assignment 1.
    pub(crate) extended: Date,
    /// When overrides and copying were decided.
    pub(crate) decided: Date,
    /// When the grades were made, at noon: after all deadlines and all late tasks.
    graded: Date,
}

impl DemoCalendar {
    pub(crate) fn new(course: &CourseSettings) -> Self {
        let last = course.assignments.iter().map(|assignment| day(assignment.deadline)).max();
        let last = last.expect("a course has assignments");
        Self {
            extended: day(course.assignment(1).deadline).saturating_add(7.days()),
            decided: last.saturating_add(2.days()),
            graded: last.saturating_add(4.days()),
        }
    }

    /// The moment of the grades, as an argument of `--at`.
    pub(crate) fn graded_at(&self) -> String {
        format!("{}T12:00", self.graded)
    }

    /// The year of the archive: the one before the course.
    pub(crate) fn earlier_year(&self) -> i16 {
        self.graded.year() - 1
    }
}

fn day(date: CourseDate) -> Date {
    match date {
        CourseDate::Day(day) => day,
        CourseDate::Moment(moment) => moment.date(),
    }
}
