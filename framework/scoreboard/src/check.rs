//! The rules that a scoreboard keeps before a page is made of it.

use std::collections::BTreeSet;

use jiff::tz::TimeZone;
use serde::{Deserialize, de::DeserializeOwned};
use wb_course::{SCOREBOARD_SCHEMA, Scoreboard, ScoreboardStudent, Visibility};

use crate::error::ScoreboardError;

/// The field that decides whether the others can be read.
#[derive(Deserialize)]
struct SchemaOnly {
    schema: u32,
}

pub(crate) fn read(text: &str) -> Result<Scoreboard, ScoreboardError> {
    // A newer file may have fields that are unknown here: the reason is its schema, not the first of these fields.
    let SchemaOnly { schema } = from_json(text)?;
    if schema > SCOREBOARD_SCHEMA {
        return Err(ScoreboardError::NewerSchema { found: schema });
    }
    let board = from_json(text)?;
    check(&board)?;
    Ok(board)
}

/// A value in JSON.
pub(crate) fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, ScoreboardError> {
    serde_json::from_str(text).map_err(|error| json_error(&error))
}

fn json_error(error: &serde_json::Error) -> ScoreboardError {
    let text = error.to_string();
    let problem = text.rsplit_once(" at line ").map_or(text.as_str(), |(problem, _)| problem);
    ScoreboardError::Json {
        line: error.line(),
        column: error.column(),
        problem: wb_escape::line(problem).into_owned(),
    }
}

/// The time zone of a scoreboard that keeps the rules.
pub(crate) fn check(board: &Scoreboard) -> Result<TimeZone, ScoreboardError> {
    if board.schema > SCOREBOARD_SCHEMA {
        return Err(ScoreboardError::NewerSchema { found: board.schema });
    }
    let numbers: Vec<u8> = board.assignments.iter().map(|assignment| assignment.number).collect();
    let mut ids = BTreeSet::new();
    for student in &board.students {
        if !ids.insert(student.id.to_lowercase()) {
            return Err(ScoreboardError::SameId(student.id.clone()));
        }
        if !student.tasks.iter().map(|task| task.assignment).eq(numbers.iter().copied()) {
            return Err(ScoreboardError::OtherAssignments(student.id.clone()));
        }
        if let Some(field) = identifying_field(student).filter(|_| board.visibility == Visibility::Public) {
            return Err(ScoreboardError::NameOnPublic { id: student.id.clone(), field });
        }
    }
    TimeZone::get(&board.time_zone).map_err(|_| ScoreboardError::UnknownTimeZone(board.time_zone.clone()))
}

/// The first field from which a reader would learn who a student is.
fn identifying_field(student: &ScoreboardStudent) -> Option<&'static str> {
    if student.name.is_some() {
        return Some("name");
    }
    let tasks = &student.tasks;
    if tasks.iter().any(|task| task.login != student.id) {
        return Some("login");
    }
    tasks.iter().any(|task| task.task.is_some()).then_some("task")
}
