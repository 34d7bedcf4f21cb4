//! `cargo wb collectives list`.

use serde::Serialize;
use wb_algorithms::{
    barriers::catalogue,
    collectives::{
        Broadcast, MessageAlgorithm,
        broadcast::{self, Extent},
        schedule_proof,
        shared_memory::{self, SegmentLayout, SharedAlgorithm, SharedExtent},
    },
};
use wb_comm::{Text, Verb};
use wb_messages::{Lang, barriers as barriers_text, collectives as text, wrap};

use super::{BARRIER, message_algorithms, named_verb};
use crate::{
    CommandStatus,
    arguments::{ListBarriersArgs, ListCollectivesArgs},
    barriers,
    error::Result,
    output, terminal,
};

/// The indentation of the description of an algorithm.
const INDENT: &str = "    ";

/// The most messages of a schedule that is counted: more take seconds.
const MAX_COUNTED_RANKS: usize = 128;

/// An algorithm; the answer with `--json`.
#[derive(Serialize)]
struct AlgorithmRow {
    verb: &'static str,
    name: &'static str,
    /// `barrier`, `messages` or `shared_memory`.
    family: &'static str,
    source: &'static str,
    summary: &'static str,
    ranks: usize,
    bytes: usize,
    messages: Option<usize>,
    rounds: Option<usize>,
    lines_written: Option<usize>,
    lines_read: Option<usize>,
}

pub(crate) fn run(wanted: &ListCollectivesArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    let verb = named_verb(wanted.verb.as_deref(), lang)?;
    if verb == Some(Verb::Barrier) {
        return Ok(barriers::list(&ListBarriersArgs { ranks: wanted.ranks, wrong: false }, lang, json));
    }
    let size = ListedSize { ranks: wanted.ranks as usize, bytes: wanted.bytes as usize, lang };
    let rows = rows(verb, &size);
    match json {
        true => output::print_json(&rows),
        false => print(&rows, wanted, lang),
    }
    Ok(CommandStatus::Success)
}

/// The size of the operations of a list.
struct ListedSize {
    ranks: usize,
    bytes: usize,
    lang: Lang,
}

fn rows(verb: Option<Verb>, size: &ListedSize) -> Vec<AlgorithmRow> {
    let barriers = if verb.is_none() { catalogue::all() } else { vec![] };
    let barriers = barriers.into_iter().map(|entry| {
        let cost = barriers::cost(entry, size.ranks);
        AlgorithmRow {
            bytes: 0,
            messages: cost.map(|cost| cost.messages),
            rounds: cost.and_then(|cost| cost.rounds),
            ..size.row((BARRIER, BARRIER), entry.name, entry.source, &entry.summary)
        }
    });
    let of_data = message_algorithms(verb).flat_map(|algorithm| {
        size.over_messages(algorithm).into_iter().chain(size.in_shared_memory(algorithm.verb))
    });
    barriers.chain(of_data).collect()
}

impl ListedSize {
    /// A row without costs.
    fn row(
        &self,
        (verb, family): (&'static str, &'static str),
        name: &'static str,
        source: &'static str,
        summary: &'static Text<&'static str>,
    ) -> AlgorithmRow {
        AlgorithmRow {
            verb,
            name,
            family,
            source,
            summary: summary.in_language(self.lang),
            ranks: self.ranks,
            bytes: self.bytes,
            messages: None,
            rounds: None,
            lines_written: None,
            lines_read: None,
        }
    }

    fn over_messages(&self, algorithm: &'static MessageAlgorithm) -> Vec<AlgorithmRow> {
        let kind = (algorithm.verb.name(), "messages");
        if algorithm.verb == Verb::Bcast {
            let extent = Extent { size: self.ranks, count: self.bytes, segment: broadcast::SEGMENT_BYTES };
            let row = |entry: &'static Broadcast| AlgorithmRow {
                messages: Some((entry.messages)(extent)),
                rounds: (entry.rounds)(extent),
                ..self.row(kind, entry.name, entry.source, &entry.summary)
            };
            return broadcast::all().into_iter().map(row).collect();
        }
        let is_counted = self.ranks <= MAX_COUNTED_RANKS;
        let counted = is_counted.then(|| schedule_proof::prove(algorithm, self.ranks, 1, 0).ok()).flatten();
        vec![AlgorithmRow {
            messages: counted.as_ref().map(Vec::len),
            rounds: counted.map(|messages| messages.last().map_or(0, |last| last.arrives)),
            ..self.row(kind, algorithm.name, algorithm.source, &algorithm.summary)
        }]
    }

    fn in_shared_memory(&self, verb: Verb) -> Vec<AlgorithmRow> {
        let layout = SegmentLayout::for_ranks(self.ranks);
        let extent = SharedExtent { size: self.ranks, bytes: self.bytes, layout };
        let row = |entry: &'static SharedAlgorithm| {
            let lines = (self.ranks > 1).then(|| (entry.lines)(extent));
            AlgorithmRow {
                lines_written: lines.map(|lines| lines.written),
                lines_read: lines.map(|lines| lines.read),
                ..self.row((verb.name(), "shared_memory"), entry.name, entry.source, &entry.summary)
            }
        };
        shared_memory::of_verb(verb).map(row).collect()
    }
}

/// Three lines for each algorithm: costs, description, source.
fn print(rows: &[AlgorithmRow], wanted: &ListCollectivesArgs, lang: Lang) {
    let longest = rows.iter().map(|row| row.name.len()).max().unwrap_or_default();
    let line = |name: &str, cells: [String; 4]| {
        let [messages, rounds, written, read] = cells;
        format!("{name:<longest$} {messages:>9} {rounds:>7} {written:>9} {read:>8}").trim_end().to_owned()
    };
    let head = [
        barriers_text::column_messages(lang),
        barriers_text::column_rounds(lang),
        text::column_written(lang),
        text::column_read(lang),
    ];
    println!("{}", line("", head));
    let mut verb = "";
    for row in rows {
        if verb != row.verb {
            verb = row.verb;
            println!("\n{}", verb.to_uppercase());
        }
        let cell = |number: Option<usize>| number.map_or_else(|| "-".to_owned(), |number| number.to_string());
        println!(
            "{}",
            line(row.name, [row.messages, row.rounds, row.lines_written, row.lines_read].map(cell))
        );
        for about in [row.summary, row.source] {
            println!("{}", wrap(about, INDENT, INDENT, terminal::width().into()));
        }
    }
    let total = text::list_total(lang, rows.len(), wanted.ranks, wanted.bytes);
    println!("\n{}", wrap(&total, "", "", terminal::width().into()));
}
