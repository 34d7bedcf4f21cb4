//! The page of the class: the distribution of totals, groups, the hardest variants, and where points are lost.

use maud::{Markup, html};
use wb_course::{Letter, Points};
use wb_messages::{number, scoreboard as text};

use crate::scoreboard::{
    class_statistics::{
        self, VariantStatistics, distribution, frequent_reasons, lost_points, marks, variants,
    },
    class_table::variant_title,
    context::{PageContext, code_spans},
    file::ScoreboardFile,
    histogram::histogram,
    letter_cell::{is_measured, meaning},
    page::Page,
    reason_data::reason_text,
};

/// Rows of the table of hardest variants.
const MAX_VARIANTS: usize = 15;

pub(crate) fn page(context: &PageContext<'_>) -> ScoreboardFile {
    let lang = context.lang;
    let students = &context.board.students;
    let body = html! {
        h1 { (text::class_title(lang)) }
        p.lead { (text::count_students(lang, students.len())) }
        @if students.is_empty() { p.note { (text::nothing_yet(lang)) } }
        @else {
            div.columns {
                section.wide { h2 { (text::distribution(lang)) } p.note { (text::distribution_about(lang)) }
                    (histogram(lang, &distribution(students))) }
                section { h2 { (text::marks(lang)) } (marks_table(context)) }
            }
            @if context.is_private() {
                section { h2 { (text::groups(lang)) } (groups_table(context)) }
                section { h2 { (text::hardest(lang)) } p.note { (text::hardest_about(lang)) } (variants_table(context)) }
            }
            section { h2 { (text::lost_points(lang)) } p.note { (text::lost_about(lang)) } (lost_table(context)) }
            (reasons_section(context))
        }
    };
    Page { title: &text::class_title(lang), stem: "class", script: None, body }.render(context)
}

fn marks_table(context: &PageContext<'_>) -> Markup {
    let lang = context.lang;
    let students = &context.board.students;
    let without = students.iter().filter(|student| student.mark.is_none()).count();
    html! {
        table.plain {
            thead { tr { th scope="col" { (text::mark(lang)) } th.r scope="col" { (text::count(lang)) } } }
            tbody {
                @for (mark, count) in marks(students) { tr { th scope="row" { (wb_text::escape::line(mark)) } td.r { (count) } } }
                @if without > 0 { tr { th scope="row" { (text::no_mark(lang)) } td.r { (without) } } }
            }
        }
    }
}

fn groups_table(context: &PageContext<'_>) -> Markup {
    let lang = context.lang;
    html! {
        div.scroll { table.plain {
            thead { tr {
                th scope="col" { (text::group(lang)) } th.r scope="col" { (text::count(lang)) }
                th.r scope="col" { (text::submitted(lang)) } th.r scope="col" { (text::median_total(lang)) }
            } }
            tbody { @for group in class_statistics::groups(&context.board.students) { tr {
                th scope="row" { bdi { (wb_text::escape::line(group.group)) } }
                td.r { (group.students) }
                td.r { (text::points_of(lang, group.submitted.0, group.submitted.1)) }
                td.r { (points_or_dash(context, group.median)) }
            } } }
        } }
    }
}

fn variants_table(context: &PageContext<'_>) -> Markup {
    let lang = context.lang;
    html! {
        div.scroll { table.plain {
            thead { tr {
                th scope="col" { (text::variant(lang)) } th.r scope="col" { (text::submitted(lang)) }
                th.r scope="col" { (text::median_points(lang)) } th.r scope="col" { (text::median_share(lang)) }
            } }
            tbody { @for variant in variants(context.board).iter().take(MAX_VARIANTS) { (variant_row(context, variant)) } }
        } }
    }
}

fn variant_row(context: &PageContext<'_>, variant: &VariantStatistics) -> Markup {
    let lang = context.lang;
    let assignment = context.board.assignments.iter().find(|known| known.number == variant.assignment);
    let title = assignment.map(|known| variant_title(known, variant.variant, lang)).unwrap_or_default();
    let median = variant
        .median
        .map(|median| text::points_of(lang, context.points(median), context.points(variant.of)));
    let share = variant.share().map(|share| number::percent(lang, share, 0));
    html! {
        tr {
            th scope="row" { (variant.assignment) "." (variant.variant) " " span.fine { (title) } }
            td.r { (text::points_of(lang, variant.submitted, variant.students)) }
            td.r { (median.as_deref().unwrap_or("–")) }
            td.r { (share.as_deref().unwrap_or("–"))
                @if let Some(share) = variant.share() { " " meter min="0" max="100" value=(format!("{:.0}", 100.0 * share)) aria-hidden="true" {} } }
        }
    }
}

fn lost_table(context: &PageContext<'_>) -> Markup {
    let lang = context.lang;
    let letters = || Letter::ALL.into_iter().filter(|letter| !is_measured(*letter));
    html! {
        div.scroll { table.plain {
            thead { tr { th scope="col" { (text::assignment_short(lang, "")) }
                @for letter in letters() { th.r scope="col" title=(meaning(lang, letter)) { (letter.character()) } }
            } }
            tbody { @for assignment in &context.board.assignments {
                @let lost = lost_points(context.board, assignment.number);
                tr { th scope="row" { (assignment.number) " " span.fine { (wb_text::escape::line(assignment.title.in_language(lang))) } }
                    @for (_, points) in lost.iter().filter(|(letter, _)| !is_measured(*letter)) { td.r { (context.points(*points)) } }
                }
            } }
        } }
    }
}

fn reasons_section(context: &PageContext<'_>) -> Markup {
    let lang = context.lang;
    let reasons = frequent_reasons(context.board, |reason| reason_text(context, reason));
    html! {
        @if !reasons.is_empty() { section {
            h2 { (text::frequent(lang)) }
            div.scroll { table.plain {
                thead { tr { th scope="col" { (text::letter(lang)) } th scope="col" { (text::reason(lang)) }
                    th.r scope="col" { (text::times(lang)) } th.r scope="col" { (text::points_lost(lang)) } } }
                tbody { @for reason in &reasons { tr {
                    td { (reason.letter.character()) } td { (code_spans(&reason.text)) } td.r { (reason.times) } td.r { (context.points(reason.lost)) }
                } } }
            } }
        } }
    }
}

fn points_or_dash(context: &PageContext<'_>, points: Option<Points>) -> String {
    points.map_or_else(|| "–".to_owned(), |points| context.points(points))
}
