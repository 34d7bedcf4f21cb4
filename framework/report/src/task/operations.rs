//! A communication assignment: latency, bandwidth, ratio, counts. No speed-up appears here.

use maud::html;
use wb_messages::{
    Lang,
    report::{communication, document as text, result},
};
use wb_record::statistics::Estimate;

use super::results::two_lines;
use crate::{
    analysis::{OperationAnalysis, SizeMeasurement, SizePoint},
    document::{Document, Inline, Table, code, left, right},
    format, labels,
};

/// The operation, its ranks and its element.
pub(crate) fn heading(lang: Lang, operation: &OperationAnalysis) -> String {
    communication::heading(lang, &operation.name, operation.ranks, operation.root, &operation.element)
}

/// The lead and the tables in the text of Markdown and of a terminal.
pub(super) fn section(document: &mut Document, lang: Lang, operation: &OperationAnalysis) {
    document.paragraph(lead(lang, operation));
    document.table(sizes(lang, operation, false));
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

/// The times, their ratio and the bandwidth by size; a page has room for spreads, and for the bandwidth of the library.
pub(crate) fn sizes(lang: Lang, operation: &OperationAnalysis, is_page: bool) -> Table {
    let spread = format!("{} – {}", result::minimum(lang), result::p95(lang));
    let side = |name: String| match is_page {
        true => Inline::from(name) + html! { small { (spread) } },
        false => name.into(),
    };
    let sides = [communication::student(lang), communication::library(lang)];
    let bandwidths = sides.clone().map(|name| match is_page {
        true => format!("{}, {name}", communication::bandwidth(lang)),
        false => communication::bandwidth(lang),
    });
    let bandwidths = bandwidths.into_iter().take(if is_page { 2 } else { 1 }).map(right);
    let columns = [communication::size(lang).into()].into_iter().chain(sides.map(side));
    let columns = columns.chain([communication::ratio(lang).into()]).map(right).chain(bandwidths);
    let last = [right(result::samples(lang)), left(communication::verdict(lang))];
    let mut table = Table::new(columns.chain(last));
    for point in &operation.points {
        let sides = [&point.student, &point.library];
        let mut cells: Vec<Inline> = vec![format::bytes(lang, point.bytes).into()];
        cells.extend(sides.map(|side| time(lang, side, is_page)));
        cells.push(
            point.ratio.map_or_else(|| format::dash().into(), |ratio| ratio_cell(lang, &ratio, is_page)),
        );
        cells.extend(
            sides.iter().take(if is_page { 2 } else { 1 }).map(|side| bandwidth(lang, side, point).into()),
        );
        cells.push(format!("{} ({})", point.student.samples.len(), point.student.launches).into());
        cells.push(verdict(lang, operation, point).into());
        table.row(cells);
    }
    table
}

fn time(lang: Lang, side: &SizeMeasurement, is_page: bool) -> Inline {
    if !is_page {
        return format::time_estimate(lang, &side.time.median).into();
    }
    let interval = side.time.median.interval.map(|_| format::time_interval(lang, &side.time.median));
    let (least, tail) = (format::time(lang, side.time.min), format::time(lang, side.time.p95));
    let median = two_lines(&format::time(lang, side.time.median.value), interval);
    html! { (median) small { (least) " – " (tail) } }.into()
}

fn ratio_cell(lang: Lang, ratio: &Estimate, is_page: bool) -> Inline {
    if !is_page {
        return format::ratio_estimate(lang, ratio).into();
    }
    let interval = ratio.interval.map(|i| format::brackets(lang, i, |x| format::ratio(lang, x)));
    two_lines(&format::ratio(lang, ratio.value), interval).into()
}

fn bandwidth(lang: Lang, side: &SizeMeasurement, point: &SizePoint) -> String {
    side.bandwidth(point.bytes).map(|rate| format::bandwidth(lang, rate)).unwrap_or_default()
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
