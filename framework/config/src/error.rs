//! What is wrong with a setting, and where.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

/// The longest part of a line that is shown, in characters.
const EXCERPT_CHARS_MAX: usize = 160;

/// The longest description of a problem, in characters: it may hold a value of the file.
const PROBLEM_CHARS_MAX: usize = 1000;

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
    /// A folder, a pipe or a device in the place of a file.
    #[error("{} is not a regular file", file.display())]
    NotAFile {
        /// The path.
        file: PathBuf,
    },
    /// A file that is larger than settings can be.
    #[error("{} has more than {} bytes", file.display(), crate::FILE_BYTES_MAX)]
    TooLarge {
        /// The file.
        file: PathBuf,
    },
    /// A place in a file that is not as it must be.
    #[error(transparent)]
    Diagnostic(#[from] Box<ConfigDiagnostic>),
    /// No `tasks/course.yaml` in the workspace around a folder.
    #[error("no tasks/course.yaml in the workspace around {}", start.display())]
    NoCourse {
        /// Where the search began.
        start: PathBuf,
    },
    /// A `course.yaml` beside a task's settings, which would set the rules that the task is judged by.
    #[error("{} sets nothing: the rules of the course are in tasks/course.yaml of the workspace; remove this file", file.display())]
    CourseElsewhere {
        /// The file.
        file: PathBuf,
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
pub struct ConfigDiagnostic {
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

impl ConfigDiagnostic {
    pub(crate) fn new(file: &Path, text: &str, (line, column): (usize, usize), problem: String) -> Self {
        let problem = truncate(&wb_escape::line(&problem), PROBLEM_CHARS_MAX);
        Self { file: file.into(), line, column, text: text.into(), problem }
    }

    /// The text of the offending line.
    pub fn source_line(&self) -> &str {
        self.text.lines().nth(self.line.saturating_sub(1)).unwrap_or("")
    }

    /// The offending line as it can be shown, and the column of the place in it: without hidden characters, and of a long
    /// line only what is around the place.
    pub fn excerpt(&self) -> (String, usize) {
        let line: Vec<char> = self.source_line().chars().collect();
        let at = self.column.saturating_sub(1).min(line.len());
        let from = if line.len() <= EXCERPT_CHARS_MAX { 0 } else { at.saturating_sub(EXCERPT_CHARS_MAX / 2) };
        let until = line.len().min(from + EXCERPT_CHARS_MAX);
        let visible = |part: &[char]| wb_escape::line(&part.iter().collect::<String>()).into_owned();
        let mark = |cut: bool| if cut { "…" } else { "" };
        let before = format!("{}{}", mark(from > 0), visible(&line[from..at]));
        let shown = format!("{before}{}{}", visible(&line[at..until]), mark(until < line.len()));
        (shown, before.chars().count() + 1)
    }

    /// Whether the surroundings can be shown as they are: no line is long, and no character is hidden.
    pub fn is_plain(&self) -> bool {
        let first = self.line.saturating_sub(3);
        let near = self.text.lines().skip(first).take(6);
        near.into_iter().all(|line| {
            line.len() <= 4 * EXCERPT_CHARS_MAX
                && line.chars().count() <= EXCERPT_CHARS_MAX
                && matches!(wb_escape::terminal(line), std::borrow::Cow::Borrowed(_))
        })
    }

    /// Where the offending place begins in [`ConfigDiagnostic::text`], in bytes.
    pub fn offset(&self) -> usize {
        let before: usize =
            self.text.split_inclusive('\n').take(self.line.saturating_sub(1)).map(str::len).sum();
        let within = self.source_line().char_indices().nth(self.column.saturating_sub(1));
        before + within.map_or(self.source_line().len(), |(at, _)| at)
    }
}

impl fmt::Display for ConfigDiagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, problem, .. } = self;
        writeln!(f, "{}:{line}:{column}: {problem}", file.display())?;
        let (margin, (shown, caret)) = (line.to_string(), self.excerpt());
        writeln!(f, " {margin} | {shown}")?;
        write!(f, " {:margin$} | {:>caret$}", "", "^", margin = margin.len())
    }
}

/// The text, or its beginning.
fn truncate(text: &str, chars_max: usize) -> String {
    match text.char_indices().nth(chars_max) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

impl std::error::Error for ConfigDiagnostic {}
