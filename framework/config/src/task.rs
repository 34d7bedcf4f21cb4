//! `task.yaml`: the student, the variant, the versions that count, and the measured workloads.

use std::path::Path;

use serde::Deserialize;
use wb_text::{Text, settings};

use crate::{
    CourseSettings, TitleSettings,
    error::{ConfigError, Result},
    source, value, yaml,
};

/// The settings of one task.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskSettings {
    /// The student's name, in the student's own spelling.
    #[serde(deserialize_with = "value::text")]
    pub student: String,
    /// The student's login in the roster; without it, name and group find the student there.
    #[serde(default, deserialize_with = "value::optional_login")]
    pub login: Option<String>,
    /// The student's group.
    #[serde(deserialize_with = "value::text")]
    pub group: String,
    /// The assignment: 1, 2 or 3.
    #[serde(deserialize_with = "value::whole::<_, _, 1, 3>")]
    pub task_number: u8,
    /// The variant, from 1; the course has their number ([`Enrolment::check_task`]).
    #[serde(deserialize_with = "value::whole::<_, _, 1, 99>")]
    pub variant: u8,
    /// The task's title in reports.
    #[serde(default)]
    pub title: TitleSettings,
    /// The criterion of performance.
    pub kind: TaskKind,
    /// Which versions are tested, measured and graded.
    pub status: Versions,
    /// The measured workloads.
    pub performance: PerformanceSettings,
}

/// The criterion of a task's performance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TaskKind {
    /// By speed-up and efficiency over the sequential version.
    Computation,
    /// By latency and bandwidth beside the library's own call: there is no meaningful speed-up over a copy in memory.
    Communication,
}

/// The state of both versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Versions {
    /// The sequential version.
    pub seq: VersionStatus,
    /// The version for MPI.
    pub mpi: VersionStatus,
}

/// Whether a version counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VersionStatus {
    /// It is tested and measured.
    Enabled,
    /// It is skipped, and shown as skipped.
    Disabled,
}

/// The measured workloads.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerformanceSettings {
    /// The inputs, at least one, each once.
    pub workloads: Vec<WorkloadSettings>,
    /// The numbers of ranks, increasing.
    #[serde(deserialize_with = "value::ranks")]
    pub ranks: Vec<usize>,
}

/// One input to measure.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkloadSettings {
    /// Its name, which the task's `Problem::workload` understands.
    #[serde(deserialize_with = "value::text")]
    pub name: String,
    /// Its size in the problem's own unit.
    #[serde(deserialize_with = "value::whole::<_, _, 1, 1_000_000_000_000>")]
    pub size: usize,
}

impl TaskSettings {
    /// Reads `task.yaml` of the task in `folder`.
    ///
    /// # Errors
    /// When the file is missing, or a value in it is invalid, or a `course.yaml` other than the course's is in or above
    /// the folder.
    pub fn load(folder: &Path) -> Result<Self> {
        if let Some(file) = CourseSettings::ignored_files(folder).into_iter().next() {
            return Err(ConfigError::CourseElsewhere { file });
        }
        let file = folder.join("task.yaml");
        Self::parse(&file, &source::load(&file)?)
    }

    /// Reads `text`, the content of `file`.
    ///
    /// # Errors
    /// When a value in it is invalid.
    pub fn parse(file: &Path, text: &str) -> Result<Self> {
        let task: Self = yaml::read(file, text)?;
        match task.find_contradiction() {
            None => Ok(task),
            Some((path, problem)) => {
                let path: Vec<&str> = path.iter().map(String::as_str).collect();
                Err(yaml::diagnostic_at(file, text, &path, problem).into())
            }
        }
    }

    /// The first value that contradicts another one, by its path.
    fn find_contradiction(&self) -> Option<(Vec<String>, Text)> {
        self.invalid_workloads().or_else(|| self.invalid_ranks())
    }

    fn invalid_workloads(&self) -> Option<(Vec<String>, Text)> {
        let workloads = &self.performance.workloads;
        let path = |rest: &[String]| [vec!["performance".into(), "workloads".into()], rest.to_vec()].concat();
        if workloads.is_empty() {
            return Some((path(&[]), settings::no_workloads()));
        }
        let again = (1..workloads.len()).find(|&at| workloads[..at].contains(&workloads[at]))?;
        Some((path(&[again.to_string()]), settings::workload_again()))
    }

    fn invalid_ranks(&self) -> Option<(Vec<String>, Text)> {
        let ranks = &self.performance.ranks;
        let path = |rest: &[String]| [vec!["performance".into(), "ranks".into()], rest.to_vec()].concat();
        if ranks.is_empty() {
            return Some((path(&[]), settings::no_ranks()));
        }
        let at = (1..ranks.len()).find(|&at| ranks[at] <= ranks[at - 1])?;
        Some((path(&[at.to_string()]), settings::ranks_fall(ranks[at], ranks[at - 1])))
    }
}
