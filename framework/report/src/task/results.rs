//! The result tables of one workload and mode.

use maud::{Markup, html};
use wb_messages::{
    Lang, number,
    report::{model as text, result},
};
use wb_record::{Version, statistics::Estimate};

use crate::{
    analysis::{Flag, ResultRow, Withheld, WorkloadGroup},
    document::{BlockGroup, Document, Inline, Table, left, right, styled},
    format, labels, model,
};

/// The course's table, with the intervals it never had.
pub(super) fn text(lang: Lang, group: &WorkloadGroup) -> Table {
    let numbers = [
        result::count(lang),
        result::time_seconds(lang),
        result::interval(lang),
        result::speedup(lang),
        result::efficiency(lang),
        result::checked(lang),
    ];
    let columns = [left(result::mode(lang))].into_iter().chain(numbers.map(right));
    let mut table = Table::new(columns.chain([left(result::remarks(lang))]));
    group.rows.iter().for_each(|row| table.row(text_cells(lang, row)));
    for row in &group.models {
        table.row([
            format!("*{}*", model::version(lang, row)),
            row.ranks.to_string(),
            row.time_ns.map_or_else(format::dash, |x| format::seconds(lang, x)),
            format::dash(),
            row.speedup.map_or_else(format::dash, |x| format::ratio(lang, x)),
            row.efficiency.map_or_else(format::dash, |x| format::percent(lang, x)),
            format::dash(),
            model::remark(lang, row),
        ]);
    }
    table
}

fn text_cells(lang: Lang, row: &ResultRow) -> [String; 8] {
    let median = row.time.map(|time| time.median);
    let interval = median.and_then(|m| m.interval);
    let number = |n: Result<Estimate, _>, text: fn(Lang, &Estimate) -> String| match n {
        Ok(estimate) => text(lang, &estimate),
        Err(reason) => labels::withheld(lang, reason),
    };
    let version = labels::version(lang, row.series.version);
    let efficiency = row.efficiency.filter(|_| row.series.version == Version::Mpi);
    [
        if row.is_base { format!("{version} ({})", result::base_mark(lang)) } else { version },
        row.series.ranks.to_string(),
        median.map_or_else(format::dash, |m| format::seconds(lang, m.value)),
        interval.map_or_else(format::dash, |i| format::brackets(lang, i, |x| format::seconds(lang, x))),
        // Beside an efficiency the reason is in the efficiency's cell.
        match row.efficiency.is_some() && row.speedup.is_err() {
            true => format::dash(),
            false => number(row.speedup, format::ratio_estimate),
        },
        efficiency.map_or_else(format::dash, |e| number(e, format::percent_estimate)),
        checked(row),
        labels::remarks(lang, row).join("; "),
    ]
}

fn checked(row: &ResultRow) -> String {
    format!("{}/{} ({})", row.checked.right, row.sample_count(), row.launches.len())
}

/// The table of a page: it has room for quantiles, the ceiling and the serial fraction.
pub(super) fn page(lang: Lang, group: &WorkloadGroup) -> Table {
    let numbers = [
        result::ranks_short(lang),
        result::time(lang),
        format!("{} – {}", result::minimum(lang), result::p95(lang)),
        result::speedup_short(lang),
        result::efficiency_short(lang),
        result::ceiling_share(lang),
        result::karp_flatt(lang),
        result::checked(lang),
    ];
    let columns = [left(result::version(lang))].into_iter().chain(numbers.map(right));
    let mut table = Table::new(columns.chain([left(result::remarks(lang))]));
    for row in &group.rows {
        table.row_of_class(if row.is_base { "base" } else { "" }, page_cells(lang, row));
    }
    for row in &group.models {
        let version = Inline::from(labels::version(lang, row.version)) + " ";
        table.row_of_class(
            "model",
            [
                version + styled("mark", None, text::parallel(lang)),
                row.ranks.to_string().into(),
                row.time_ns.map_or_else(format::dash, |ns| format::time(lang, ns)).into(),
                format::dash().into(),
                row.speedup.map_or_else(format::dash, |x| format::ratio(lang, x)).into(),
                row.efficiency.map_or_else(format::dash, |x| format::percent(lang, x)).into(),
                format::dash().into(),
                format::dash().into(),
                format::dash().into(),
                styled("error", None, format!("{}; {}", row.machine, model::remark(lang, row))),
            ],
        );
    }
    table
}

fn page_cells(lang: Lang, row: &ResultRow) -> [Inline; 10] {
    // The efficiency's cell already has this remark.
    let remarks = |flag: &Flag| *flag == Flag::Oversubscribed && row.efficiency.is_some();
    let remarks = row.flags.iter().filter(|flag| !remarks(flag)).map(|flag| labels::remark(lang, row, *flag));
    let version = Inline::from(labels::version(lang, row.series.version));
    let mark = || Inline::from(" ") + styled("mark", None, result::base_mark(lang));
    let interval = |time: &Estimate| time.interval.map(|_| format::time_interval(lang, time));
    [
        if row.is_base { version + mark() } else { version },
        row.series.ranks.to_string().into(),
        row.time.map_or_else(
            || format::dash().into(),
            |time| two_lines(&format::time(lang, time.median.value), interval(&time.median)).into(),
        ),
        row.time.map_or_else(
            || format::dash().into(),
            |time| html! { (format::time(lang, time.min)) br; (format::time(lang, time.p95)) }.into(),
        ),
        match row.speedup.is_err() && row.efficiency.is_some() {
            true => format::dash().into(),
            false => cell(lang, row.speedup, format::ratio),
        },
        row.efficiency.map_or_else(|| format::dash().into(), |e| cell(lang, e, format::percent)),
        row.ceiling_share.map_or_else(format::dash, |x| format::percent(lang, x)).into(),
        row.karp_flatt
            .map_or_else(|| format::dash().into(), |e| estimate(&e, |x| number::fixed(lang, x, 3), lang)),
        checked(row).into(),
        remarks.fold(Inline::default(), |remarks, remark| remarks + styled("flag", None, remark) + " "),
    ]
}

/// The number with its interval, or the reason why it is withheld.
fn cell(lang: Lang, number: Result<Estimate, Withheld>, text: fn(Lang, f64) -> String) -> Inline {
    match number {
        Ok(number) => estimate(&number, |x| text(lang, x), lang),
        Err(reason) => styled("withheld", None, labels::withheld(lang, reason)),
    }
}

fn estimate(estimate: &Estimate, text: impl Fn(f64) -> String, lang: Lang) -> Inline {
    let interval = estimate.interval.map(|i| format::brackets(lang, i, |x| text(x).replace(" %", "")));
    two_lines(&text(estimate.value), interval).into()
}

/// A number above its interval.
pub(super) fn two_lines(value: &str, interval: Option<String>) -> Markup {
    html! { (value) @if let Some(interval) = interval { small { (interval) } } }
}

/// The conditions of the samples: a second table, so that the first stays readable.
pub(crate) fn conditions(document: &mut Document, lang: Lang, group: &WorkloadGroup) {
    let numbers = [
        result::ranks_short(lang),
        result::relative(lang),
        result::overhead(lang),
        result::skew(lang),
        result::switches(lang),
        result::warmup(lang),
        result::outliers(lang),
        result::traffic(lang),
    ];
    let mut table = Table::new([left(result::version(lang))].into_iter().chain(numbers.map(right)));
    for row in &group.rows {
        let outliers = row.time.map(|t| format!("{} + {}", t.outliers.mild, t.outliers.severe));
        let traffic =
            row.traffic.map(|t| result::traffic_cell(lang, t.messages, format::bytes(lang, t.bytes)));
        table.row([
            labels::version(lang, row.series.version),
            row.series.ranks.to_string(),
            row.relative_speedup.map_or_else(format::dash, |s| format::ratio(lang, s.value)),
            row.overhead_share.map_or_else(format::dash, |x| format::percent(lang, x)),
            row.skew_ns.map_or_else(format::dash, |ns| format::time(lang, ns)),
            row.switches.to_string(),
            row.warmup_dropped.to_string(),
            outliers.unwrap_or_else(format::dash),
            traffic.unwrap_or_else(format::dash),
        ]);
    }
    let summary = result::around_heading(lang);
    document.group(BlockGroup::Details { summary, is_open: false }, |details| details.table(table));
}
