//! The table of all students: one row each, seven letters for each assignment.
//!
//! Without its script the page is a table of links to the students' pages. The script adds filters, sorting, and the reasons of
//! a letter in a dialog.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, PreEscaped, html};
use wb_course::{Letter, LetterGrade, Points, ScoreboardAssignment, ScoreboardStudent, TaskGrade};
use wb_messages::{Lang, scoreboard as text};

use crate::scoreboard::{
    context::{PageContext, plain_name, shown_name},
    file::ScoreboardFile,
    letter_cell::{level, meaning, number, sort_value},
    links::{file, student_stem},
    page::Page,
    reason_data,
};

const SCRIPT: &str = include_str!("table.js");

/// The columns of a table. A public one has neither groups nor variants.
struct Columns {
    /// Before those of the assignments: the name, the group.
    first: usize,
    /// The columns of one assignment before the letters: the variant.
    before_letters: usize,
    /// The columns of one assignment: the variant, the letters and the sum.
    per_assignment: usize,
}

impl Columns {
    fn new(context: &PageContext<'_>) -> Self {
        let private = usize::from(context.is_private());
        Self { first: 1 + private, before_letters: private, per_assignment: private + Letter::ALL.len() + 1 }
    }
}

pub(crate) fn page(context: &PageContext<'_>) -> ScoreboardFile {
    let lang = context.lang;
    let body = html! {
        h1 { (text::students(lang)) }
        (filters(context))
        (table(context))
        p #none .note hidden { (text::none_shown(lang)) }
        p .note.keys hidden { (text::keys(lang)) }
        (legend(lang))
        (dialog(lang))
        script #data type="application/json" { (PreEscaped(reason_data::json(context))) }
    };
    Page { title: &text::students(lang), stem: "index", script: Some(SCRIPT), body }.render(context)
}

/// The filters, which the script shows.
fn filters(context: &PageContext<'_>) -> Markup {
    let lang = context.lang;
    let students = &context.board.students;
    let streams: BTreeSet<&str> = students.iter().filter_map(|student| student.stream.as_deref()).collect();
    let groups: BTreeSet<&str> = students.iter().filter_map(|student| student.group.as_deref()).collect();
    let (hint, order) = match context.is_private() {
        true => (text::search_hint(lang), text::sort_given(lang)),
        false => (text::search_pseudonym(lang), text::sort_pseudonym(lang)),
    };
    html! {
        form #filters .filters role="search" hidden {
            label.wide { span { (text::search(lang)) }
                input type="search" name="q" autocomplete="off" spellcheck="false" placeholder=(hint); }
            @if streams.len() > 1 { label { span { (text::stream(lang)) } (select(lang, "stream", &streams)) } }
            @if context.is_private() {
                label { span { (text::group(lang)) } (select(lang, "group", &groups)) }
                label { span { (text::variant(lang)) } (variant_select(context)) }
            }
            label { span { (text::remark(lang)) }
                select name="flag" {
                    option value="" { (text::all(lang)) }
                    @for (flag, label) in shown_flags(context) { option value=(flag) { (label(lang)) } }
                }
            }
            label.sort { span { (text::sort(lang)) } select name="sort" data-given=(order) {} }
            label.check { input type="checkbox" name="desc"; span { (text::sort_down(lang)) } }
            button type="reset" { (text::reset(lang)) }
            output #shown aria-live="polite" data-text=(text::shown(lang, "%1", "%2")) {}
        }
    }
}

fn select(lang: Lang, name: &str, values: &BTreeSet<&str>) -> Markup {
    html! {
        select name=(name) {
            option value="" { (text::all(lang)) }
            @for value in values { option value=(value) { (wb_text::escape::line(value)) } }
        }
    }
}

/// The variants that students have, by assignment.
fn variant_select(context: &PageContext<'_>) -> Markup {
    let lang = context.lang;
    let tasks = context.board.students.iter().flat_map(|student| &student.tasks);
    let given: BTreeSet<(u8, u8)> =
        tasks.filter(|task| task.variant > 0).map(|task| (task.assignment, task.variant)).collect();
    html! {
        select name="variant" {
            option value="" { (text::all(lang)) }
            @for assignment in &context.board.assignments {
                optgroup label=(text::assignment_short(lang, assignment.number)) {
                    @for (_, variant) in given.iter().filter(|(number, _)| *number == assignment.number) {
                        option value=(format!("{}.{variant}", assignment.number)) {
                            (assignment.number) "." (variant) " " (variant_title(assignment, *variant, lang))
                        }
                    }
                }
            }
        }
    }
}

/// The title of a variant; empty where the course has none.
pub(crate) fn variant_title(assignment: &ScoreboardAssignment, variant: u8, lang: Lang) -> String {
    let found = assignment.variants.iter().find(|known| known.number == variant);
    found.map(|known| wb_text::escape::line(known.title.in_language(lang)).into_owned()).unwrap_or_default()
}

/// A text of the frame.
type Label = fn(Lang) -> String;

/// Remarks by which rows are filtered, and their names.
static FLAGS: [(&str, Label); 5] = [
    ("missing", text::flag_missing),
    ("late", text::flag_late),
    ("copying", text::flag_copying),
    ("override", text::flag_override),
    ("own", text::flag_own_problem),
];

/// The remarks by which the page can be filtered: a public one does not say whose tests graded a task.
fn shown_flags(context: &PageContext<'_>) -> impl Iterator<Item = &'static (&'static str, Label)> {
    let is_private = context.is_private();
    FLAGS.iter().filter(move |(flag, _)| is_private || *flag != "own")
}

/// The remarks of a student's row.
fn flags(student: &ScoreboardStudent) -> String {
    let any = |is: &dyn Fn(&TaskGrade) -> bool| student.tasks.iter().any(is);
    let negative =
        |task: &TaskGrade, letter| task.letter(letter).is_some_and(|grade| grade.points < Points::ZERO);
    let found = [
        any(&|task| !task.submitted),
        any(&|task| negative(task, Letter::Deadline)),
        any(&|task| negative(task, Letter::Copying)),
        any(&|task| task.letters.iter().any(LetterGrade::is_set_by_instructor)),
        any(&|task| task.instructor_owned == Some(false)),
    ];
    let names = FLAGS.iter().zip(found).filter(|(_, found)| *found).map(|((name, _), _)| *name);
    names.collect::<Vec<_>>().join(" ")
}

fn table(context: &PageContext<'_>) -> Markup {
    let (lang, columns) = (context.lang, Columns::new(context));
    html! {
        div.scroll tabindex="0" role="region" aria-label=(text::students(lang)) {
            table #students .board role="grid" data-first=(columns.first) data-per=(columns.per_assignment)
                data-letters=(columns.before_letters) {
                caption.away { (text::students(lang)) }
                (head(context))
                tbody role="rowgroup" {
                    @for (index, student) in context.board.students.iter().enumerate() { (row(context, index, student)) }
                }
            }
        }
    }
}

fn head(context: &PageContext<'_>) -> Markup {
    let lang = context.lang;
    let (assignments, columns) = (&context.board.assignments, Columns::new(context));
    html! {
        thead role="rowgroup" {
            tr role="row" {
                (sort_heading("name", &text::student(lang), None, "n", true))
                @if context.is_private() { (sort_heading("group", &text::group(lang), None, "", true)) }
                @for assignment in assignments {
                    th.over role="columnheader" scope="colgroup" colspan=(columns.per_assignment) {
                        span.fit { b { (assignment.number) } " " (wb_text::escape::line(assignment.title.in_language(lang))) }
                        small { (text::of(lang, context.points(assignment.of))) }
                    }
                }
                (sort_heading("total", &text::total(lang), None, "sum total", true))
                (sort_heading("mark", &text::mark(lang), None, "", true))
            }
            tr role="row" { @for assignment in assignments { (assignment_headings(context, assignment.number)) } }
        }
    }
}

fn assignment_headings(context: &PageContext<'_>, assignment: u8) -> Markup {
    let lang = context.lang;
    let variant = text::variant_short(lang);
    // The full name begins with what is shown, so that a reader can say it to a program.
    let full = |label: &str| format!("{label}, {}", text::assignment_short(lang, assignment));
    html! {
        @if context.is_private() {
            (sort_heading(&format!("{assignment}.v"), &variant, Some(&full(&format!("{variant} {}", text::variant(lang)))), "edge", false))
        }
        @for letter in Letter::ALL {
            (sort_heading(&format!("{assignment}.{}", letter.character()), &letter.character().to_string(),
                Some(&full(&meaning(lang, letter))), if is_edge(context, letter) { "edge" } else { "" }, false))
        }
        (sort_heading(&format!("{assignment}.sum"), "Σ", Some(&full(&text::sum(lang))), "sum", false))
    }
}

/// The heading of a column that can be sorted; `full` is its name for a pointer and a screen reader.
fn sort_heading(key: &str, label: &str, full: Option<&str>, class: &str, is_tall: bool) -> Markup {
    html! {
        th.(class) role="columnheader" scope="col" rowspan=[is_tall.then_some(2)] aria-sort="none" data-key=(key) {
            button type="button" title=[full] aria-label=[full] { (label) }
        }
    }
}

fn row(context: &PageContext<'_>, index: usize, student: &ScoreboardStudent) -> Markup {
    let page = file(&student_stem(&student.id), context.lang);
    let total = f64::from(student.total.hundredths()) / 100.0;
    let variants: Vec<String> =
        student.tasks.iter().map(|task| format!("{}.{}", task.assignment, task.variant)).collect();
    html! {
        tr role="row" data-i=(index) data-id=(wb_text::escape::line(&student.id)) data-stream=[&student.stream]
            data-group=[&student.group] data-flag=(flags(student)) data-variant=[context.is_private().then(|| variants.join(" "))] {
            th.n role="rowheader" scope="row" { a href=(page) title=(plain_name(student)) { (shown_name(student)) } }
            @if context.is_private() { td.g role="gridcell" { bdi { (wb_text::escape::line(student.group.as_deref().unwrap_or("–"))) } } }
            @for task in &student.tasks { (task_cells(context, &page, task)) }
            td.sum.total role="gridcell" data-v=(total) { (context.points(student.total)) }
            td.m role="gridcell" { (student.mark.as_deref().map_or("–".into(), wb_text::escape::line)) }
        }
    }
}

fn task_cells(context: &PageContext<'_>, page: &str, task: &TaskGrade) -> Markup {
    let total = f64::from(task.total.hundredths()) / 100.0;
    html! {
        @if context.is_private() {
            td.v.edge role="gridcell" data-v=[(task.variant > 0).then_some(task.variant)] { @if task.variant > 0 { (task.variant) } @else { "–" } }
        }
        @for letter in Letter::ALL { (letter_cell(context, page, task, letter)) }
        td.sum role="gridcell" data-v=[task.is_graded().then_some(total)] { @if task.is_graded() { (context.points(task.total)) } @else { "–" } }
    }
}

fn letter_cell(context: &PageContext<'_>, page: &str, task: &TaskGrade, letter: Letter) -> Markup {
    let name = letter.character();
    let Some(grade) = task.letter(letter) else {
        return html! { td.(name).nil role="gridcell" { "–" } };
    };
    let is_changed = grade.is_set_by_instructor();
    let shown = number(context, grade).filter(|_| task.is_graded());
    html! {
        td.(name).(level(grade)).edge[is_edge(context, letter)] role="gridcell" data-v=[shown.as_ref().and(sort_value(grade))] {
            a href=(format!("{page}#a{}-{name}", task.assignment)) {
                (shown.as_deref().unwrap_or("–"))
                @if is_changed { sup title=(text::changed_mark(context.lang)) { "*" } }
            }
        }
    }
}

/// Whether the columns of an assignment begin with this letter.
fn is_edge(context: &PageContext<'_>, letter: Letter) -> bool {
    !context.is_private() && letter == Letter::ALL[0]
}

fn legend(lang: Lang) -> Markup {
    html! {
        section.legend {
            h2 { (text::letters(lang)) }
            dl {
                @for letter in Letter::ALL { div { dt { (letter.character()) } dd { (meaning(lang, letter)) } } }
                div { dt { "*" } dd { (text::changed_mark(lang)) } }
            }
        }
    }
}

/// The dialog that the script fills.
fn dialog(lang: Lang) -> Markup {
    let words: BTreeMap<&str, String> =
        BTreeMap::from([("remedy", text::remedy(lang, "%1")), ("empty", text::no_reason(lang))]);
    html! {
        dialog #reason aria-labelledby="reason-title" data-remedy=(words["remedy"]) data-empty=(words["empty"]) {
            form method="dialog" { button.close aria-label=(text::close(lang)) { "×" } }
            p.who {}
            h2 #reason-title {}
            p.points {}
            ul {}
            p.more { a href="" { (text::to_student_page(lang)) } }
        }
    }
}
