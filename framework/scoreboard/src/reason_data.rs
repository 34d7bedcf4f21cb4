//! The reasons of all letters, as data for the dialog of the table: each text once, in the language of the page.

use std::collections::HashMap;

use serde::Serialize;
use wb_course::{AppliedOverride, LetterGrade, Points, Reason, TaskGrade};
use wb_messages::scoreboard as text;

use crate::{
    context::PageContext,
    letter_cell::{is_measured, is_penalty, meaning},
};

/// The data of the page.
#[derive(Serialize)]
struct ReasonData {
    /// Texts, each once.
    texts: Vec<String>,
    /// The headings of the letters.
    letters: Vec<String>,
    /// By student, assignment and letter.
    students: Vec<Vec<Vec<Option<CellData>>>>,
}

/// The content of the dialog for one letter: numbers are indices of texts.
#[derive(Serialize)]
struct CellData {
    /// The line below the heading.
    #[serde(rename = "p")]
    points: usize,
    /// Reasons: what was found, the points lost and what would earn them.
    #[serde(rename = "r")]
    reasons: Vec<(usize, Option<usize>, Option<usize>)>,
    /// Changes by an instructor.
    #[serde(rename = "o", skip_serializing_if = "Vec::is_empty")]
    overrides: Vec<usize>,
}

/// Texts by their index.
#[derive(Default)]
struct TextTable {
    texts: Vec<String>,
    indices: HashMap<String, usize>,
}

impl TextTable {
    fn index(&mut self, text: String) -> usize {
        *self.indices.entry(text).or_insert_with_key(|text| {
            self.texts.push(text.clone());
            self.texts.len() - 1
        })
    }
}

/// The data as JSON that cannot end the element in which it is: without `<`, `>` and `&`.
pub(crate) fn json(context: &PageContext<'_>) -> String {
    let mut table = TextTable::default();
    let letters = wb_course::Letter::ALL;
    let students = context.board.students.iter().map(|student| {
        let of_task = |task: &TaskGrade| {
            letters
                .map(|letter| task.letter(letter).map(|grade| cell(context, &mut table, task, grade)))
                .into_iter()
                .collect()
        };
        student.tasks.iter().map(of_task).collect()
    });
    let students = students.collect();
    let headings =
        letters.map(|letter| format!("{} · {}", letter.character(), meaning(context.lang, letter)));
    let data = ReasonData { students, letters: headings.to_vec(), texts: table.texts };
    let json = serde_json::to_string(&data).expect("keys are strings, so the value always serialises");
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

fn cell(context: &PageContext<'_>, table: &mut TextTable, task: &TaskGrade, grade: &LetterGrade) -> CellData {
    let reasons = grade.reasons.iter().map(|reason| {
        let found = table.index(reason_text(context, reason));
        let lost = lost_text(context, grade, reason).map(|lost| table.index(lost));
        (found, lost, remedy_text(context, reason).map(|remedy| table.index(remedy)))
    });
    let reasons = reasons.collect();
    let changes = task.overrides.iter().filter(|change| change.letter == grade.letter);
    let overrides = changes.map(|change| table.index(override_text(context, change))).collect();
    CellData { points: table.index(points_text(context, grade)), reasons, overrides }
}

/// The points of a letter, or what was measured.
pub(crate) fn points_text(context: &PageContext<'_>, grade: &LetterGrade) -> String {
    let lang = context.lang;
    match (grade.measured, grade.of) {
        (Some(measured), _) => {
            let value = context.measured(grade.letter, measured.value);
            let interval = context.interval(grade.letter, measured);
            text::measured_at(lang, value, interval, measured.ranks)
        }
        (None, _) if is_measured(grade.letter) => "–".to_owned(),
        (None, Some(of)) if !is_penalty(grade.letter) => {
            text::points_of(lang, context.points(grade.points), context.points(of))
        }
        _ => context.points(grade.points),
    }
}

pub(crate) fn reason_text(context: &PageContext<'_>, reason: &Reason) -> String {
    wb_escape::line(reason.text.in_language(context.lang)).into_owned()
}

/// The points that a reason costs; `None` where it costs none.
pub(crate) fn lost_text(context: &PageContext<'_>, grade: &LetterGrade, reason: &Reason) -> Option<String> {
    let lost = context.points(reason.lost);
    (reason.lost > Points::ZERO).then(|| match is_penalty(grade.letter) {
        true => text::penalty(context.lang, lost),
        false => text::lost(context.lang, lost),
    })
}

/// What would earn the points.
pub(crate) fn remedy_text(context: &PageContext<'_>, reason: &Reason) -> Option<String> {
    reason.remedy.as_ref().map(|remedy| wb_escape::line(remedy.in_language(context.lang)).into_owned())
}

/// A change by an instructor. A public page has neither the instructor nor the reason, which may name a student.
pub(crate) fn override_text(context: &PageContext<'_>, change: &AppliedOverride) -> String {
    let (from, to) = (context.points(change.from), context.points(change.to));
    match context.is_private() {
        false => text::override_public(context.lang, from, to),
        true => text::override_private(
            context.lang,
            wb_escape::line(&change.by),
            context.moment(change.at),
            from,
            to,
            wb_escape::line(&change.reason),
        ),
    }
}
