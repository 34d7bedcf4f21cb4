//! Grades in a terminal: a table of many, the reasons of one, and what a student could still earn.

use std::collections::HashMap;

use wb_config::TimeZone;
use wb_course::{AppliedOverride, Letter, LetterGrade, Points, TaskGrade};
use wb_messages::{Lang, WIDTH, grade as text, number, wrap};
use wb_report::document::{Table, left, right};

use crate::terminal;

/// Two lines for each task, so that the table fits a terminal of 80 columns. `names` are the students' names by login.
pub(super) fn table(grades: &[TaskGrade], names: &HashMap<&str, &str>, lang: Lang) -> String {
    let names_column = left(format!("{}\n{}", text::column_student(lang), text::column_task(lang)));
    let mut columns = vec![names_column, right("№")];
    columns.extend(Letter::ALL.map(|letter| right(letter.character().to_string())));
    columns.push(right(text::column_total(lang)));
    let mut table = Table::new(columns);
    for grade in grades {
        let name = names.get(grade.login.as_str()).copied().unwrap_or(&grade.login);
        let task = grade.task.clone().unwrap_or_else(|| text::nothing_submitted(lang));
        let mut row = vec![format!("{}\n{task}", wb_text::escape::line(name)), grade.assignment.to_string()];
        row.extend(grade.letters.iter().map(|letter| cell(letter, lang)));
        row.push(format!("{}\n/ {}", points(grade.total, lang), points(grade.of, lang)));
        table.row(row);
    }
    terminal::text(&table)
}

/// The measured number, or the points; a mark where an instructor changed them is in the reasons.
fn cell(letter: &LetterGrade, lang: Lang) -> String {
    match (letter.letter, &letter.measured) {
        (Letter::Acceleration, Some(measured)) => number::fixed(lang, measured.value, 2),
        (Letter::Efficiency, Some(measured)) => number::fixed(lang, measured.value, 0),
        (Letter::Acceleration | Letter::Efficiency, None) => "—".to_owned(),
        _ => points(letter.points, lang),
    }
}

/// One grade with all of its reasons; moments are in the zone of the course.
pub(super) fn details(grade: &TaskGrade, zone: &TimeZone, lang: Lang) -> String {
    let task = grade.task.clone().unwrap_or_else(|| text::nothing_submitted(lang));
    let mut lines = vec![text::heading(lang, task, grade.assignment, grade.variant)];
    for letter in &grade.letters {
        let of = letter.of.map(|of| format!(" / {}", points(of, lang))).unwrap_or_default();
        lines.push(format!("  {} {}{of}", letter.letter.character(), cell(letter, lang)));
        for (reason, change) in grade.explained(letter) {
            let lost = match reason.lost {
                Points::ZERO => String::new(),
                lost => format!("{} ", points(-lost, lang)),
            };
            let why = match change {
                Some(change) => overridden(change, zone, lang),
                None => reason.text.in_language(lang).to_owned(),
            };
            let line = format!("{lost}{why}");
            lines.push(wrap(&line, "    ", "      ", WIDTH));
            if let Some(remedy) = &reason.remedy {
                lines.push(wrap(&text::remedy(lang, remedy.in_language(lang)), "      ", "        ", WIDTH));
            }
        }
    }
    lines.push(text::total(lang, points(grade.total, lang), points(grade.of, lang)));
    lines.join("\n")
}

/// A change by an instructor.
fn overridden(change: &AppliedOverride, zone: &TimeZone, lang: Lang) -> String {
    let (from, to) = (points(change.from, lang), points(change.to, lang));
    let at = change.at.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M");
    text::overridden(lang, change.letter.character(), from, to, &change.by, at, &change.reason)
}

/// What the task earns now, and what would earn more, the most first.
pub(super) fn dry_run(grade: &TaskGrade, lang: Lang) -> String {
    let (total, of) = (points(grade.total, lang), points(grade.of, lang));
    let mut lines = vec![text::now(lang, total, of)];
    let reasons =
        grade.letters.iter().flat_map(|letter| letter.reasons.iter().map(move |reason| (letter, reason)));
    let mut open: Vec<_> =
        reasons.filter(|(_, reason)| reason.lost > Points::ZERO || reason.remedy.is_some()).collect();
    // A further fault of a part that is already lost stays behind the one that carries the points.
    open.sort_by_key(|(letter, reason)| (letter.letter, -reason.lost.hundredths()));
    for (letter, reason) in &open {
        let (lost, letter_name) = (points(reason.lost, lang), letter.letter.character());
        let why = reason.text.in_language(lang);
        let line = match (reason.lost, letter.of) {
            (Points::ZERO, _) => why.to_owned(),
            (_, None) => text::lost(lang, lost, letter_name, why),
            (_, Some(_)) => text::more(lang, lost, letter_name, why),
        };
        lines.push(wrap(&line, "- ", "  ", WIDTH));
        if let Some(remedy) = &reason.remedy {
            lines.push(wrap(&text::remedy(lang, remedy.in_language(lang)), "    ", "      ", WIDTH));
        }
    }
    if open.is_empty() {
        lines.push(text::nothing_more(lang));
    }
    lines.join("\n")
}

fn points(points: Points, lang: Lang) -> String {
    number::localized(lang, &points.to_string())
}
