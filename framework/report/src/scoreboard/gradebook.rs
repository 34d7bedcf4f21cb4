//! The table for a gradebook: one row for each student.

use wb_course::{Letter, Points, Scoreboard, ScoreboardStudent, TaskGrade};
use wb_text::escape::csv_text;

/// The table as CSV, with its header.
///
/// The columns are `id,name,stream,group`, then for each assignment `a1_variant`, `a1_S` to `a1_R`, `a1_total`, then
/// `total,of,mark`. Points and measured numbers have a decimal point. What does not exist is empty: gradebooks such as Moodle's and
/// Canvas's import an empty field as no grade and `0` as a grade, so a task that was not submitted has empty fields.
pub(crate) fn table(board: &Scoreboard) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let rows = std::iter::once(header(board)).chain(board.students.iter().map(row));
    for row in rows {
        writer.write_record(row).expect("every row has the columns of the header, and memory takes it");
    }
    let bytes = writer.into_inner().expect("memory takes it");
    String::from_utf8(bytes).expect("the fields are UTF-8")
}

fn header(board: &Scoreboard) -> Vec<String> {
    let columns = |number: u8| {
        let letters = Letter::ALL.map(|letter| format!("a{number}_{}", letter.character()));
        [vec![format!("a{number}_variant")], letters.to_vec(), vec![format!("a{number}_total")]].concat()
    };
    let first = ["id", "name", "stream", "group"].map(str::to_owned).to_vec();
    let assignments = board.assignments.iter().flat_map(|assignment| columns(assignment.number)).collect();
    [first, assignments, ["total", "of", "mark"].map(str::to_owned).to_vec()].concat()
}

fn row(student: &ScoreboardStudent) -> Vec<String> {
    let text = |text: &str| csv_text(text).into_owned();
    let name = student.name.as_deref().unwrap_or_default();
    let [stream, group] = [&student.stream, &student.group].map(|field| field.as_deref().unwrap_or_default());
    let first = [&student.id, name, stream, group].map(text).to_vec();
    let tasks = student.tasks.iter().flat_map(task_fields).collect();
    let mark = student.mark.as_deref().map(text).unwrap_or_default();
    let is_graded = student.tasks.iter().any(TaskGrade::is_graded);
    let total = if is_graded { student.total.to_string() } else { String::new() };
    [first, tasks, vec![total, student.of.to_string(), mark]].concat()
}

fn task_fields(grade: &TaskGrade) -> Vec<String> {
    let variant = if grade.variant > 0 { grade.variant.to_string() } else { String::new() };
    if !grade.is_graded() {
        return [vec![variant], vec![String::new(); Letter::ALL.len() + 1]].concat();
    }
    let letters = Letter::ALL.map(|letter| grade.letter(letter).map(letter_field).unwrap_or_default());
    [vec![variant], letters.to_vec(), vec![grade.total.to_string()]].concat()
}

fn letter_field(grade: &wb_course::LetterGrade) -> String {
    match grade.letter {
        Letter::Acceleration | Letter::Efficiency => {
            grade.measured.map(|interval| format!("{:.4}", interval.value)).unwrap_or_default()
        }
        _ if grade.of.is_none()
            && grade.points == Points::ZERO
            && !crate::scoreboard::letter_cell::is_penalty(grade.letter) =>
        {
            String::new()
        }
        _ => grade.points.to_string(),
    }
}
