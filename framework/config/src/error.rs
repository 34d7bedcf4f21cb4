//! What is wrong with a setting, and where.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

/// The result of reading settings.
pub type Result<T> = std::result::Result<T, ConfigError>;

/// Why settings could not be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A file that is missing or cannot be read.
    #[error("cannot read {}: {source}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A place in a file that is not as it must be.
    #[error(transparent)]
    Misprint(#[from] Box<Misprint>),
    /// No `course.yaml` in or above a folder.
    #[error("no course.yaml in {} or any folder above it (looked for course.yaml and tasks/course.yaml)", start.display())]
    NoCourse {
        /// Where the search began.
        start: PathBuf,
    },
    /// An environment variable with a value that it cannot have.
    #[error("the environment variable {name} is `{value}`, but it must be {allowed}")]
    Environment {
        /// Its name.
        name: &'static str,
        /// What it was set to.
        value: String,
        /// What is allowed.
        allowed: &'static str,
    },
}

/// One wrong place in a file of settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misprint {
    /// The file, as it was named by who asked for it.
    pub file: PathBuf,
    /// Its line, counted from 1.
    pub line: usize,
    /// The column in that line, in characters, counted from 1.
    pub column: usize,
    /// The whole text of the file, for whoever shows the surroundings.
    pub text: String,
    /// The key, what is wrong with it, and what is allowed.
    pub problem: String,
}

impl Misprint {
    pub(crate) fn new(file: &Path, text: &str, (line, column): (usize, usize), problem: String) -> Self {
        Self { file: file.into(), line, column, text: text.into(), problem }
    }

    /// The text of the offending line.
    pub fn source_line(&self) -> &str {
        self.text.lines().nth(self.line.saturating_sub(1)).unwrap_or("")
    }

    /// Where the offending place begins in [`Misprint::text`], in bytes.
    pub fn offset(&self) -> usize {
        let before: usize =
            self.text.split_inclusive('\n').take(self.line.saturating_sub(1)).map(str::len).sum();
        let within = self.source_line().char_indices().nth(self.column.saturating_sub(1));
        before + within.map_or(self.source_line().len(), |(at, _)| at)
    }
}

impl fmt::Display for Misprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, problem, .. } = self;
        writeln!(f, "{}:{line}:{column}: {problem}", file.display())?;
        let margin = line.to_string();
        writeln!(f, " {margin} | {}", self.source_line())?;
        write!(f, " {:margin$} | {:>caret$}", "", "^", margin = margin.len(), caret = column)
    }
}

impl std::error::Error for Misprint {}
