//! The settings of a course, reduced to what decides one student's grade for one assignment.

use jiff::{
    civil::{DateTime, Time},
    tz::TimeZone,
};

use crate::{Points, SolutionPart};

/// What decides the grade of one student for one assignment.
#[derive(Clone, Debug, PartialEq)]
pub struct GradingRules {
    /// The greatest number of points of each part.
    pub points: PartPoints,
    /// Which share of the performance points an efficiency earns, best band first.
    pub bands: Vec<PointsBand>,
    /// How a communication assignment earns its performance points; `None` for an assignment with a speed-up.
    pub communication: Option<CommunicationRule>,
    /// The course's time zone.
    pub time_zone: TimeZone,
    /// The first moment after the deadline, of the student's group, in `time_zone`.
    pub deadline: DateTime,
    /// The student's extension, if one was given.
    pub extension: Option<ExtensionRule>,
    /// Points for every day after the deadline.
    pub late_points_per_day: Points,
    /// The share of a part's points that copying it costs, in per cent.
    pub copied_percent: u8,
}

/// The greatest number of points of each part of an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartPoints {
    /// The parallel version.
    pub mpi: Points,
    /// The sequential version.
    pub seq: Points,
    /// The performance.
    pub performance: Points,
    /// The report.
    pub report: Points,
}

impl PartPoints {
    /// The sum.
    pub fn total(self) -> Points {
        self.mpi + self.seq + self.performance + self.report
    }

    /// The points of a part of the solution.
    pub fn of_part(self, part: SolutionPart) -> Points {
        match part {
            SolutionPart::Seq => self.seq,
            SolutionPart::Mpi => self.mpi,
        }
    }
}

/// One step of the scale from efficiency to points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointsBand {
    /// The least efficiency, in per cent.
    pub from_percent: u8,
    /// The share of the points, in per cent.
    pub points_percent: u8,
}

/// How a communication assignment earns its performance points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CommunicationRule {
    /// The share of the points for messages and rounds as in the formula, in per cent; the rest is for the times.
    pub counts_percent: u8,
    /// A time of at most this many times that of the library's own call earns its points.
    pub library_factor: f64,
}

/// A later deadline of one student.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtensionRule {
    /// The first moment after the extended deadline, in the course's time zone.
    pub until: DateTime,
    /// Why.
    pub reason: String,
    /// The instructor.
    pub by: String,
}

impl GradingRules {
    /// The deadline that counts: the extension, where it is later.
    pub(crate) fn deadline_in_force(&self) -> DateTime {
        let extended = self.extension.as_ref().map(|extension| extension.until);
        extended.map_or(self.deadline, |until| until.max(self.deadline))
    }

    /// A deadline for readers: the day, if it ends with one, or the last second that counts.
    pub(crate) fn describe_deadline(first_after: DateTime) -> String {
        match (first_after.time() == Time::midnight()).then(|| first_after.date().yesterday().ok()).flatten()
        {
            Some(last_day) => last_day.to_string(),
            None => {
                let last = first_after.saturating_sub(jiff::Span::new().seconds(1));
                last.strftime("%Y-%m-%d %H:%M:%S").to_string()
            }
        }
    }
}

impl GradingRules {
    /// The rules of assignment 2 of the course in the repository, in universal time, for documentation and tests.
    pub fn example() -> Self {
        let bands = [
            (50, 100),
            (45, 90),
            (42, 80),
            (40, 70),
            (37, 60),
            (35, 50),
            (32, 40),
            (30, 30),
            (27, 20),
            (25, 10),
        ];
        let band = |(from_percent, points_percent)| PointsBand { from_percent, points_percent };
        Self {
            points: PartPoints {
                mpi: Points::whole(12),
                seq: Points::whole(3),
                performance: Points::whole(5),
                report: Points::whole(3),
            },
            bands: bands.map(band).to_vec(),
            communication: None,
            time_zone: TimeZone::UTC,
            deadline: jiff::civil::date(2027, 4, 12).at(0, 0, 0, 0),
            extension: None,
            late_points_per_day: Points::whole(1),
            copied_percent: 50,
        }
    }
}
