//! The error of a text that is not a list of records.

use crate::{SCHEMA_VERSION, fields::AllowedValues};

/// The longest reason, in characters: it may hold a part of the line.
const REASON_CHARS_MAX: usize = 500;

/// The reason why a text is not a list of records.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The line was written by a newer program.
    #[error(
        "line {line}: the record has schema {found}, and this program reads up to {SCHEMA_VERSION}; update the workbench"
    )]
    NewerSchema {
        /// The line, from 1.
        line: usize,
        /// The schema of that line.
        found: u32,
    },
    /// The line is not a record of any schema that this program knows.
    #[error("line {line}, column {column}: not a record: {reason}")]
    NotARecord {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The problem.
        reason: String,
    },
    /// A number that no measurement can have.
    #[error("line {line}: {field} is {value}, expected {allowed}")]
    Field {
        /// The line, from 1.
        line: usize,
        /// The path of the field, for example `measurement.series.ranks`.
        field: String,
        /// The value of the field.
        value: String,
        /// The allowed values.
        allowed: AllowedValues,
    },
    /// The measurement of an earlier line once more: a sample that counts twice makes an interval too narrow.
    #[error("line {line}: the same {what} as line {first}, expected each once; remove one of the two")]
    Duplicate {
        /// The line, from 1.
        line: usize,
        /// The earlier line.
        first: usize,
        /// The kind of both lines.
        what: &'static str,
    },
}

impl ReadError {
    /// The line the error is on, from 1.
    pub fn line(&self) -> usize {
        match self {
            Self::NewerSchema { line, .. }
            | Self::NotARecord { line, .. }
            | Self::Field { line, .. }
            | Self::Duplicate { line, .. } => *line,
        }
    }

    /// The same error on another line: [`Record::parse_line`](crate::Record::parse_line) always reports line 1.
    pub fn on_line(mut self, number: usize) -> Self {
        match &mut self {
            Self::NewerSchema { line, .. }
            | Self::NotARecord { line, .. }
            | Self::Field { line, .. }
            | Self::Duplicate { line, .. } => *line = number,
        }
        self
    }

    pub(crate) fn not_a_record(error: &serde_json::Error) -> Self {
        let text = error.to_string();
        // serde_json appends its own "at line 1 column n"; the caller reports the line.
        let reason = text.rsplit_once(" at line ").map_or(&*text, |(reason, _)| reason);
        let reason = wb_text::escape::line(reason).chars().take(REASON_CHARS_MAX).collect();
        Self::NotARecord { line: 1, column: error.column().max(1), reason }
    }
}
