//! A communication assignment: the calls beside the library's, at some of the sizes.

use wb_messages::Lang;
use wb_messages::layout::{Align, aligned, shortened};
use wb_messages::report::{communication as comm_text, screen as text};

use crate::{
    analysis::{OperationAnalysis, TaskAnalysis},
    format, labels,
    screen::COLUMNS,
    task::operations,
};

/// The most sizes of the table: each is four times the one before, or more.
const MAX_SIZES: usize = 7;

/// The table at the largest number of ranks that has cores, in at most `height` lines, and what the page has besides.
pub(super) fn lines(analysis: &TaskAnalysis<'_>, height: usize, lang: Lang) -> Vec<String> {
    let all = &analysis.operations;
    let order = |operation: &&OperationAnalysis| {
        (!operation.oversubscribed, operation.ranks, operation.library_algorithm.is_none())
    };
    let Some(shown) = all.iter().rev().max_by_key(order) else { return Vec::new() };
    let heading = operations::heading(lang, shown);
    let counts = operations::count_rows(lang, shown).into_iter();
    let counts = counts.map(|[what, counted, expected, formula, agreement]| {
        format!("{what}: {counted}, {formula} = {expected}: {agreement}")
    });
    let mut more = super::sentence("", &counts.collect::<Vec<_>>().join("; "));
    more.extend((all.len() > 1).then(|| text::other_tables(lang, all.len() - 1)));
    let sentences = labels::verdict_sentences(lang, analysis);
    let verdict = sentences.iter().take(1).flat_map(|line| super::sentence("", line));
    more.extend(verdict);
    let mut lines = vec![text::beside(lang, heading, &shown.library_call)];
    lines.extend(sizes(shown, height.saturating_sub(2 + more.len()).min(MAX_SIZES), lang));
    lines.extend(more);
    lines.iter().map(|line| shortened(line.trim_end(), COLUMNS.into())).collect()
}

/// The header and `count` sizes from the smallest to the largest.
fn sizes(operation: &OperationAnalysis, count: usize, lang: Lang) -> Vec<String> {
    let points = &operation.points;
    let last = points.len().saturating_sub(1);
    let mut chosen: Vec<usize> = (0..count).map(|at| at * last / count.saturating_sub(1).max(1)).collect();
    chosen.dedup();
    let mut rows = vec![[
        comm_text::size(lang),
        comm_text::student(lang),
        comm_text::library(lang),
        comm_text::ratio(lang),
        comm_text::verdict(lang),
    ]];
    rows.extend(chosen.iter().filter_map(|at| points.get(*at)).map(|point| {
        [
            format::bytes(lang, point.bytes),
            format::time(lang, point.student.time.median.value),
            format::time(lang, point.library.time.median.value),
            point.ratio.map_or_else(format::dash, |ratio| format::ratio_estimate(lang, &ratio)),
            format!(" {}", operations::verdict(lang, operation, point)),
        ]
    }));
    aligned(&rows, &[Align::Right, Align::Right, Align::Right, Align::Right, Align::Left])
}
