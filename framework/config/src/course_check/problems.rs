//! The problems that the checks have found so far, each with its place.

use wb_text::Text;

use super::file_texts::{CourseFiles, FileText};
use crate::{csv_file::FieldPlace, error::ConfigError, yaml};

/// The problems found so far.
pub(super) struct Problems<'a> {
    pub(super) files: &'a CourseFiles,
    pub(super) list: Vec<ConfigError>,
}

/// A path of keys and indices.
pub(super) type KeyPath<'a> = &'a [&'a str];

impl Problems<'_> {
    /// Adds a problem of the value at `path` of the course.
    pub(super) fn course(&mut self, path: KeyPath<'_>, problem: Text) {
        self.yaml(self.files.course.as_ref(), path, problem);
    }

    /// Adds a problem of the value at `path` of the overrides.
    pub(super) fn overrides(&mut self, path: KeyPath<'_>, problem: Text) {
        self.yaml(self.files.overrides.as_ref(), path, problem);
    }

    /// Adds a problem of the value at `path` of the confirmed similarities.
    pub(super) fn similarity(&mut self, path: KeyPath<'_>, problem: Text) {
        self.yaml(self.files.similarity.as_ref(), path, problem);
    }

    fn yaml(&mut self, file: Option<&FileText>, path: KeyPath<'_>, problem: Text) {
        let Some(FileText { path: file, text }) = file else { return };
        self.list.push(yaml::diagnostic_at(file, text, path, problem).into());
    }

    /// Adds a problem of a field of the roster.
    pub(super) fn roster(&mut self, line: usize, (column, name): (usize, &'static str), problem: Text) {
        self.field(self.files.roster.as_ref(), FieldPlace { line, column, name }, problem);
    }

    /// Adds a problem of a field of the given variants.
    pub(super) fn variants(&mut self, line: usize, (column, name): (usize, &'static str), problem: Text) {
        self.field(self.files.variants.as_ref(), FieldPlace { line, column, name }, problem);
    }

    fn field(&mut self, file: Option<&FileText>, place: FieldPlace, problem: Text) {
        let Some(FileText { path: file, text }) = file else { return };
        self.list.push(Box::new(place.error(file, text, problem)).into());
    }
}
