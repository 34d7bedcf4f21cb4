//! Where the variants of one student come from.

use serde::Serialize;
use wb_config::RosterStudent;
use wb_course::VariantChoice;
use wb_messages::{Lang, WIDTH, enrolment as text, wrap};

use super::variant_book::{VariantBook, is_of};
use crate::{CommandStatus, course_files::enrolled_student, error::Result, output};

/// The explanation of one variant.
#[derive(Serialize)]
struct Explanation {
    assignment: u8,
    variant: u8,
    /// The line of the file that gives it; `None` for a new one.
    line: Option<usize>,
    reasons: Vec<String>,
}

pub(super) fn run(book: &VariantBook, login: &str, lang: Lang, json: bool) -> Result<CommandStatus> {
    let student = enrolled_student(&book.roster, login, lang)?;
    let all: Vec<_> = (1..=3).filter_map(|assignment| explain(book, student, assignment, lang)).collect();
    if json {
        output::print_json(&all);
        return Ok(CommandStatus::Success);
    }
    println!("{}", text::explain_student(lang, &student.login, &student.name, &student.group));
    for explanation in all {
        let (assignment, variant) = (explanation.assignment, explanation.variant);
        let title = book.course.variant(assignment, variant).map(|one| one.title.in_language(lang));
        let title = title.unwrap_or_default();
        let heading = match explanation.line {
            Some(line) => text::explain_given(lang, assignment, variant, line, title),
            None => text::explain_new(lang, assignment, variant, title),
        };
        println!("{}", wrap(&heading, "", "  ", WIDTH));
        explanation.reasons.iter().for_each(|reason| println!("{}", wrap(reason, "  - ", "    ", WIDTH)));
    }
    Ok(CommandStatus::Success)
}

fn explain(book: &VariantBook, student: &RosterStudent, assignment: u8, lang: Lang) -> Option<Explanation> {
    let is_meant = |choice: &&VariantChoice| is_of(choice, &student.login, assignment);
    if let Some(choice) = book.choices.iter().find(is_meant) {
        let reasons = reasons_of_choice(book, student, choice, lang);
        return Some(Explanation { assignment, variant: choice.row.variant, line: None, reasons });
    }
    let mut rows = book.given.rows.iter();
    let row =
        rows.find(|row| row.assignment == assignment && row.login.eq_ignore_ascii_case(&student.login))?;
    let mates = book.roster.students.iter().filter(|mate| {
        mate.group == student.group
            && mate.login != student.login
            && book.variant(&mate.login, assignment) == Some(row.variant)
    });
    let mates: Vec<_> = mates.map(|mate| mate.login.as_str()).collect();
    let mates_text = match mates.is_empty() {
        true => text::explain_alone(lang, &student.group),
        false => text::explain_group_mates(lang, &student.group, mates.join(", ")),
    };
    Some(Explanation { assignment, variant: row.variant, line: Some(row.line), reasons: vec![mates_text] })
}

fn reasons_of_choice(
    book: &VariantBook,
    student: &RosterStudent,
    choice: &VariantChoice,
    lang: Lang,
) -> Vec<String> {
    let group = &student.group;
    let all = book.course.assignment(choice.row.assignment).variants.len();
    let in_group = match choice.free_in_group {
        0 => text::explain_shared(lang, group, choice.shared_in_group),
        free => text::explain_free(lang, free, all, group),
    };
    let draw = text::explain_draw(lang, choice.drawn_from, book.course.variant_seed);
    let distinct = choice.kept_distinct.then(|| text::explain_distinct(lang));
    let exchanged = choice.exchanged_with.as_ref().map(|mate| text::explain_exchanged(lang, mate));
    [exchanged, Some(in_group), Some(draw), distinct].into_iter().flatten().collect()
}
