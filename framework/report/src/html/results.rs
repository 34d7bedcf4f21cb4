//! The result table of one workload and mode.

use maud::{Markup, html};
use wb_messages::report::{model as text, result};
use wb_messages::{Lang, number};
use wb_statistics::Estimate;

use crate::analysis::{Flag, ModelRow, ResultRow, Withheld, WorkloadGroup};
use crate::{format, labels, model};

/// The table, one row a series.
pub(super) fn table(lang: Lang, group: &WorkloadGroup) -> Markup {
    html! {
        div.scroll { table.results {
            thead { tr {
                @for (name, class) in columns(lang) { th.(class) scope="col" { (name) } }
            } }
            tbody {
                @for row in &group.rows { (table_row(lang, row)) }
                @for row in &group.models { (model_row(lang, row)) }
            }
        } }
    }
}

/// The conditions of the samples: a second table, so that the first stays readable.
pub(super) fn conditions_table(lang: Lang, group: &WorkloadGroup) -> Markup {
    let columns = [
        result::version(lang),
        result::ranks_short(lang),
        result::relative(lang),
        result::overhead(lang),
        result::skew(lang),
        result::switches(lang),
        result::warmup(lang),
        result::outliers(lang),
        result::traffic(lang),
    ];
    html! {
        details {
            summary { (result::around_heading(lang)) }
            div.scroll { table.results {
                thead { tr { @for (index, name) in columns.iter().enumerate() { th.text[index == 0] scope="col" { (name) } } } }
                tbody { @for row in &group.rows { (conditions_row(lang, row)) } }
            } }
        }
    }
}

fn conditions_row(lang: Lang, row: &ResultRow) -> Markup {
    let outliers = row.time.map(|t| format!("{} + {}", t.outliers.mild, t.outliers.severe));
    let traffic = row.traffic.map(|t| result::traffic_cell(lang, t.messages, format::bytes(lang, t.bytes)));
    html! {
        tr {
            th.text scope="row" { (labels::version(lang, row.series.version)) }
            td { (row.series.ranks) }
            td { (row.relative_speedup.map_or_else(format::dash, |s| format::ratio(lang, s.value))) }
            td { (row.overhead_share.map_or_else(format::dash, |x| format::percent(lang, x))) }
            td { (row.skew_ns.map_or_else(format::dash, |ns| format::time(lang, ns))) }
            td { (row.switches) }
            td { (row.warmup_dropped) }
            td { (outliers.unwrap_or_else(format::dash)) }
            td { (traffic.unwrap_or_else(format::dash)) }
        }
    }
}

fn columns(lang: Lang) -> [(String, &'static str); 10] {
    [
        (result::version(lang), "text"),
        (result::ranks_short(lang), ""),
        (result::time(lang), ""),
        (format!("{} – {}", result::minimum(lang), result::p95(lang)), ""),
        (result::speedup_short(lang), ""),
        (result::efficiency_short(lang), ""),
        (result::ceiling_share(lang), ""),
        (result::karp_flatt(lang), ""),
        (result::checked(lang), ""),
        (result::remarks(lang), "text"),
    ]
}

fn table_row(lang: Lang, row: &ResultRow) -> Markup {
    // The efficiency's cell already has this remark.
    let said = |flag: &Flag| *flag == Flag::Oversubscribed && row.efficiency.is_some();
    let remarks = row.flags.iter().filter(|flag| !said(flag)).map(|flag| labels::remark(lang, row, *flag));
    html! {
        tr.base[row.is_base] {
            th.text scope="row" {
                (labels::version(lang, row.series.version))
                @if row.is_base { " " span.mark { (result::base_mark(lang)) } }
            }
            td { (row.series.ranks) }
            td { (row.time.map_or_else(dash, |t| two_lines(&format::time(lang, t.median.value), t.median.interval.map(|_| format::time_interval(lang, &t.median))))) }
            td { (row.time.map_or_else(dash, |t| html! { (format::time(lang, t.min)) br; (format::time(lang, t.p95)) })) }
            td { @if row.speedup.is_err() && row.efficiency.is_some() { "—" } @else { (cell(lang, row.speedup, format::ratio)) } }
            td { (row.efficiency.map_or_else(dash, |e| cell(lang, e, format::percent))) }
            td { (row.ceiling_share.map_or_else(format::dash, |x| format::percent(lang, x))) }
            td { (row.karp_flatt.map_or_else(dash, |e| estimate(lang, &e, |x| number::fixed(lang, x, 3)))) }
            td { (row.checked.right) "/" (row.sample_count()) " (" (row.launches.len()) ")" }
            td.text { @for remark in remarks { span.flag { (remark) } " " } }
        }
    }
}

/// A prediction; its cells are those of a measured row, as far as a model has them.
fn model_row(lang: Lang, row: &ModelRow) -> Markup {
    html! {
        tr.model {
            th.text scope="row" { (labels::version(lang, row.version)) " " span.mark { (text::parallel(lang)) } }
            td { (row.ranks) }
            td { (row.time_ns.map_or_else(format::dash, |ns| format::time(lang, ns))) }
            td { "—" }
            td { (row.speedup.map_or_else(format::dash, |x| format::ratio(lang, x))) }
            td { (row.efficiency.map_or_else(format::dash, |x| format::percent(lang, x))) }
            td { "—" } td { "—" } td { "—" }
            td.text { span.error { (row.machine) "; " (model::remark(lang, row)) } }
        }
    }
}

fn dash() -> Markup {
    html! { "—" }
}

/// The number with its interval, or the reason why it is withheld.
fn cell(lang: Lang, number: Result<Estimate, Withheld>, text: fn(Lang, f64) -> String) -> Markup {
    match number {
        Ok(number) => estimate(lang, &number, |x| text(lang, x)),
        Err(reason) => html! { span.withheld { (labels::withheld(lang, reason)) } },
    }
}

fn estimate(lang: Lang, estimate: &Estimate, text: impl Fn(f64) -> String) -> Markup {
    let interval = estimate.interval.map(|i| format::brackets(lang, i, |x| text(x).replace(" %", "")));
    two_lines(&text(estimate.value), interval)
}

fn two_lines(value: &str, interval: Option<String>) -> Markup {
    html! { (value) @if let Some(interval) = interval { small { (interval) } } }
}
