//! The texts of the files of a course.

use std::path::{Path, PathBuf};

use crate::{
    AssignmentCrate, CourseSettings,
    course::tasks_file,
    decisions::{OVERRIDES_FILE, SIMILARITY_FILE},
    error::{ConfigError, Result},
    given_variants::VARIANTS_FILE,
    roster::ROSTER_FILE,
    source,
};

/// The texts of the files of a course; `None` for a file that is missing or cannot be read.
#[derive(Debug, Default)]
pub struct CourseFiles {
    /// `tasks/course.yaml`.
    pub course: Option<FileText>,
    /// `tasks/roster.csv`.
    pub roster: Option<FileText>,
    /// `tasks/variants.csv`.
    pub variants: Option<FileText>,
    /// `tasks/overrides.yaml`.
    pub overrides: Option<FileText>,
    /// `tasks/similarity.yaml`.
    pub similarity: Option<FileText>,
    /// `assignment.yaml` of every assignment's crate.
    pub assignments: Vec<FileText>,
    /// The errors of the files that cannot be read.
    pub unreadable: Vec<ConfigError>,
}

/// The path and the text of a file.
#[derive(Debug)]
pub struct FileText {
    /// Its path, as shown.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
}

impl CourseFiles {
    /// Reads the files of the course around `start`. The course and the roster must be there.
    ///
    /// # Errors
    /// When there is no `tasks/course.yaml`.
    pub fn find(start: &Path) -> Result<Self> {
        let course =
            CourseSettings::file(start).ok_or_else(|| ConfigError::NoCourse { start: start.into() })?;
        let roster = course.with_file_name(ROSTER_FILE);
        let mut unreadable = Vec::new();
        let mut read = |path: PathBuf| match source::load(&path) {
            Ok(text) => Some(FileText { path, text }),
            Err(error) => {
                unreadable.push(error);
                None
            }
        };
        let (course, roster) = (read(course), read(roster));
        let mut find = |name| tasks_file(start, name).and_then(&mut read);
        let (variants, overrides, similarity) =
            (find(VARIANTS_FILE), find(OVERRIDES_FILE), find(SIMILARITY_FILE));
        let assignments = AssignmentCrate::files(start).into_iter().filter_map(&mut read).collect();
        Ok(Self { course, roster, variants, overrides, similarity, assignments, unreadable })
    }
}
