//! The instructor's solution, inputs and judge are not for the library of a task.

use wb_text::source as text;

use super::{SourceFinding, SourceRule, finding::Place};
use crate::source::source_file::ParsedFile;

/// Names of the assignments' crates and of `workbench` that show solutions or graded inputs.
const NAMES: [&str; 7] = [
    "LibraryVerb",
    "Reference",
    "assignment_id",
    "assignment_laws",
    "graded_inputs",
    "reference_output",
    "refused_inputs",
];

/// Checks a file of a task's library; tests may compare with the reference.
pub(super) fn check(file: &ParsedFile<'_>, found: &mut Vec<SourceFinding>) {
    if !file.source.is_library() {
        return;
    }
    for token in &file.tokens {
        if let Some(name) = token.word().filter(|word| NAMES.contains(word)) {
            let place = Place::of(file.source, token);
            found.push(place.finding(SourceRule::InstructorCode, name, text::instructor_name(name)));
        }
    }
}
