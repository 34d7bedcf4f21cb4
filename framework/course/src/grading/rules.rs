//! The settings of a course, reduced to what decides one student's grade for one assignment.

use jiff::{ToSpan, civil::DateTime};
use wb_config::{CourseDate, CourseSettings, EfficiencyBandSettings, RosterStudent, TaskKind, TimeZone};

use crate::{Points, SolutionPart};

/// What decides the grade of one student for one assignment.
#[derive(Clone, Debug, PartialEq)]
pub struct GradingRules {
    /// The greatest number of points of each part.
    pub points: PartPoints,
    /// The share of the performance points that an efficiency earns, best band first.
    pub bands: Vec<EfficiencyBandSettings>,
    /// How a communication assignment earns its performance points; `None` for an assignment with a speed-up.
    pub communication: Option<CommunicationRule>,
    /// The course's time zone.
    pub time_zone: TimeZone,
    /// The deadline of the student's group, in `time_zone`.
    pub deadline: CourseDate,
    /// The student's extension, if one was given.
    pub extension: Option<ExtensionRule>,
    /// Points for every day after the deadline.
    pub late_points_per_day: Points,
    /// The share of the points that a part earned which copying it costs, from 0 to 1.
    pub copied_share: f64,
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
    /// The deadline in the place of the group's.
    pub until: CourseDate,
    /// The reason.
    pub reason: String,
    /// The instructor.
    pub by: String,
}

impl GradingRules {
    /// The rules for `student` and a variant of an assignment.
    ///
    /// # Panics
    /// When `assignment` is not 1, 2 or 3.
    pub fn for_student(
        course: &CourseSettings,
        student: &RosterStudent,
        assignment: u8,
        variant: u8,
    ) -> Self {
        let settings = course.assignment(assignment);
        let kind = settings.variant(variant).map_or(TaskKind::Computation, |variant| variant.kind);
        let extension = course.extension(&student.login, assignment);
        Self {
            points: PartPoints {
                mpi: Points::whole(settings.points.mpi),
                seq: Points::whole(settings.points.seq),
                performance: Points::whole(settings.points.performance),
                report: Points::whole(settings.points.report),
            },
            bands: course.efficiency_bands.clone(),
            communication: (kind == TaskKind::Communication).then_some(CommunicationRule {
                counts_percent: course.communication.counts_percent,
                library_factor: course.communication.library_factor,
            }),
            time_zone: course.time_zone.clone(),
            deadline: settings.deadline_of_group(&student.group),
            extension: extension.map(|extension| ExtensionRule {
                until: extension.until,
                reason: extension.reason.clone(),
                by: extension.by.clone(),
            }),
            late_points_per_day: Points::whole(course.penalties.late_points_per_day),
            copied_share: course.penalties.copied_share_of_solution,
        }
    }

    /// The deadline that counts: the extension's, where there is one.
    pub(crate) fn deadline_in_force(&self) -> CourseDate {
        self.extension.as_ref().map_or(self.deadline, |extension| extension.until)
    }
}

/// The first moment after a deadline, in its time zone.
pub(super) fn first_after(deadline: CourseDate) -> DateTime {
    match deadline {
        CourseDate::Day(day) => day.saturating_add(1.day()).at(0, 0, 0, 0),
        CourseDate::Moment(moment) => moment.saturating_add(1.nanosecond()),
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
        let band = |(from_percent, points_percent)| EfficiencyBandSettings { from_percent, points_percent };
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
            deadline: CourseDate::Day(jiff::civil::date(2027, 4, 11)),
            extension: None,
            late_points_per_day: Points::whole(1),
            copied_share: 0.5,
        }
    }
}
