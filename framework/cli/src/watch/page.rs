//! The page of `cargo wb watch --page`: what the screen shows, the ranks that wait for each other, the running ranks, the trace.

use std::{collections::BTreeSet, f64::consts::TAU};

use maud::{Markup, PreEscaped, html};
use wb_messages::{Lang, top as top_text, watch as text};
use wb_record::{FunctionalRecord, RankWait};
use wb_text::waiting;

use crate::top::JobTable;

const SCRIPT: &str = include_str!("page.js");
const STYLE: &str = "pre{overflow-x:auto;margin:0;font:13px/1.45 ui-monospace,monospace}svg{max-width:100%;overflow:visible;height:auto}\
    svg *{stroke:currentColor;fill:var(--paper)}svg text{stroke:none;fill:currentColor;font-size:15px;text-anchor:middle}svg .call{font-size:11px;paint-order:stroke;stroke:var(--paper);stroke-width:3px}svg .start{text-anchor:start}svg .end{text-anchor:end}\
    marker path{fill:currentColor}a:focus-visible,[tabindex]:focus-visible{outline:2px solid var(--link)}h1,h2,code{overflow-wrap:anywhere}";

/// The most ranks that are drawn, and those whose arrows name their calls.
const MAX_DRAWN: usize = 16;
const MAX_NAMED: usize = 8;

/// What the page shows of the screen, without colours.
#[derive(Debug, Clone, Default)]
pub(super) struct PageState {
    /// The title, the steps with their verdicts, the changes and the remark.
    pub(super) head: Vec<String>,
    /// The first failure, or what the compiler has found.
    pub(super) body: String,
    pub(super) has_failed: bool,
    /// The records of hangs.
    pub(super) hangs: Vec<FunctionalRecord>,
}

/// The page; `has_trace`: `trace.html` is beside it.
pub(super) fn page(state: &PageState, jobs: &[JobTable], has_trace: bool, lang: Lang) -> String {
    let (title, steps) = state.head.split_first().map_or(("", [].as_slice()), |(title, rest)| (title, rest));
    let line = first_location(&state.body).filter(|_| state.has_failed);
    let body = html! {
        main {
            header id="title" { h1 { (title) } }
            p.alarm id="gone" role="alert" hidden { (text::command_ended(lang)) }
            section id="verdict" role="status" {
                pre tabindex="0" { (steps.join("\n")) }
                @if let Some(line) = line { p { strong { (text::first_line(lang)) } " " code { (line) } } }
            }
            section id="waits" hidden[state.hangs.is_empty()] { @if let Some(hang) = shown_hang(state) { (wait_graph(hang, lang)) } }
            section id="report" { pre tabindex="0" { (state.body) } }
            section id="ranks" aria-label=(top_text::about(lang)) { (ranks(jobs, lang)) }
            section id="trace" hidden[!has_trace] { a href="trace.html" { (text::trace_page(lang)) } }
        }
        script { (PreEscaped(SCRIPT)) }
    };
    wb_report::standalone_page(lang, title, STYLE, &body)
}

/// The first line of a Rust file that a report names; of a hang, the first one in its cycle of ranks.
fn first_location(report: &str) -> Option<&str> {
    let cycle = report.find('▶').unwrap_or(0);
    let words = report[cycle..].split_whitespace().map(|word| word.trim_matches(['(', ')', ',', ':', '`']));
    let is_line = |word: &&str| {
        word.split_once(".rs:").is_some_and(|(_, at)| at.starts_with(|c: char| c.is_ascii_digit()))
    };
    words.into_iter().find(is_line)
}

/// The hang that the report is about: the first one with its number of ranks.
fn shown_hang(PageState { hangs, body, .. }: &PageState) -> Option<&FunctionalRecord> {
    let (_, rest) = body.split_once("P = ").unwrap_or_default();
    let ranks = rest.split(|letter: char| !letter.is_ascii_digit()).next();
    let is_shown = |hang: &&FunctionalRecord| ranks == Some(hang.ranks.to_string().as_str());
    hangs.iter().find(is_shown).or(hangs.first())
}

fn ranks(jobs: &[JobTable], lang: Lang) -> Markup {
    html! {
        @if jobs.is_empty() { p { (top_text::nothing_runs(lang)) } }
        @for (heading, rows) in jobs {
            h2 { (heading) }
            @if let Some((head, rows)) = rows.split_first() {
                div.scroll tabindex="0" role="region" aria-label=(heading) {
                    table.results {
                        thead { tr { @for title in head { th.text scope="col" { (title) } } } }
                        tbody { @for row in rows { tr { @for cell in row { td.text { (cell) } } } } }
                    }
                }
            }
        }
    }
}

/// The wait-for graph of a hang, drawn and in words.
fn wait_graph(FunctionalRecord { waits, reason, ranks: size, .. }: &FunctionalRecord, lang: Lang) -> Markup {
    let ranks: BTreeSet<u32> = waits.iter().flat_map(|wait| [wait.rank, wait.waits_for]).collect();
    let call = |wait: &RankWait| match wait.tag {
        Some(tag) => waiting::with_tag(&wait.call, tag).render(lang),
        None => wait.call.clone(),
    };
    let words = |wait: &RankWait| text::waits_for(lang, wait.rank, wait.waits_for, call(wait), &wait.line);
    let words: Vec<String> = waits.iter().map(words).collect();
    let place = |rank: u32| {
        let angle = TAU * ranks.range(..rank).count() as f64 / ranks.len() as f64;
        (150.0 + 90.0 * angle.sin(), 115.0 - 90.0 * angle.cos())
    };
    // From the rim of one circle to that of the other, and the place of the call; two opposite arrows are apart.
    let edge = |RankWait { rank: from, waits_for: to, .. }: &RankWait| {
        let ((x1, y1), (x2, y2)) = (place(*from), place(*to));
        let length = (x2 - x1).hypot(y2 - y1).max(1.0);
        let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
        let aside = |x: f64, y: f64, by: f64| (x + by * dy, y - by * dx);
        let (start, end) =
            (aside(x1 + 17.0 * dx, y1 + 17.0 * dy, 5.0), aside(x2 - 23.0 * dx, y2 - 23.0 * dy, 5.0));
        let (x, y) = aside((x1 + x2) / 2.0, (y1 + y2) / 2.0, 10.0);
        let anchor = if dy > 0.3 {
            "start"
        } else if dy < -0.3 {
            "end"
        } else {
            "middle"
        };
        (format!("M{:.0} {:.0}L{:.0} {:.0}", start.0, start.1, end.0, end.1), (x, y + 3.0), anchor)
    };
    html! {
        h2 { (text::waits_title(lang, size)) }
        @if (1..=MAX_DRAWN).contains(&ranks.len()) {
            svg viewBox="0 0 300 230" width="300" role="img" aria-labelledby="graph-title graph-text" {
                title id="graph-title" { (text::waits_title(lang, size)) }
                desc id="graph-text" { (words.join("; ")) }
                marker id="arrow" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="7" markerHeight="7" orient="auto" { path d="M0 0L8 4L0 8z" {} }
                @for (wait, (path, (x, y), anchor)) in waits.iter().map(|wait| (wait, edge(wait))) {
                    path d=(path) marker-end="url(#arrow)" {}
                    @if ranks.len() <= MAX_NAMED { text.call.(anchor) x=(format!("{x:.0}")) y=(format!("{y:.0}")) { (call(wait)) } }
                }
                @for (rank, (x, y)) in ranks.iter().map(|rank| (rank, place(*rank))) {
                    circle cx=(format!("{x:.0}")) cy=(format!("{y:.0}")) r="16" {}
                    text x=(format!("{x:.0}")) y=(format!("{:.0}", y + 5.0)) { (rank) }
                }
            }
        }
        p { (reason.as_deref().unwrap_or_default()) }
        ul { @for line in &words { li { (line) } } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_of_a_hang_is_in_its_cycle() {
        assert_eq!(first_location("send at a.rs:80 (rank 1)\n  ┌▶  2  recv at b.rs:7\n"), Some("b.rs:7"));
        assert_eq!(first_location("send at a.rs:80 (rank 1), b.rs:7"), Some("a.rs:80"));
    }

    #[test]
    fn the_hang_of_the_report_is_drawn() {
        let hangs = [3, 4].map(|ranks| FunctionalRecord { ranks, ..FunctionalRecord::example() }).to_vec();
        let drawn = |body: &str| {
            let state = PageState { body: body.to_owned(), hangs: hangs.clone(), ..PageState::default() };
            shown_hang(&state).map(|hang| hang.ranks)
        };
        assert_eq!(["seen on threads: P = 4, 7", "P = 5", ""].map(drawn), [Some(4), Some(3), Some(3)]);
    }
}
