//! JSON Schemas (2020-12) of the files of a course, made from the types that read and write them.

use schemars::schema_for;
use serde_json::Value;

use crate::{CourseGrades, Scoreboard};

/// The schemas by the names of their files: of `grades.json` and of `scoreboard.json`.
pub fn json_schemas() -> [(&'static str, Value); 2] {
    [
        ("grades.schema.json", schema_for!(CourseGrades).to_value()),
        ("scoreboard.schema.json", schema_for!(Scoreboard).to_value()),
    ]
}
