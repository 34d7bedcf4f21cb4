//! What is wrong with a scoreboard.

use std::fmt;

use wb_messages::{Lang, scoreboard as text};

/// The reason why there are no pages.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScoreboardError {
    /// The text is not JSON, or a field is missing, unknown or of another type.
    Json {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The problem, with what is expected.
        problem: String,
    },
    /// A newer program wrote the file.
    NewerSchema {
        /// The schema of the file.
        found: u32,
        /// The newest schema that this program reads.
        known: u32,
    },
    /// An older program wrote the file.
    OlderSchema {
        /// The schema of the file.
        found: u32,
        /// The schema that this program reads.
        known: u32,
    },
    /// The file has grades, and is not a scoreboard.
    Grades,
    /// The time zone is not in the IANA database.
    UnknownTimeZone(String),
    /// A public scoreboard contains something that identifies a student.
    NameOnPublic {
        /// The student's id.
        id: String,
        /// The field.
        field: &'static str,
    },
    /// Two students have one id.
    SameId(String),
    /// A student's grades are not one for each assignment.
    OtherAssignments(String),
}

impl ScoreboardError {
    /// The message.
    pub fn render(&self, lang: Lang) -> String {
        match self {
            Self::Json { line, column, problem } => text::error_not_json(lang, line, column, problem),
            Self::NewerSchema { found, known } => text::error_newer(lang, found, known),
            Self::OlderSchema { found, known } => text::error_older(lang, found, known),
            Self::Grades => text::error_grades(lang),
            Self::UnknownTimeZone(zone) => text::error_time_zone(lang, wb_text::escape::line(zone)),
            Self::NameOnPublic { id, field } => {
                text::error_names_on_public(lang, wb_text::escape::line(id), field)
            }
            Self::SameId(id) => text::error_same_id(lang, wb_text::escape::line(id)),
            Self::OtherAssignments(id) => text::error_assignments(lang, wb_text::escape::line(id)),
        }
    }
}

impl fmt::Display for ScoreboardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Lang::En))
    }
}

impl std::error::Error for ScoreboardError {}
