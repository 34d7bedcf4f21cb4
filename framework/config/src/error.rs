//! Errors of settings, with their place.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use wb_text::{Text, error, settings};

/// The longest part of a file in the description of a problem, in characters.
const VALUE_CHARS_MAX: usize = 1000;

/// The largest file of settings, in bytes.
pub const FILE_BYTES_MAX: u64 = 1 << 20;

/// The result of reading settings.
pub type Result<T> = std::result::Result<T, ConfigError>;

/// The reason why settings cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum ConfigError {
    /// A file that is missing or cannot be read.
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A folder, a pipe or a device in the place of a file.
    NotAFile {
        /// The path.
        file: PathBuf,
    },
    /// A file that is larger than settings can be.
    TooLarge {
        /// The file.
        file: PathBuf,
    },
    /// An invalid value at a place of a file.
    Diagnostic(Box<ConfigDiagnostic>),
    /// No `tasks/course.yaml` in the workspace around a folder.
    NoCourse {
        /// The folder in which the search began.
        start: PathBuf,
    },
    /// A `course.yaml` beside a task's settings, which would set the rules of the task's grading.
    CourseElsewhere {
        /// The file.
        file: PathBuf,
    },
    /// Two crates of the instructor's are for the same variant.
    TwoAssignments {
        /// The first folder.
        first: PathBuf,
        /// The second folder.
        second: PathBuf,
    },
    /// An environment variable with an invalid value.
    Environment {
        /// The name of the variable.
        name: &'static str,
        /// The value of the variable.
        value: String,
        /// The allowed values.
        allowed: Text,
    },
    /// An environment variable of the workbench that does not exist.
    UnknownVariable {
        /// The name of the variable.
        name: String,
        /// The names of those that exist.
        known: String,
    },
}

impl ConfigError {
    /// The description of the error.
    pub fn text(&self) -> Text {
        match self {
            Self::Unreadable { file, source } => settings::unreadable(shown(file), reason(source)),
            Self::NotAFile { file } => settings::not_a_file(shown(file)),
            Self::TooLarge { file } => settings::too_large(shown(file), FILE_BYTES_MAX),
            Self::Diagnostic(diagnostic) => diagnostic.text(),
            Self::NoCourse { start } => settings::no_course(shown(start)),
            Self::CourseElsewhere { file } => settings::course_ignored(shown(file)),
            Self::TwoAssignments { first, second } => settings::two_assignments(shown(first), shown(second)),
            Self::Environment { name, value, allowed } => settings::environment(*name, value, allowed),
            Self::UnknownVariable { name, known } => settings::unknown_variable(name, known),
        }
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The reason of the system; reasons without an entry are in the system's words.
fn reason(source: &io::Error) -> Text {
    match source.kind() {
        io::ErrorKind::NotFound => settings::missing(),
        io::ErrorKind::PermissionDenied => settings::not_permitted(),
        _ => Text::verbatim(source.to_string()),
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

impl std::error::Error for ConfigError {}

impl From<Box<ConfigDiagnostic>> for ConfigError {
    fn from(diagnostic: Box<ConfigDiagnostic>) -> Self {
        Self::Diagnostic(diagnostic)
    }
}

/// One error in a file of settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigDiagnostic {
    /// The file, as the caller named it.
    pub file: PathBuf,
    /// Its line, counted from 1.
    pub line: usize,
    /// The column in that line, in characters, counted from 1.
    pub column: usize,
    /// The whole text of the file, to show the lines around the place.
    pub text: String,
    /// The key, the problem, and the allowed values.
    pub problem: Text,
}

impl ConfigDiagnostic {
    pub(crate) fn new(file: &Path, text: &str, (line, column): (usize, usize), problem: Text) -> Self {
        Self { file: file.into(), line, column, text: text.into(), problem }
    }

    /// The place and the problem, with the line.
    pub fn text(&self) -> Text {
        let place = settings::place(shown(&self.file), self.line, self.column, &self.problem);
        error::lines(place, self.excerpt())
    }

    /// The line, with a caret under the place.
    pub fn excerpt(&self) -> String {
        let line = self.text.lines().nth(self.line.saturating_sub(1)).unwrap_or("");
        wb_text::escape::excerpt(self.line, line, self.column)
    }
}

impl fmt::Display for ConfigDiagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

/// A user's value in displayable form: visible and not too long.
pub(crate) fn shown_value(value: &str) -> String {
    truncate(&wb_text::escape::line(value), VALUE_CHARS_MAX)
}

/// The text, or its beginning.
fn truncate(text: &str, chars_max: usize) -> String {
    match text.char_indices().nth(chars_max) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

impl std::error::Error for ConfigDiagnostic {}
