//! The page of one student: every letter with its reasons, changes by hand, and measurements by commit.

use maud::{Markup, html};
use wb_course::{HistoryPoint, Letter, LetterGrade, ScoreboardAssignment, ScoreboardStudent, TaskGrade};
use wb_messages::{Lang, scoreboard as text};

use crate::scoreboard::{
    class_table::variant_title,
    context::{PageContext, code_spans, plain_name, shown_name},
    file::ScoreboardFile,
    history_chart::HistoryChart,
    letter_cell::{level, meaning, number},
    links::{file, student_stem},
    page::Page,
    reason_data::{points_text, shown_reasons},
};

/// Characters of a commit's hash that a reader compares.
const COMMIT_CHARS: usize = 10;

pub(crate) fn page(context: &PageContext<'_>, index: usize) -> ScoreboardFile {
    let student = &context.board.students[index];
    let body = html! {
        (header(context, student))
        @for (assignment, grade) in context.board.assignments.iter().zip(&student.tasks) {
            (assignment_section(context, student, assignment, grade))
        }
        (neighbours(context, index))
    };
    let title = plain_name(student);
    Page { title: &title, stem: &student_stem(&student.id), script: None, body }.render(context)
}

fn header(context: &PageContext<'_>, student: &ScoreboardStudent) -> Markup {
    let lang = context.lang;
    let mark = student.mark.as_deref().map_or_else(|| text::no_mark(lang).into(), wb_text::escape::line);
    html! {
        div.person {
            h1 { (shown_name(student)) }
            @if context.is_private() { p.lead {
                code { bdi { (wb_text::escape::line(&student.id)) } } " · "
                (text::group(lang)) " " bdi { (wb_text::escape::line(student.group.as_deref().unwrap_or("–"))) } " · "
                (text::stream(lang)) " " bdi { (wb_text::escape::line(student.stream.as_deref().unwrap_or("–"))) }
            } }
            dl.totals {
                div { dt { (text::total(lang)) } dd { b { (context.points(student.total)) } " " (text::of(lang, context.points(student.of))) } }
                div { dt { (text::mark(lang)) } dd { b { (mark) } } }
            }
        }
    }
}

fn assignment_section(
    context: &PageContext<'_>,
    student: &ScoreboardStudent,
    assignment: &ScoreboardAssignment,
    grade: &TaskGrade,
) -> Markup {
    let lang = context.lang;
    let title = wb_text::escape::line(assignment.title.in_language(lang));
    let history: Vec<&HistoryPoint> =
        student.history.iter().filter(|point| point.assignment == assignment.number).collect();
    html! {
        section.task id=(format!("a{}", assignment.number)) {
            h2 { (text::assignment(lang, assignment.number, title))
                small { b { (context.points(grade.total)) } " " (text::of(lang, context.points(grade.of))) } }
            @if context.is_private() { p.lead {
                @if grade.variant > 0 { (text::given_variant(lang, grade.variant, variant_title(assignment, grade.variant, lang))) }
                @else { (text::no_variant(lang)) }
            } }
            (submission(context, grade))
            table.grade {
                thead { tr {
                    th scope="col" { (text::letter(lang)) } th scope="col" { (text::points(lang)) }
                    th scope="col" { (text::reasons(lang)) }
                } }
                tbody { @for letter in &grade.letters { (letter_row(context, grade, letter)) } }
            }
            (history_section(context, &history))
        }
    }
}

/// The package and the commit, where the page may show them.
fn submission(context: &PageContext<'_>, grade: &TaskGrade) -> Markup {
    let lang = context.lang;
    html! {
        @if !grade.submitted { p.remark { (text::not_submitted(lang)) } }
        @else {
            @if context.is_private() && (grade.task.is_some() || grade.commit.is_some()) {
                p.lead {
                    @if let Some(task) = &grade.task { (text::task(lang)) " " code { (wb_text::escape::line(task)) } " " }
                    @if let Some(commit) = &grade.commit { (text::commit(lang)) " " code { (short_commit(commit)) } }
                }
            }
        }
    }
}

fn letter_row(context: &PageContext<'_>, task: &TaskGrade, grade: &LetterGrade) -> Markup {
    let lang = context.lang;
    let reasons = shown_reasons(context, task, grade);
    html! {
        tr id=(format!("a{}-{}", task.assignment, grade.letter.character())) {
            th scope="row" { b { (grade.letter.character()) } small { (meaning(lang, grade.letter)) } }
            td.points.(level(grade)) { (points_cell(context, grade)) }
            td {
                @if !reasons.is_empty() { ul { @for reason in &reasons { li.override[reason.is_override] {
                    (code_spans(&reason.text))
                    @if let Some(lost) = &reason.lost { " " span.lost { (lost) } }
                    @if let Some(remedy) = &reason.remedy { p.remedy { (code_spans(&text::remedy(lang, remedy))) } }
                } } } }
            }
        }
    }
}

fn points_cell(context: &PageContext<'_>, grade: &LetterGrade) -> Markup {
    match number(context, grade) {
        None => html! { "–" },
        Some(_) => html! { (points_text(context, grade)) },
    }
}

fn history_section(context: &PageContext<'_>, history: &[&HistoryPoint]) -> Markup {
    let lang = context.lang;
    html! {
        @if !history.is_empty() {
            h3 { (text::history(lang)) }
            p.note { (text::history_about(lang)) }
            div.charts {
                (HistoryChart::new(context, Letter::Acceleration, history).render())
                (HistoryChart::new(context, Letter::Efficiency, history).render())
            }
            details { summary { (text::data(lang)) } (history_table(context, history)) }
        }
    }
}

fn history_table(context: &PageContext<'_>, history: &[&HistoryPoint]) -> Markup {
    let lang = context.lang;
    let cell = |letter, interval: Option<wb_course::MeasuredInterval>| match interval {
        None => "–".to_owned(),
        Some(interval) => {
            let (value, ends) =
                (context.measured(letter, interval.value), context.interval(letter, interval));
            text::measured_at(lang, value, ends, interval.ranks)
        }
    };
    html! {
        div.scroll { table.history {
            thead { tr {
                th scope="col" { (text::column_at(lang)) }
                @if context.is_private() { th scope="col" { (text::commit(lang)) } }
                th scope="col" { (text::speedup(lang)) } th scope="col" { (text::efficiency(lang)) }
            } }
            tbody { @for point in history { tr {
                td { (context.moment(point.at)) }
                @if context.is_private() { td { code { (short_commit(&point.commit)) } } }
                td { (cell(Letter::Acceleration, point.speedup)) }
                td { (cell(Letter::Efficiency, point.efficiency)) }
            } } }
        } }
    }
}

fn short_commit(commit: &str) -> String {
    wb_text::escape::line(commit).chars().take(COMMIT_CHARS).collect()
}

/// Links to the students before and after, in the order of the table.
fn neighbours(context: &PageContext<'_>, index: usize) -> Markup {
    let students = &context.board.students;
    let before = index.checked_sub(1).and_then(|index| students.get(index));
    html! {
        nav.neighbours aria-label=(text::students(context.lang)) {
            @if let Some(student) = before { (neighbour(context.lang, student, &text::previous_student(context.lang), "prev")) }
            @if let Some(student) = students.get(index + 1) { (neighbour(context.lang, student, &text::next_student(context.lang), "next")) }
        }
    }
}

fn neighbour(lang: Lang, student: &ScoreboardStudent, label: &str, rel: &str) -> Markup {
    let stem = student_stem(&student.id);
    let page = file(stem.rsplit('/').next().unwrap_or_default(), lang);
    html! { a href=(page) rel=(rel) { small { (label) } (shown_name(student)) } }
}
