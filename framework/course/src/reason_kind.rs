//! What a reason of a grade is about, and all that a public page says of it.
//!
//! The text of a reason may contain names of tests, packages and files, moments, measured numbers, and what a student's program printed. The
//! public text follows from the kind alone, so none of these can be in it.

use serde::{Deserialize, Serialize};
use wb_text::{Text, public_reason as text};

/// The subject of a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ReasonKind {
    /// There is no task.
    NotSubmitted,
    /// The task solves another variant.
    OtherVariant,
    /// The state is not on the main branch.
    NotMerged,
    /// The task was merged after the moment of the grade.
    SubmittedLater,
    /// The student has another task for the assignment, which does not count.
    SecondTask,
    /// A part of the solution earned its points.
    Earned,
    /// A part is disabled in `task.yaml`.
    Disabled,
    /// Tests of a part failed.
    TestsFailed,
    /// A part was not tested, or all of its tests were skipped.
    NotTested,
    /// The parallel version was not tested on a real MPI library.
    NotOnMpi,
    /// The tests ended without a verdict.
    TestsIncomplete,
    /// The sources break a rule.
    BrokenRule,
    /// Inputs and oracle are the student's.
    OwnInputs,
    /// The student's own program ran the tests.
    NotJudged,
    /// A parallel version without points has no graded performance.
    NoSolution,
    /// The band of the efficiency.
    EfficiencyBand,
    /// The interval contains an edge of a band, or there is none.
    UncertainBand,
    /// There is no number that could be graded.
    NotMeasured,
    /// The measured numbers earn nothing.
    DoubtfulNumbers,
    /// The counts of messages and rounds.
    MessageCounts,
    /// The times beside those of the library's call.
    LibraryTimes,
    /// How the speed-up and the efficiency were measured.
    Measurement,
    /// The last change was in time.
    InTime,
    /// The last change was late.
    Late,
    /// The deadline was extended.
    Extension,
    /// The commits of the last change and of its merge.
    SubmissionDates,
    /// An instructor confirmed copying.
    Copied,
    /// There is no report, or it belongs to a disabled version.
    NoReport,
    /// The markers of the report's generated blocks are damaged.
    DamagedReport,
    /// A section is missing, short or the template's.
    ReportSection,
    /// The generated blocks are not those of the records.
    StaleBlocks,
    /// The number of written sections.
    SectionsWritten,
    /// An instructor set the points.
    SetByInstructor,
}

impl ReasonKind {
    /// What a public page says; `None` for a remark that it leaves out.
    pub fn public_text(self) -> Option<Text> {
        Some(match self {
            Self::NotSubmitted => text::not_submitted(),
            Self::OtherVariant => text::other_variant(),
            Self::NotMerged => text::not_merged(),
            Self::SubmittedLater => text::submitted_later(),
            Self::Disabled => text::disabled(),
            Self::TestsFailed => text::tests_failed(),
            Self::NotTested => text::not_tested(),
            Self::NotOnMpi => text::not_on_mpi(),
            Self::TestsIncomplete => text::tests_incomplete(),
            Self::BrokenRule => text::broken_rule(),
            Self::NoSolution => text::no_solution(),
            Self::EfficiencyBand => text::efficiency_band(),
            Self::NotMeasured => text::not_measured(),
            Self::DoubtfulNumbers => text::doubtful_numbers(),
            Self::MessageCounts => text::message_counts(),
            Self::LibraryTimes => text::library_times(),
            Self::InTime => text::in_time(),
            Self::Late => text::late(),
            Self::Copied => text::copied(),
            Self::NoReport => text::no_report(),
            Self::DamagedReport => text::damaged_report(),
            Self::ReportSection => text::report_section(),
            Self::StaleBlocks => text::stale_blocks(),
            Self::SetByInstructor => text::set_by_instructor(),
            Self::SecondTask
            | Self::Earned
            | Self::OwnInputs
            | Self::NotJudged
            | Self::UncertainBand
            | Self::Measurement
            | Self::Extension
            | Self::SubmissionDates
            | Self::SectionsWritten => return None,
        })
    }
}
