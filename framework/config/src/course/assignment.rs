//! The assignments of the course: their variants, the rules of each, points and deadlines.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::CourseDate;
use crate::{TaskKind, TitleSettings, value};

/// The largest number of variants of one assignment.
pub const VARIANTS_MAX: u8 = 99;

/// One assignment of the semester.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssignmentSettings {
    /// Its number.
    #[serde(deserialize_with = "value::whole::<_, _, 1, 3>")]
    pub number: u8,
    /// Its subject.
    pub title: TitleSettings,
    /// The points that it can earn.
    pub points: AssignmentPoints,
    /// The last day, or the last moment, at which it earns all of these points.
    pub deadline: CourseDate,
    /// The deadlines of groups that have one of their own.
    #[serde(default)]
    pub deadlines: BTreeMap<String, CourseDate>,
    /// The rules of every variant that has none of its own.
    #[serde(default)]
    pub rules: Vec<AssignmentRule>,
    /// The variants: 1, 2, 3, ... in order.
    #[serde(default)]
    pub variants: Vec<VariantSettings>,
}

impl AssignmentSettings {
    /// The variant with `number`, counted from 1.
    pub fn variant(&self, number: u8) -> Option<&VariantSettings> {
        self.variants.get(usize::from(number).checked_sub(1)?)
    }

    /// The rules of the variant with `number`: its own, else those of the assignment.
    pub fn rules_of(&self, number: u8) -> &[AssignmentRule] {
        self.variant(number).and_then(|variant| variant.rules.as_deref()).unwrap_or(&self.rules)
    }

    /// The deadline of a group, before any extension.
    pub fn deadline_of_group(&self, group: &str) -> CourseDate {
        self.deadlines.get(group).copied().unwrap_or(self.deadline)
    }
}

/// One variant of an assignment.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariantSettings {
    /// Its number, from 1.
    #[serde(deserialize_with = "value::whole::<_, _, 1, 99>")]
    pub number: u8,
    /// The word for it in the names of tasks: `trapezoids` in `ivanov_i_trapezoids`.
    #[serde(deserialize_with = "value::word")]
    pub short: String,
    /// Its title.
    pub title: TitleSettings,
    /// The criterion of its performance.
    #[serde(default = "default_kind")]
    pub kind: TaskKind,
    /// Its own rules, in the place of those of the assignment.
    #[serde(default)]
    pub rules: Option<Vec<AssignmentRule>>,
    /// Its own margin, in the place of that of the course.
    #[serde(default, deserialize_with = "value::optional_whole::<_, _, 0, 100>")]
    pub work_margin_percent: Option<u8>,
}

/// The criterion of a variant that names none.
fn default_kind() -> TaskKind {
    TaskKind::Computation
}

/// What a solution must keep to beside being right.
///
/// Two rules hold for each task and are not listed: the sequential version does not communicate, and nothing goes round
/// `World`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AssignmentRule {
    /// Messages only: no collective operation and no window.
    SendAndReceiveOnly,
    /// No communicator with a Cartesian or a graph topology of the library.
    NoTopologyCommunicators,
    /// The transfer goes over a tree of ranks: no rank sends or receives more messages than the tree's depth.
    Tree,
    /// Any rank can be the root.
    AnyRoot,
    /// The elements can be of the types `i32`, `f32` and `f64`.
    IntFloatDouble,
    /// The version for MPI communicates.
    Communicates,
    /// The version for MPI distributes the computing over the ranks.
    DistributesComputing,
}

impl AssignmentRule {
    /// All rules.
    pub const ALL: [Self; 7] = [
        Self::SendAndReceiveOnly,
        Self::NoTopologyCommunicators,
        Self::Tree,
        Self::AnyRoot,
        Self::IntFloatDouble,
        Self::Communicates,
        Self::DistributesComputing,
    ];

    /// Its name in `course.yaml`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SendAndReceiveOnly => "send-and-receive-only",
            Self::NoTopologyCommunicators => "no-topology-communicators",
            Self::Tree => "tree",
            Self::AnyRoot => "any-root",
            Self::IntFloatDouble => "int-float-double",
            Self::Communicates => "communicates",
            Self::DistributesComputing => "distributes-computing",
        }
    }
}

/// The points of the parts of an assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssignmentPoints {
    /// The version for MPI.
    #[serde(deserialize_with = "value::whole::<_, _, 0, 100>")]
    pub mpi: u8,
    /// The sequential version.
    #[serde(deserialize_with = "value::whole::<_, _, 0, 100>")]
    pub seq: u8,
    /// The efficiency.
    #[serde(deserialize_with = "value::whole::<_, _, 0, 100>")]
    pub performance: u8,
    /// The report.
    #[serde(deserialize_with = "value::whole::<_, _, 0, 100>")]
    pub report: u8,
}

impl AssignmentPoints {
    /// All parts together.
    pub fn total(&self) -> u32 {
        [self.mpi, self.seq, self.performance, self.report].into_iter().map(u32::from).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_read_by_its_name() {
        for rule in AssignmentRule::ALL {
            assert_eq!(serde_json_name(rule), rule.name());
        }
    }

    /// The name that `serde` writes.
    fn serde_json_name(rule: AssignmentRule) -> String {
        crate::yaml::write(&rule).trim().to_owned()
    }
}
