//! The pages of a scoreboard, and the table for a gradebook: a [`Scoreboard`] in, files out.
//!
//! The pages are static and in both languages: a table of all students, a page for each student, and a page of the class. Each
//! is one file with its style and script inside. Its Content-Security-Policy names the hashes of these two and forbids every
//! request, so that a page shows the same from a disk, from a web server and years later.
//!
//! A name, a reason or a title may contain anything: `maud` escapes markup, and [`wb_text::escape`] makes characters visible that
//! would change the direction of a line.
//!
//! ```
//! let board = wb_report::scoreboard::read(
//!     r#"{"schema":2,"title":{"en":"Course","ru":"Курс"},"at":"2027-05-20T00:00:00Z","time_zone":"Europe/Moscow",
//!         "visibility":"public","synthetic":true,"assignments":[],"students":[]}"#,
//! )?;
//! let files = wb_report::scoreboard::files(&board)?;
//! let table = files.iter().find(|file| file.path == "index.html").expect("the table of all students");
//! assert!(table.text.contains("Synthetic data"));
//! # Ok::<(), wb_report::scoreboard::ScoreboardError>(())
//! ```
//!
//! [`Scoreboard`]: wb_course::Scoreboard

mod check;
mod class_page;
mod class_statistics;
mod class_table;
mod context;
mod error;
mod file;
mod gradebook;
mod histogram;
mod history;
mod history_chart;
mod letter_cell;
mod links;
mod page;
mod reason_data;
mod student_page;

use std::collections::BTreeMap;

use context::PageContext;
pub use error::ScoreboardError;
pub use file::ScoreboardFile;
pub use history::add_measurement;
use wb_course::{CourseGrades, HistoryPoint, Scoreboard, Visibility};
use wb_messages::Lang;

/// Reads a `scoreboard.json`.
///
/// # Errors
/// The text is not a scoreboard, is one of a newer schema, or breaks one of the rules of [`ScoreboardError`].
pub fn read(text: &str) -> Result<Scoreboard, ScoreboardError> {
    check::read(text)
}

/// The people who may see the scoreboard of a `scoreboard.json` of any schema.
///
/// # Errors
/// The text is not a scoreboard.
pub fn read_visibility(text: &str) -> Result<Visibility, ScoreboardError> {
    check::read_visibility(text)
}

/// Reads a `grades.json`: one grade for each student and assignment, and their moment.
///
/// # Errors
/// The text is not a file of grades, or is one of another schema.
pub fn read_grades(text: &str) -> Result<CourseGrades, ScoreboardError> {
    check::read_grades(text)
}

/// The text of a `scoreboard.json`.
///
/// # Errors
/// The scoreboard breaks one of the rules of [`ScoreboardError`].
pub fn json(board: &Scoreboard) -> Result<String, ScoreboardError> {
    check::check(board)?;
    let text = serde_json::to_string_pretty(board).expect("keys are strings, so the value always serialises");
    Ok(text + "\n")
}

/// Reads a `history.json`: measurements by login, oldest first.
///
/// # Errors
/// The text is not such a table.
pub fn read_history(text: &str) -> Result<BTreeMap<String, Vec<HistoryPoint>>, ScoreboardError> {
    check::from_json(text)
}

/// All files of the scoreboard: `scoreboard.json`, `grades.csv`, and the pages.
///
/// # Errors
/// The scoreboard breaks one of the rules of [`ScoreboardError`].
pub fn files(board: &Scoreboard) -> Result<Vec<ScoreboardFile>, ScoreboardError> {
    let zone = check::check(board)?;
    let mut files = vec![
        ScoreboardFile { path: "scoreboard.json".to_owned(), text: json(board)? },
        ScoreboardFile { path: "grades.csv".to_owned(), text: gradebook::table(board) },
    ];
    for lang in Lang::ALL {
        let context = PageContext::new(board, lang, zone.clone());
        files.push(class_table::page(&context));
        files.push(class_page::page(&context));
        files.extend((0..board.students.len()).map(|index| student_page::page(&context, index)));
    }
    Ok(files)
}

#[cfg(test)]
#[path = "../tests/scoreboard/mod.rs"]
mod interface;
