//! The reasons of all letters, as data for the dialog of the table: each text once, in the language of the page.

use std::collections::HashMap;

use serde::Serialize;
use wb_course::{AppliedOverride, LetterGrade, Points, Reason, ReasonKind, TaskGrade};
use wb_messages::scoreboard as text;

use crate::scoreboard::{
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
    /// The cells by student, assignment and letter.
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
}

/// A reason as a page shows it.
pub(crate) struct ShownReason {
    /// What was found, or the change by an instructor.
    pub(crate) text: String,
    /// The points that it costs; `None` where it costs none.
    pub(crate) lost: Option<String>,
    /// The change that would earn the points.
    pub(crate) remedy: Option<String>,
    /// Whether an instructor set the points.
    pub(crate) is_override: bool,
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
    let reasons = shown_reasons(context, task, grade).into_iter().map(|reason| {
        let (lost, remedy) = (reason.lost, reason.remedy);
        (table.index(reason.text), lost.map(|lost| table.index(lost)), remedy.map(|text| table.index(text)))
    });
    let reasons = reasons.collect();
    CellData { points: table.index(points_text(context, grade)), reasons }
}

/// The reasons of a letter. An override is shown once, with the instructor and the moment where the page may show them.
pub(crate) fn shown_reasons(
    context: &PageContext<'_>,
    task: &TaskGrade,
    grade: &LetterGrade,
) -> Vec<ShownReason> {
    let shown = |(reason, change): (&Reason, Option<&AppliedOverride>)| ShownReason {
        text: change.map_or_else(|| reason_text(context, reason), |change| override_text(context, change)),
        lost: lost_text(context, grade, reason),
        remedy: remedy_text(context, reason),
        is_override: reason.kind == ReasonKind::SetByInstructor,
    };
    task.explained(grade).map(shown).collect()
}

/// The points of a letter, or what was measured.
pub(crate) fn points_text(context: &PageContext<'_>, grade: &LetterGrade) -> String {
    let lang = context.lang;
    match (grade.measured, grade.of) {
        (Some(measured), _) if !context.is_private() => {
            text::measured_about(lang, context.measured(grade.letter, measured.value), measured.ranks)
        }
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
    wb_text::escape::line(reason.text.in_language(context.lang)).into_owned()
}

/// The points that a reason costs; `None` where it costs none.
fn lost_text(context: &PageContext<'_>, grade: &LetterGrade, reason: &Reason) -> Option<String> {
    let lost = context.points(reason.lost);
    (reason.lost > Points::ZERO).then(|| match is_penalty(grade.letter) {
        true => text::penalty(context.lang, lost),
        false => text::lost(context.lang, lost),
    })
}

/// What would earn the points.
fn remedy_text(context: &PageContext<'_>, reason: &Reason) -> Option<String> {
    reason.remedy.as_ref().map(|remedy| wb_text::escape::line(remedy.in_language(context.lang)).into_owned())
}

/// A change by an instructor, in the time zone of the course.
fn override_text(context: &PageContext<'_>, change: &AppliedOverride) -> String {
    text::changed_by(
        context.lang,
        wb_text::escape::line(&change.by),
        context.moment(change.at),
        context.points(change.from),
        context.points(change.to),
        wb_text::escape::line(&change.reason),
    )
}
