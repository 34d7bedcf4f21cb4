//! `cargo wb broadcasts list`.

use serde_json::json;
use wb_collectives::{
    Broadcast,
    broadcast::{self, Extent},
};
use wb_messages::{Lang, barriers, broadcasts as text, wrapped};

use crate::{Done, arguments::ListBroadcasts, screen};

/// In front of what is told of a broadcast.
const INDENT: &str = "    ";

pub(crate) fn run(wanted: &ListBroadcasts, lang: Lang, json: bool) -> Done {
    let (size, count, segment) = (wanted.ranks as usize, wanted.bytes as usize, wanted.segment as usize);
    let (all, extent) = (broadcast::all(), Extent { size, count, segment });
    if json {
        println!("{:#}", serde_json::Value::from_iter(all.iter().map(|one| row_json(one, extent, lang))));
    } else {
        println!("{}", listing(&all, extent, lang));
        let listed = text::listed(lang, all.len(), size, count, segment);
        println!("{}", wrapped(&listed, "", "", screen::width().into()));
    }
    Done::Well
}

/// Three lines a broadcast: what it costs; what it does; whose it is.
fn listing(all: &[&Broadcast], extent: Extent, lang: Lang) -> String {
    let longest = all.iter().map(|broadcast| broadcast.name.len()).max().unwrap_or_default();
    let row =
        |name: &str, messages: &str, rounds: &str| format!("{name:<longest$} {messages:>10} {rounds:>8}");
    let (messages, rounds) = (barriers::column_messages(lang), barriers::column_rounds(lang));
    let mut lines = vec![row(&text::column_name(lang), &messages, &rounds)];
    for broadcast in all {
        let rounds = (broadcast.rounds)(extent).map_or_else(|| "-".to_owned(), |rounds| rounds.to_string());
        lines.push(row(broadcast.name, &(broadcast.messages)(extent).to_string(), &rounds));
        let source = format!("{} ({})", broadcast.source, broadcast.section);
        for about in [screen::said(broadcast.summary, lang), &source] {
            lines.push(wrapped(about, INDENT, INDENT, screen::width().into()));
        }
    }
    lines.join("\n") + "\n"
}

fn row_json(broadcast: &Broadcast, extent: Extent, lang: Lang) -> serde_json::Value {
    json!({
        "name": broadcast.name,
        "source": broadcast.source,
        "section": broadcast.section,
        "summary": screen::said(broadcast.summary, lang),
        "ranks": extent.size,
        "bytes": extent.count,
        "segment_bytes": extent.segment,
        "messages": (broadcast.messages)(extent),
        "rounds": (broadcast.rounds)(extent),
    })
}
