//! The course as data and pure functions: who has which variant, what a task has earned and why, and the scoreboard.
//!
//! Nothing here runs a program, reads a file or a clock: settings and evidence in, values out. So the same evidence gives the
//! same grade years later, byte for byte. [`source`] checks rules on sources and compares tasks.
//!
//! ```
//! use wb_course::Points;
//! let points: Points = "4.5".parse()?;
//! assert_eq!(points + Points::whole(3), "7.5".parse()?);
//! assert_eq!(points.to_string(), "4.5");
//! # Ok::<(), wb_course::InvalidPoints>(())
//! ```
#![forbid(unsafe_code)]

mod commit_dates;
mod course_grades;
mod evidence;
mod gradebook;
mod graded_content;
mod grading;
mod letter;
mod points;
mod pseudonym;
mod reason_kind;
mod scoreboard;
pub mod source;
mod task_grade;
#[cfg(test)]
mod text_schema;
mod variants;
mod wording;

pub use commit_dates::{counted_date, trusted_dates};
pub use course_grades::{CourseGrades, GRADES_SCHEMA};
pub use evidence::{
    BrokenRule, CommunicationEvidence, EVIDENCE_SCHEMA, Evidence, FailedTest, InvalidEvidence,
    PerformanceDoubt, PerformanceEvidence, PerformanceGap, ReportEvidence, ReportSection, ScalingEvidence,
    SectionState, SolutionPart, SubmissionEvidence, VersionEvidence,
};
pub use gradebook::GradingFiles;
pub use graded_content::GradedContent;
pub use grading::{
    CommunicationRule, ConfirmedCopy, ExtensionRule, GradingInput, GradingRules, OverrideDecision,
    PartPoints, grade, reasons_for_no_points,
};
pub use letter::Letter;
pub use points::{InvalidPoints, Points};
pub use pseudonym::pseudonym;
pub use reason_kind::ReasonKind;
pub use scoreboard::{
    HistoryPoint, SCOREBOARD_SCHEMA, Scoreboard, ScoreboardAssignment, ScoreboardInput, ScoreboardStudent,
    ScoreboardVariant, Visibility,
};
pub use task_grade::{AppliedOverride, LetterGrade, MeasuredInterval, Reason, TaskGrade};
pub use variants::{AssignedVariant, EnrolledStudent, VariantChoice, VariantPool, assign_variants, fnv1a};

// The tests of the interface use the crate by its name, as others do.
#[cfg(test)]
extern crate self as wb_course;
#[cfg(test)]
#[path = "../tests/mod.rs"]
mod interface;
