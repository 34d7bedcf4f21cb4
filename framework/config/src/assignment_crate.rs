//! `assignment.yaml`: what is measured of the tasks of an assignment that has a crate of the instructor's.
//!
//! The crate is the folder `tasks/assignment_<number>_<variant>_<word>` of the workspace. Its settings replace `kind` and
//! `performance` of `task.yaml` of every task with that number and variant, which must not have these keys then.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use wb_text::settings;

use crate::{
    PerformanceSettings, TaskKind,
    course::workspace,
    error::{ConfigError, Result},
    performance, source, yaml,
};

/// The name of the file.
const FILE: &str = "assignment.yaml";

/// The settings of an assignment's crate.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssignmentCrate {
    /// The criterion of performance of its tasks.
    pub kind: TaskKind,
    /// The measured workloads of its tasks.
    pub performance: PerformanceSettings,
}

impl AssignmentCrate {
    /// The folder of the assignment's crate in the workspace around `start`, if there is one.
    ///
    /// # Errors
    /// When there are two.
    pub fn folder(start: &Path, number: u8, variant: u8) -> Result<Option<PathBuf>> {
        let Some(tasks) = workspace(start).map(|root| root.join("tasks")) else { return Ok(None) };
        let Ok(entries) = fs::read_dir(&tasks) else { return Ok(None) };
        let prefix = format!("assignment_{number}_{variant}_");
        let is_of_variant = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.starts_with(&prefix)) && path.join("Cargo.toml").is_file()
        };
        let mut found: Vec<PathBuf> =
            entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).filter(is_of_variant).collect();
        found.sort();
        match &found[..] {
            [first, second, ..] => {
                Err(ConfigError::TwoAssignments { first: first.clone(), second: second.clone() })
            }
            _ => Ok(found.pop()),
        }
    }

    /// Reads the settings of the assignment's crate in `folder`.
    ///
    /// # Errors
    /// When the file is missing, or a value in it is invalid.
    pub fn load(folder: &Path) -> Result<Self> {
        let file = folder.join(FILE);
        Self::parse(&file, &source::load(&file)?)
    }

    /// Reads `text`, the content of `file`.
    ///
    /// # Errors
    /// When a value in it is invalid.
    pub fn parse(file: &Path, text: &str) -> Result<Self> {
        let assignment: Self = yaml::read(file, text)?;
        match performance::find_contradiction(&assignment.performance) {
            None => Ok(assignment),
            Some((path, problem)) => Err(yaml::refusal(file, text, &path, problem)),
        }
    }

    /// The error of a task that sets `key`, which the assignment's crate in `folder` sets.
    pub(crate) fn refuse(folder: &Path, key: &str) -> wb_text::Text {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        settings::assignment_sets(key, format!("tasks/{name}/{FILE}"))
    }
}
