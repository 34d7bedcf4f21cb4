//! `cargo wb broadcasts list`.

use serde::Serialize;
use wb_algorithms::collectives::{
    Broadcast,
    broadcast::{self, Extent},
};
use wb_messages::{Lang, barriers, broadcasts as text, wrap};

use crate::{CommandStatus, arguments::ListBroadcastsArgs, output, terminal};

/// The indentation of the description of a broadcast.
const INDENT: &str = "    ";

pub(crate) fn run(wanted: &ListBroadcastsArgs, lang: Lang, json: bool) -> CommandStatus {
    let (size, count, segment) = (wanted.ranks as usize, wanted.bytes as usize, wanted.segment as usize);
    let (all, extent) = (broadcast::all(), Extent { size, count, segment });
    if json {
        let rows: Vec<_> =
            all.iter().map(|broadcast| BroadcastListRow::new(broadcast, extent, lang)).collect();
        output::print_json(&rows);
    } else {
        println!("{}", render_list(&all, extent, lang));
        let listed = text::list_total(lang, all.len(), size, count, segment);
        println!("{}", wrap(&listed, "", "", terminal::width().into()));
    }
    CommandStatus::Success
}

/// Three lines for each broadcast: costs, description, source.
fn render_list(all: &[&Broadcast], extent: Extent, lang: Lang) -> String {
    let longest = all.iter().map(|broadcast| broadcast.name.len()).max().unwrap_or_default();
    let row =
        |name: &str, messages: &str, rounds: &str| format!("{name:<longest$} {messages:>10} {rounds:>8}");
    let (messages, rounds) = (barriers::column_messages(lang), barriers::column_rounds(lang));
    let mut lines = vec![row(&text::column_name(lang), &messages, &rounds)];
    for broadcast in all {
        let rounds = (broadcast.rounds)(extent).map_or_else(|| "-".to_owned(), |rounds| rounds.to_string());
        lines.push(row(broadcast.name, &(broadcast.messages)(extent).to_string(), &rounds));
        let source = format!("{} ({})", broadcast.source, broadcast.section);
        for about in [broadcast.summary.in_language(lang), &source] {
            lines.push(wrap(about, INDENT, INDENT, terminal::width().into()));
        }
    }
    lines.join("\n") + "\n"
}

/// A broadcast in the answer with `--json`.
#[derive(Serialize)]
struct BroadcastListRow<'a> {
    name: &'a str,
    source: &'a str,
    section: &'a str,
    summary: &'a str,
    ranks: usize,
    bytes: usize,
    segment_bytes: usize,
    messages: usize,
    rounds: Option<usize>,
}

impl<'a> BroadcastListRow<'a> {
    fn new(broadcast: &'a Broadcast, extent: Extent, lang: Lang) -> Self {
        Self {
            name: broadcast.name,
            source: broadcast.source,
            section: broadcast.section,
            summary: broadcast.summary.in_language(lang),
            ranks: extent.size,
            bytes: extent.count,
            segment_bytes: extent.segment,
            messages: (broadcast.messages)(extent),
            rounds: (broadcast.rounds)(extent),
        }
    }
}
