//! The settings: `task.yaml` of every task, `assignment.yaml` of every assignment's crate, the course (`course.yaml`, the roster,
//! the given variants and what an instructor has decided by hand) and the files of machines, in strict types.
//!
//! The invariant: *every value of this crate has been checked, and an error names the line.* An unknown key, a wrong type, a
//! repeated key and a value out of its range are each a [`ConfigError`] with the file, the line, the text of that line and
//! the allowed values. Nothing is guessed or ignored, because a setting without effect costs a student an evening.
//!
//! Why its own crate: `serde_yaml` is archived by its author. Only the file `yaml.rs` names it, and can be replaced.
//!
//! ```
//! use wb_config::TaskSettings;
//! let wrong = "student: Ivan Ivanov\nvariant: one\n";
//! let refused = TaskSettings::parse("task.yaml".as_ref(), wrong).unwrap_err();
//! assert!(refused.to_string().starts_with("task.yaml:2:10: variant: invalid type: string \"one\""));
//! ```
#![forbid(unsafe_code)]

mod assignment_crate;
mod cluster;
mod course;
mod course_check;
mod csv_file;
mod decisions;
mod duplicate_keys;
mod enrolment;
mod error;
mod given_variants;
mod host_file;
mod job_placement;
mod limits;
mod locate;
mod machine;
mod performance;
mod rank_map;
mod roster;
mod source;
mod task;
mod title;
mod value;
mod variables;
mod yaml;

pub use assignment_crate::{AssignmentCrate, AssignmentFiles};
pub use cluster::ClusterSettings;
pub use course::{
    AssignmentPoints, AssignmentRule, AssignmentSettings, CommunicationPoints, CourseDate, CourseLimits,
    CourseSettings, EfficiencyBandSettings, ExtensionSettings, MarkSettings, Penalties, StreamSettings,
    VARIANTS_MAX, VariantSettings,
};
pub use course_check::{CourseCheck, CourseCounts, CourseFiles, FileText};
pub use decisions::{
    ConfirmedSimilarities, ConfirmedSimilarity, OverrideSettings, Overrides, SimilarPart, SimilarityLogin,
};
pub use enrolment::Enrolment;
pub use error::{ConfigDiagnostic, ConfigError, FILE_BYTES_MAX, Result};
pub use given_variants::{GivenVariant, GivenVariants};
pub use host_file::{HostFile, HostSettings};
pub use jiff::{civil::Date, tz::TimeZone};
pub use job_placement::{HOSTS, JobHosts, JobPlacement, MAP};
pub use limits::{DEBUG_RANK, PERFORMANCE_LIMIT, TASK_LIMIT, TimeLimits, debugged_rank};
pub use machine::{
    CalibrationSettings, CoreSettings, CostSegmentSettings, LinkClasses, LinkSettings, MachineSettings,
    NODE_CORES_MAX, NicSettings, NoiseSettings, StorageSettings, machine_name,
};
pub use performance::{PerformanceSettings, TaskKind, WorkloadSettings};
pub use rank_map::RankMap;
pub use roster::{Roster, RosterStudent};
pub use task::{TaskSettings, VersionStatus, Versions};
pub use title::TitleSettings;
pub use variables::refuse_unknown_variables;

// The tests of the interface use the crate by its name, as others do.
#[cfg(test)]
extern crate self as wb_config;
#[cfg(test)]
#[path = "../tests/mod.rs"]
mod interface;
