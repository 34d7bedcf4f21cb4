//! What is known of one task at one commit: all that its grade follows from.
//!
//! It is collected once, by programs that test, measure and read the repository, and written to `grades/evidence/<task>.json`.
//! [`grade`](crate::grade) is a pure function of it, so years later the same file gives the same grade. A field that arrives later is
//! optional and has a default; a change of meaning raises [`EVIDENCE_SCHEMA`], which an older program refuses.

mod check;
mod example;
mod performance;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use wb_text::Text;

pub use check::InvalidEvidence;
pub use performance::{
    CommunicationEvidence, PerformanceDoubt, PerformanceEvidence, PerformanceGap, ScalingEvidence,
};

/// The format of evidence; a program refuses a newer one.
pub const EVIDENCE_SCHEMA: u32 = 1;

/// The facts about one task at one commit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// [`EVIDENCE_SCHEMA`] of the program that wrote it.
    pub schema: u32,
    /// The package of the task.
    pub task: String,
    /// The student's login in the roster.
    pub login: String,
    /// The number of the assignment, from `task.yaml`.
    pub assignment: u8,
    /// The variant that the task solves, from `task.yaml`.
    pub variant: u8,
    /// The time and the commit of its submission; `None` for a task that is not on the main branch, such as that of a dry run.
    pub submission: Option<SubmissionEvidence>,
    /// Whether the assignment has a crate: then its inputs and its oracle decided, in programs of ours.
    pub instructor_owned: bool,
    /// Whether the judge ran the tests and the measurements, and not the student's own program.
    pub judged: bool,
    /// The assignment's crate on the main branch: the name that git gives its files together. `None` where the variant has no crate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignment_tree: Option<String>,
    /// The sequential version.
    pub seq: VersionEvidence,
    /// The parallel version.
    pub mpi: VersionEvidence,
    /// Whether the tests ended without a verdict on each run: the task does not build, a program ended early, or a test of the
    /// student's own that runs no task failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
    /// The tests that did not end, where their program was ended at its limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unended: Option<Text>,
    /// Rules of the course or of the variant that the sources break.
    pub broken_rules: Vec<BrokenRule>,
    /// The seed from which the runs that checked the rules were drawn; `None` where no run checked one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule_runs_seed: Option<u64>,
    /// The measurements.
    pub performance: PerformanceEvidence,
    /// The report.
    pub report: ReportEvidence,
}

/// The submission of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubmissionEvidence {
    /// The commit of the main branch whose files are graded.
    pub commit: String,
    /// The last commit that changed what is graded.
    pub changed_in: String,
    /// The moment of that change: the date that the commit bears, within the limits that the main branch sets.
    pub changed_at: Timestamp,
    /// The date that the commit bears, where it is outside of these limits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claimed_at: Option<Timestamp>,
    /// The time at which that change was merged into the main branch.
    pub merged_at: Timestamp,
}

/// A part of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SolutionPart {
    /// The sequential version.
    Seq,
    /// The parallel version.
    Mpi,
}

impl SolutionPart {
    /// Both parts.
    pub const ALL: [Self; 2] = [Self::Seq, Self::Mpi];

    /// `SEQ` or `MPI`.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Seq => "SEQ",
            Self::Mpi => "MPI",
        }
    }

    /// The name of its type in the student's crate.
    pub const fn type_name(self) -> &'static str {
        match self {
            Self::Seq => "Seq",
            Self::Mpi => "Mpi",
        }
    }
}

/// The results of the functional tests of one version.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VersionEvidence {
    /// Whether `task.yaml` enables it.
    pub enabled: bool,
    /// Runs that passed.
    pub passed: u32,
    /// The runs among them on two ranks or more of a real MPI library.
    pub passed_on_mpi: u32,
    /// Runs that were skipped.
    pub skipped: u32,
    /// Runs that failed.
    pub failed: u32,
    /// The first runs that failed, each with its reason.
    pub failures: Vec<FailedTest>,
}

/// One run of a functional test that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailedTest {
    /// The test.
    pub test: String,
    /// The number of ranks.
    pub ranks: u32,
    /// The backend: `mpi`, `threads` or `virtual-time`.
    pub backend: String,
    /// The outcome: `fail`, `hang`, `limit` or `crash`.
    pub outcome: String,
    /// Why, in one line.
    pub reason: String,
}

/// A rule that the sources break, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BrokenRule {
    /// The name of the rule, as `cargo wb rules` prints it.
    pub rule: String,
    /// The part that loses its points; `None` for both.
    pub part: Option<SolutionPart>,
    /// The file, relative to the task's folder.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The finding.
    pub text: Text,
    /// The change that would satisfy the rule.
    pub remedy: Option<Text>,
}

/// The report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReportEvidence {
    /// The graded file, relative to the root of the workspace; `None` without a report.
    pub file: Option<String>,
    /// The sections that the student writes, in order.
    pub sections: Vec<ReportSection>,
    /// Whether the generated blocks are those of the records.
    pub blocks_current: bool,
    /// What is wrong with the markers of the generated blocks, so that its sections cannot be found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damage: Option<Text>,
}

/// One section of the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReportSection {
    /// The number of the section in the template.
    pub number: u8,
    /// The title of the section.
    pub title: Text,
    /// The state of its text.
    pub state: SectionState,
    /// The words that the student wrote in it.
    pub words: u32,
}

/// The state of the text of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SectionState {
    /// A text of the student.
    Written,
    /// A text of fewer words than the section needs.
    Short,
    /// The section has only the text of the template.
    Template,
    /// The report has no such section.
    Missing,
}

impl Evidence {
    /// The evidence of one part.
    pub const fn version(&self, part: SolutionPart) -> &VersionEvidence {
        match part {
            SolutionPart::Seq => &self.seq,
            SolutionPart::Mpi => &self.mpi,
        }
    }

    /// The file's text: indented JSON, with a line end.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("evidence has string keys only") + "\n"
    }
}
