//! The rules that a scoreboard keeps before a page is made of it.

use std::collections::BTreeSet;

use jiff::tz::TimeZone;
use serde::{Deserialize, de::DeserializeOwned};
use wb_course::{
    CourseGrades, GRADES_SCHEMA, SCOREBOARD_SCHEMA, Scoreboard, ScoreboardStudent, TaskGrade, Visibility,
};

use crate::scoreboard::error::ScoreboardError;

/// The field that decides whether the others can be read.
#[derive(Deserialize)]
struct SchemaOnly {
    schema: u32,
}

pub(crate) fn read(text: &str) -> Result<Scoreboard, ScoreboardError> {
    if read_grades(text).is_ok() {
        return Err(ScoreboardError::Grades);
    }
    let board = of_schema(text, SCOREBOARD_SCHEMA)?;
    check(&board)?;
    Ok(board)
}

pub(crate) fn read_grades(text: &str) -> Result<CourseGrades, ScoreboardError> {
    of_schema(text, GRADES_SCHEMA)
}

/// Only who may see the scoreboard; the rest may be of any schema.
pub(crate) fn read_visibility(text: &str) -> Result<Visibility, ScoreboardError> {
    #[derive(Deserialize)]
    struct VisibilityOnly {
        visibility: Visibility,
    }
    from_json(text).map(|VisibilityOnly { visibility }| visibility)
}

/// A file of a schema that this program knows. A newer file may have fields that are unknown here: the reason is its schema, not the
/// first of these fields.
fn of_schema<T: DeserializeOwned>(text: &str, known: u32) -> Result<T, ScoreboardError> {
    let SchemaOnly { schema } = from_json(text)?;
    match schema {
        found if found > known => Err(ScoreboardError::NewerSchema { found, known }),
        found if found < known => Err(ScoreboardError::OlderSchema { found, known }),
        _ => from_json(text),
    }
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
        problem: wb_text::escape::line(problem).into_owned(),
    }
}

/// The time zone of a scoreboard that keeps the rules.
pub(crate) fn check(board: &Scoreboard) -> Result<TimeZone, ScoreboardError> {
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
    let any = |is: fn(&TaskGrade) -> bool| student.tasks.iter().any(is);
    let fields = [
        ("name", student.name.is_some()),
        ("stream", student.stream.is_some()),
        ("group", student.group.is_some()),
        ("history", !student.history.is_empty()),
        ("login", student.tasks.iter().any(|task| task.login != student.id)),
        ("variant", any(|task| task.variant > 0)),
        ("task", any(|task| task.task.is_some())),
        ("commit", any(|task| task.commit.is_some())),
        ("instructor_owned", any(|task| task.instructor_owned.is_some())),
        ("overrides", any(|task| !task.overrides.is_empty())),
        // What is left are texts and measured numbers.
        ("letters", !student.is_public()),
    ];
    fields.into_iter().find(|(_, is_there)| *is_there).map(|(field, _)| field)
}
