//! The result table of one workload and mode.

use maud::{Markup, html};
use wb_messages::Lang;
use wb_messages::report::result;
use wb_statistics::Estimate;

use crate::analysis::{Group, Row, Withheld};
use crate::{format, wording};

/// The table, one row a series.
pub(super) fn table(lang: Lang, group: &Group) -> Markup {
    html! {
        div.scroll { table.results {
            thead { tr {
                @for (name, class) in columns(lang) { th.(class) scope="col" { (name) } }
            } }
            tbody { @for row in &group.rows { (table_row(lang, row)) } }
        } }
    }
}

fn columns(lang: Lang) -> [(String, &'static str); 12] {
    [
        (result::version(lang), "text"),
        (result::ranks_short(lang), ""),
        (result::time(lang), ""),
        (result::least(lang), ""),
        (result::p95(lang), ""),
        (result::speedup_short(lang), ""),
        (result::efficiency_short(lang), ""),
        (result::of_ceiling(lang), ""),
        (result::karp_flatt(lang), ""),
        (result::samples(lang), ""),
        (result::checked(lang), ""),
        (result::remarks(lang), "text"),
    ]
}

fn table_row(lang: Lang, row: &Row) -> Markup {
    let time = |of: fn(&wb_statistics::Summary) -> f64| row.time.map(|t| format::time(lang, of(&t)));
    let checked = row.checked.right + row.checked.wrong;
    html! {
        tr.base[row.is_base] {
            th.text scope="row" {
                (wording::version(lang, row.series.version))
                @if row.is_base { " " span.mark { (result::base_mark(lang)) } }
            }
            td { (row.series.ranks) }
            td { (row.time.map_or_else(dash, |t| two_lines(&format::time(lang, t.median.value), t.median.interval.map(|_| format::time_interval(lang, &t.median))))) }
            td { (time(|t| t.min).unwrap_or_else(|| "—".to_owned())) }
            td { (time(|t| t.p95).unwrap_or_else(|| "—".to_owned())) }
            td { (cell(lang, row.speedup, format::ratio)) }
            td { (row.efficiency.map_or_else(dash, |e| cell(lang, e, format::percent))) }
            td { (row.of_ceiling.map_or_else(|| "—".to_owned(), format::percent)) }
            td { (row.karp_flatt.map_or_else(dash, |e| estimate(&e, |x| format!("{x:.3}")))) }
            td { (row.n()) " (" (row.launches.len()) ")" }
            td { (row.checked.right) "/" (checked) }
            td.text { @for remark in wording::remarks(lang, row) { span.flag { (remark) } " " } }
        }
    }
}

fn dash() -> Markup {
    html! { "—" }
}

/// The number with its interval, or the words that stand in its place.
fn cell(lang: Lang, number: Result<Estimate, Withheld>, text: fn(f64) -> String) -> Markup {
    match number {
        Ok(number) => estimate(&number, text),
        Err(reason) => html! { span.withheld { (wording::withheld(lang, reason)) } },
    }
}

fn estimate(estimate: &Estimate, text: impl Fn(f64) -> String) -> Markup {
    let interval = estimate.interval.map(|i| format::brackets(i, |x| text(x).replace(" %", "")));
    two_lines(&text(estimate.value), interval)
}

fn two_lines(value: &str, interval: Option<String>) -> Markup {
    html! { (value) @if let Some(interval) = interval { small { (interval) } } }
}
