//! The files of a new task on an instructor's assignment: its problem, graded inputs and workloads are in the assignment's crate.
use wb_messages::Lang;

use super::template::{SETTINGS, Template};
use crate::workspace::AssignmentEntry;

/// A file of the folder `templates/assignment`, which has the same name in `templates/ru/assignment`.
macro_rules! template {
    ($file:literal) => {
        Template {
            english: include_str!(concat!("../../templates/assignment/", $file, ".template")),
            russian: include_str!(concat!("../../templates/ru/assignment/", $file, ".template")),
        }
    };
}

/// The manifest has no comments, so it is the same in both languages.
const MANIFEST: Template = Template {
    english: include_str!("../../templates/assignment/Cargo.toml.template"),
    russian: include_str!("../../templates/assignment/Cargo.toml.template"),
};

/// The files of a new task and their templates.
pub(super) const FILES: [(&str, Template); 7] = [
    ("Cargo.toml", MANIFEST),
    (SETTINGS, template!("task.yaml")),
    ("src/lib.rs", template!("lib.rs")),
    ("src/seq.rs", template!("seq.rs")),
    ("src/mpi.rs", template!("mpi.rs")),
    ("tests/functional.rs", template!("functional.rs")),
    ("benches/performance.rs", template!("performance.rs")),
];

/// The statement in the reader's language, relative to the workspace.
pub(super) fn statement(assignment: &AssignmentEntry, lang: Lang) -> String {
    format!("tasks/{}/statement.{}.md", assignment.name, lang.code())
}

/// The value of a placeholder that only these templates have.
pub(super) fn value(place: &str, assignment: &AssignmentEntry) -> Option<String> {
    match place {
        "crate" => Some(assignment.name.clone()),
        "problem" => Some(assignment.problem.clone()),
        "output" => Some(assignment.output.clone()),
        _ => None,
    }
}
