//! The instructor's solution, inputs and judge are not for the library of a task, and the problem is the assignment's.

use syn::{
    ItemImpl,
    visit::{self, Visit},
};
use wb_text::source as text;

use super::{RuleOptions, SourceFinding, SourceRule, finding::Place, implementations::trait_name};
use crate::source_file::ParsedFile;

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
pub(super) fn check(file: &ParsedFile<'_>, options: &RuleOptions, found: &mut Vec<SourceFinding>) {
    if !file.source.is_library() {
        return;
    }
    for token in &file.tokens {
        if let Some(name) = token.word().filter(|word| NAMES.contains(word)) {
            let place = Place::of(file.source, token);
            found.push(place.finding(SourceRule::InstructorCode, name, text::instructor_name(name)));
        }
    }
    let has_problem = options.assignment_crate.is_some();
    ProblemFinder { file, has_problem, found }.visit_file(&file.syntax);
}

/// Finds problems of the task's own where the assignment's crate has the problem, and assignments of the task's own: they would have
/// inputs and an oracle of the task's own.
struct ProblemFinder<'a, 'b> {
    file: &'a ParsedFile<'a>,
    has_problem: bool,
    found: &'b mut Vec<SourceFinding>,
}

impl<'ast> Visit<'ast> for ProblemFinder<'_, '_> {
    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let is_own = |name: &String| name == "Assignment" || name == "Problem" && self.has_problem;
        if let Some(name) = trait_name(item).filter(is_own) {
            let place = Place::of_span(self.file.source, item.impl_token.span);
            self.found.push(place.finding(SourceRule::InstructorCode, "impl", text::own_problem(&*name)));
        }
        visit::visit_item_impl(self, item);
    }
}
