//! The times of a task as one table: `run` and the whole pipeline side by side.

use std::collections::BTreeSet;

use wb_messages::Lang;
use wb_messages::layout::{Align, aligned, shortened};
use wb_messages::report::{result, screen as text};
use wb_record::{MeasuredWorkload, Version};

use crate::{
    analysis::{Flag, Headline, ResultRow, TaskAnalysis, WorkloadGroup},
    format,
    screen::COLUMNS,
};

/// The lines that are not rows: the workload and two lines of headers.
const HEADER: usize = 3;

/// A version at a number of ranks: what a row is of.
type RowKey = (Version, u32);

/// What a table leaves out so that its columns fit.
#[derive(Clone, Copy)]
struct Detail {
    /// The columns between two parts.
    gap: usize,
    /// The decimals of an efficiency in per cent.
    decimals: usize,
    /// How many of the parts have intervals.
    with_interval: usize,
}

/// The details from the widest table to the narrowest.
const DETAILS: [Detail; 5] = [
    Detail { gap: 4, decimals: 1, with_interval: 2 },
    Detail { gap: 2, decimals: 1, with_interval: 2 },
    Detail { gap: 2, decimals: 0, with_interval: 2 },
    Detail { gap: 2, decimals: 0, with_interval: 1 },
    Detail { gap: 2, decimals: 0, with_interval: 0 },
];

/// The table of the largest workload, in at most `height` lines, and what the page has besides.
pub(super) fn lines(analysis: &TaskAnalysis<'_>, height: usize, lang: Lang) -> Vec<String> {
    let Some(shown) = shown_workload(analysis) else { return Vec::new() };
    let groups: Vec<&WorkloadGroup> =
        analysis.groups.iter().filter(|group| group.workload == *shown).collect();
    let others: BTreeSet<&MeasuredWorkload> =
        analysis.groups.iter().map(|group| &group.workload).filter(|workload| *workload != shown).collect();
    let others: Vec<&str> = others.iter().map(|workload| workload.name.as_str()).collect();
    let others = (!others.is_empty()).then(|| text::other_workloads(lang, others.join(", ")));
    let rows = height - HEADER - usize::from(others.is_some());
    let (kept, left_out) = kept_rows(&groups, rows);
    let more = (left_out > 0).then(|| text::other_rows(lang, left_out));
    let workload = text::workload(lang, format::workload(lang, shown));
    let mut lines = vec![shortened(&workload, COLUMNS.into())];
    lines.extend(numbers(&groups, &kept, lang));
    lines.extend(more.into_iter().chain(others).map(|line| shortened(&line, COLUMNS.into())));
    lines
}

/// The graded workload, or the largest one.
fn shown_workload<'a>(analysis: &'a TaskAnalysis<'_>) -> Option<&'a MeasuredWorkload> {
    match &analysis.verdict.headline {
        Headline::Scaling(graded) => Some(&graded.workload),
        _ => analysis.groups.iter().rev().map(|group| &group.workload).max_by_key(|workload| workload.size),
    }
}

/// The rows that fit, and the number of the others: rows without a core for each rank go first, then those on the fewest ranks.
fn kept_rows(groups: &[&WorkloadGroup], height: usize) -> (Vec<RowKey>, usize) {
    let mut keys: Vec<RowKey> = Vec::new();
    let mut oversubscribed = BTreeSet::new();
    for row in groups.iter().flat_map(|group| &group.rows) {
        let key = (row.series.version, row.series.ranks);
        if !keys.contains(&key) {
            keys.push(key);
        }
        if row.has(Flag::Oversubscribed) {
            oversubscribed.insert(key);
        }
    }
    keys.sort_by_key(|(version, ranks)| (*version == Version::Mpi, *version, *ranks));
    let all = keys.len();
    let is_dispensable = |key: &&RowKey| key.0 == Version::Mpi && key.1 > 1;
    while keys.len() > height.max(1) - usize::from(all > height) {
        let last = keys.iter().rfind(|key| oversubscribed.contains(*key));
        let Some(key) = last.or_else(|| keys.iter().find(is_dispensable)).copied() else { break };
        keys.retain(|kept| *kept != key);
    }
    let left_out = all - keys.len();
    (keys, left_out)
}

/// The headers and the rows, with as much detail as fits.
fn numbers(groups: &[&WorkloadGroup], keys: &[RowKey], lang: Lang) -> Vec<String> {
    let tables = DETAILS.map(|detail| {
        let parts = groups.iter().enumerate();
        let parts = parts.map(|(at, group)| part(group, keys, detail, at < detail.with_interval, lang));
        beside(std::iter::once(versions(keys, lang)).chain(parts), detail.gap)
    });
    let fits = |table: &&Vec<String>| table.iter().all(|line| line.chars().count() <= COLUMNS.into());
    tables.iter().find(fits).unwrap_or(&tables[DETAILS.len() - 1]).clone()
}

/// Blocks of equally many lines side by side.
fn beside(blocks: impl Iterator<Item = Vec<String>>, gap: usize) -> Vec<String> {
    let gap = " ".repeat(gap);
    let joined = blocks.reduce(|left, right| {
        left.iter().zip(&right).map(|(left, right)| format!("{left}{gap}{right}")).collect()
    });
    joined.unwrap_or_default().iter().map(|line| line.trim_end().to_owned()).collect()
}

/// The columns that name the rows.
fn versions(keys: &[RowKey], lang: Lang) -> Vec<String> {
    let mut rows = vec![[String::new(), String::new()], [String::new(), result::ranks_short(lang)]];
    rows.extend(keys.iter().map(|(version, ranks)| [version.name().to_owned(), ranks.to_string()]));
    aligned(&rows, &[Align::Left, Align::Right])
}

/// The columns of one timed region, below its name.
fn part(
    group: &WorkloadGroup,
    keys: &[RowKey],
    detail: Detail,
    with_interval: bool,
    lang: Lang,
) -> Vec<String> {
    let interval = if with_interval { text::interval(lang) } else { String::new() };
    let mut rows =
        vec![[text::time(lang), result::speedup_short(lang), interval, result::efficiency_short(lang)]];
    rows.extend(keys.iter().map(|(version, ranks)| {
        let is_of_key = |row: &&ResultRow| row.series.version == *version && row.series.ranks == *ranks;
        let mut cells = cells(group.rows.iter().find(is_of_key), detail.decimals, lang);
        if !with_interval {
            cells[2].clear();
        }
        cells
    }));
    let mut lines = aligned(&rows, &[Align::Right, Align::Right, Align::Left, Align::Right]);
    let width = lines[0].chars().count();
    lines.insert(0, format!("{:<width$}", group.mode.name()));
    lines
}

/// Time, S, its interval and E.
fn cells(row: Option<&ResultRow>, decimals: usize, lang: Lang) -> [String; 4] {
    let time = row.and_then(|row| row.time).map(|time| format::time(lang, time.median.value));
    let speedup = row.and_then(|row| row.speedup.ok());
    let interval = speedup.and_then(|speedup| speedup.interval);
    let efficiency = row.and_then(|row| row.efficiency?.ok());
    [
        time.unwrap_or_else(format::dash),
        speedup.map_or_else(format::dash, |speedup| format::ratio(lang, speedup.value)),
        interval.map_or_else(String::new, |i| format::brackets(lang, i, |x| format::ratio(lang, x))),
        efficiency.map_or_else(format::dash, |e| wb_messages::number::percent(lang, e.value, decimals)),
    ]
}
