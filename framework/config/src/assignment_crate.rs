//! `assignment.yaml`: what is measured of the tasks of an assignment that has a crate of the instructor's, and which files they may read.
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
    error::{ConfigError, Result, shown_value},
    performance::{self, Contradiction},
    source, yaml,
};

/// The name of the file.
const FILE: &str = "assignment.yaml";

/// The folder in the crate with the files that its tasks may read.
const INPUT_FOLDER: &str = "files";

/// The longest name of such a file.
const INPUT_NAME_MAX: usize = 64;

/// The settings of an assignment's crate.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssignmentCrate {
    /// The criterion of performance of its tasks.
    pub kind: TaskKind,
    /// The measured workloads of its tasks.
    pub performance: PerformanceSettings,
    /// The names of the files in the crate's folder `files` that its tasks may read.
    #[serde(default)]
    pub files: Vec<String>,
}

/// The files that the task of an assignment may read, of which there may be none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AssignmentFiles {
    /// The folder of the files.
    pub folder: PathBuf,
    /// The names of the files in it.
    pub names: Vec<String>,
}

impl AssignmentCrate {
    /// The folder of the assignment's crate in the workspace around `start`, if there is one.
    ///
    /// # Errors
    /// When there are two.
    pub fn folder(start: &Path, number: u8, variant: u8) -> Result<Option<PathBuf>> {
        let mut found = crates(start, &format!("assignment_{number}_{variant}_"));
        match &found[..] {
            [first, second, ..] => {
                Err(ConfigError::TwoAssignments { first: first.clone(), second: second.clone() })
            }
            _ => Ok(found.pop()),
        }
    }

    /// The settings files of all assignments' crates in the workspace around `start`, by name.
    pub(crate) fn files(start: &Path) -> Vec<PathBuf> {
        crates(start, "assignment_").into_iter().map(|folder| folder.join(FILE)).collect()
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
        let contradiction = performance::find_contradiction(&assignment.performance);
        match contradiction.or_else(|| assignment.invalid_file(file.parent().unwrap_or(Path::new("")))) {
            None => Ok(assignment),
            Some((path, problem)) => Err(yaml::refusal(file, text, &path, problem)),
        }
    }

    /// The files of the crate in `folder`.
    pub fn files_in(&self, folder: &Path) -> AssignmentFiles {
        AssignmentFiles { folder: folder.join(INPUT_FOLDER), names: self.files.clone() }
    }

    /// The first name that is not one, is there twice, or is not that of a file of the crate in `folder`.
    fn invalid_file(&self, folder: &Path) -> Option<Contradiction> {
        let problem = |at: usize, name: &String| {
            if !is_input_name(name) {
                return Some(settings::input_name(shown_value(name), INPUT_NAME_MAX));
            }
            if self.files[..at].contains(name) {
                return Some(settings::input_again());
            }
            // A link may lead out of the folder.
            let is_file =
                folder.join(INPUT_FOLDER).join(name).symlink_metadata().is_ok_and(|found| found.is_file());
            (!is_file).then(|| settings::input_missing(name, INPUT_FOLDER))
        };
        let invalid = |(at, name): (usize, &String)| {
            Some((vec!["files".to_owned(), at.to_string()], problem(at, name)?))
        };
        self.files.iter().enumerate().find_map(invalid)
    }

    /// The error of a task that sets `key`, which the assignment's crate in `folder` sets.
    pub(crate) fn refuse(folder: &Path, key: &str) -> wb_text::Text {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        settings::assignment_sets(key, format!("tasks/{name}/{FILE}"))
    }
}

/// The crates in the folder of tasks of the workspace around `start` whose names begin so, by name.
fn crates(start: &Path, prefix: &str) -> Vec<PathBuf> {
    let tasks = workspace(start).map(|root| root.join("tasks"));
    let entries = tasks.and_then(|tasks| fs::read_dir(tasks).ok()).into_iter().flatten();
    let is_meant = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with(prefix)) && path.join("Cargo.toml").is_file()
    };
    let mut found: Vec<PathBuf> =
        entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).filter(is_meant).collect();
    found.sort();
    found
}

/// Whether this is the name of a file without a path: it cannot lead out of its folder.
fn is_input_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    (1..=INPUT_NAME_MAX).contains(&name.len()) && name.bytes().all(is_plain) && !name.starts_with(['.', '-'])
}
