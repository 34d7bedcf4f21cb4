//! What is set: `task.yaml` of every task, `course.yaml` of the course and the files of machines, in strict types.
//!
//! The invariant: *a value that this crate hands out has been checked, and a file that it refuses is refused with its
//! line.* An unknown key, a wrong type, a repeated key, a value out of its range: each is a [`ConfigError`] with the
//! file, the line, the text of that line and what is allowed there. Nothing is guessed and nothing is ignored, because a
//! setting that silently does nothing costs a student an evening.
//!
//! Why its own crate: `serde_yaml` is archived by its author. One file here names it, `yaml.rs`, and can be exchanged.
//!
//! ```
//! use wb_config::TaskSettings;
//! let wrong = "student: Ivan Ivanov\nvariant: one\n";
//! let refused = TaskSettings::parse("task.yaml".as_ref(), wrong).unwrap_err();
//! assert!(refused.to_string().starts_with("task.yaml:2:10: variant: invalid type: string \"one\""));
//! ```
#![forbid(unsafe_code)]

mod course;
mod date;
mod duplicate_keys;
mod error;
mod limits;
mod locate;
mod machine;
mod source;
mod task;
mod value;
mod yaml;

pub use course::{CourseLimits, CourseSettings, CourseTask, EfficiencyBandSettings, Penalties, Points};
pub use date::Date;
pub use error::{ConfigDiagnostic, ConfigError, Result};
pub use limits::{IGNORE_LIMITS, PERFORMANCE_LIMIT, TASK_LIMIT, TimeLimits};
pub use machine::{
    CalibrationSettings, CoreSettings, CostSegmentSettings, LinkClasses, LinkSettings, MachineSettings,
    NODE_CORES_MAX, NicSettings, NoiseSettings, machine_name,
};
pub use source::FILE_BYTES_MAX;
pub use task::{
    PerformanceSettings, TaskKind, TaskSettings, TitleSettings, VARIANTS, VersionStatus, Versions,
    WorkloadSettings,
};
