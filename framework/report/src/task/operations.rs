//! A communication assignment: latency, bandwidth, ratio, counts. No speed-up appears here.

use maud::html;
use wb_messages::Lang;
use wb_messages::report::{communication, document as text, result};

use super::results::two_lines;
use crate::analysis::{OperationAnalysis, SizeMeasurement, SizePoint};
use crate::document::{Document, Inline, Table, code, left, right};
use crate::{format, labels};

/// The operation, its ranks and its element.
pub(crate) fn heading(lang: Lang, operation: &OperationAnalysis) -> String {
    communication::heading(lang, &operation.name, operation.ranks, operation.root, &operation.element)
}

/// The lead and the tables in the text of Markdown and of a terminal.
pub(super) fn section(document: &mut Document, lang: Lang, operation: &OperationAnalysis) {
    document.paragraph(lead(lang, operation));
    document.table(text_table(lang, operation));
    let counts = counts(lang, operation, false);
    if !counts.is_empty() {
        document.paragraph(communication::counts_heading(lang));
        document.table(counts);
    }
}

/// Beside what the student's calls were measured, and at which sizes they were not compared.
pub(crate) fn lead(lang: Lang, operation: &OperationAnalysis) -> String {
    let algorithm = match &operation.library_algorithm {
        Some(algorithm) => communication::forced(lang, algorithm),
        None => communication::library_choice(lang),
    };
    let comparison = communication::compared_with(lang, &operation.library_call);
    if operation.moves_nothing_at.is_empty() {
        return format!("{comparison}; {algorithm}.");
    }
    let sizes: Vec<_> = operation.moves_nothing_at.iter().map(|&bytes| format::bytes(lang, bytes)).collect();
    format!("{comparison}; {algorithm}. {}", communication::moves_nothing(lang, sizes.join(", ")))
}

/// Rows of the table of counts: what, counted, expected, formula, agreement.
pub(crate) fn count_rows(lang: Lang, operation: &OperationAnalysis) -> Vec<[String; 5]> {
    let Some(formula) = &operation.formula else { return Vec::new() };
    let Some(point) =
        operation.points.iter().find(|p| p.matches_formula == Some(false)).or(operation.points.first())
    else {
        return Vec::new();
    };
    let row = |what: String, counted: Option<u64>, expected: u64, text: &str| {
        let verdict = match counted {
            None => communication::not_counted(lang),
            Some(n) if n == expected => communication::agrees(lang),
            Some(_) => communication::differs(lang),
        };
        let counted = counted.map_or_else(format::dash, |n| n.to_string());
        [what, counted, expected.to_string(), text.to_owned(), verdict]
    };
    vec![
        row(communication::messages(lang), Some(point.messages), formula.messages, &formula.messages_formula),
        row(communication::rounds(lang), point.rounds, formula.rounds, &formula.rounds_formula),
    ]
}

/// The counts beside those of the formula.
pub(crate) fn counts(lang: Lang, operation: &OperationAnalysis, is_page: bool) -> Table {
    let mut table = Table::new([
        left(communication::what(lang)),
        right(communication::counted(lang)),
        right(communication::expected(lang)),
        left(communication::formula(lang)),
        left(if is_page { String::new() } else { communication::verdict(lang) }),
    ]);
    for [what, counted, expected, formula, verdict] in count_rows(lang, operation) {
        let formula = if is_page { code(formula) } else { formula.into() };
        table.row([what.into(), counted.into(), expected.into(), formula, verdict.into()]);
    }
    table
}

fn text_table(lang: Lang, operation: &OperationAnalysis) -> Table {
    let numbers = [
        communication::size(lang),
        communication::student(lang),
        communication::library(lang),
        communication::ratio(lang),
        communication::bandwidth(lang),
        result::samples(lang),
    ];
    let mut table = Table::new(numbers.map(right).into_iter().chain([left(communication::verdict(lang))]));
    for point in &operation.points {
        table.row([
            format::bytes(lang, point.bytes),
            format::time_estimate(lang, &point.student.time.median),
            format::time_estimate(lang, &point.library.time.median),
            point.ratio.map_or_else(format::dash, |r| format::ratio_estimate(lang, &r)),
            bandwidth(lang, &point.student, point.bytes),
            samples(point),
            verdict(lang, operation, point),
        ]);
    }
    table
}

/// The table of a page: with the spread of the times, and the bandwidth of the library.
pub(crate) fn page_table(lang: Lang, operation: &OperationAnalysis) -> Table {
    let spread = format!("{} – {}", result::minimum(lang), result::p95(lang));
    let (student, library) = (communication::student(lang), communication::library(lang));
    let with_spread = |side: &str| Inline::from(html! { (side) small { (spread) } });
    let bandwidth_of = |side: &str| format!("{}, {side}", communication::bandwidth(lang)).into();
    let columns: [Inline; 7] = [
        communication::size(lang).into(),
        with_spread(&student),
        with_spread(&library),
        communication::ratio(lang).into(),
        bandwidth_of(&student),
        bandwidth_of(&library),
        result::samples(lang).into(),
    ];
    let mut table = Table::new(columns.map(right).into_iter().chain([left(communication::verdict(lang))]));
    for point in &operation.points {
        table.row(page_cells(lang, operation, point));
    }
    table
}

fn page_cells(lang: Lang, operation: &OperationAnalysis, point: &SizePoint) -> [Inline; 8] {
    let time = |side: &SizeMeasurement| {
        let interval = side.time.median.interval.map(|_| format::time_interval(lang, &side.time.median));
        let (least, tail) = (format::time(lang, side.time.min), format::time(lang, side.time.p95));
        let median = two_lines(&format::time(lang, side.time.median.value), interval);
        Inline::from(html! { (median) small { (least) " – " (tail) } })
    };
    let ratio = point.ratio.map(|ratio| {
        let interval = ratio.interval.map(|i| format::brackets(lang, i, |x| format::ratio(lang, x)));
        two_lines(&format::ratio(lang, ratio.value), interval).into()
    });
    [
        format::bytes(lang, point.bytes).into(),
        time(&point.student),
        time(&point.library),
        ratio.unwrap_or_else(|| format::dash().into()),
        bandwidth(lang, &point.student, point.bytes).into(),
        bandwidth(lang, &point.library, point.bytes).into(),
        samples(point).into(),
        verdict(lang, operation, point).into(),
    ]
}

fn bandwidth(lang: Lang, side: &SizeMeasurement, bytes: u64) -> String {
    side.bandwidth(bytes).map(|rate| format::bandwidth(lang, rate)).unwrap_or_default()
}

fn samples(point: &SizePoint) -> String {
    format!("{} ({})", point.student.samples.len(), point.student.launches)
}

/// The last cell of a size.
pub(crate) fn verdict(lang: Lang, operation: &OperationAnalysis, point: &SizePoint) -> String {
    match point.ratio {
        _ if !point.correct => result::incorrect(lang),
        _ if operation.oversubscribed => result::flag_oversubscribed(lang),
        Some(_) => labels::comparison(lang, point.comparison),
        None => text::unknown(lang),
    }
}
