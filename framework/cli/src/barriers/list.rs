//! `cargo wb barriers list`.

use comfy_table::{ContentArrangement, Table, presets::UTF8_FULL_CONDENSED};
use serde_json::json;
use wb_collectives::{
    Entry,
    catalogue::{self, Cost, Form, Scope, Setting},
    proof,
};
use wb_messages::{Lang, barriers as text};

use super::summary;
use crate::{Done, arguments::ListBarriers};

pub(crate) fn run(wanted: &ListBarriers, lang: Lang, json: bool) -> Done {
    let entries = if wanted.wrong { catalogue::wrong() } else { catalogue::all() };
    let ranks = wanted.ranks as usize;
    if json {
        println!(
            "{:#}",
            serde_json::Value::from_iter(entries.iter().map(|entry| row_json(entry, ranks, lang)))
        );
    } else {
        println!("{}", table(&entries, ranks, lang));
        println!("{}", text::listed(lang, entries.len(), ranks));
    }
    Done::Well
}

/// What the plan costs; where there is none, or it is no barrier, what the formula says.
fn cost(entry: &Entry, ranks: usize) -> Option<Cost> {
    match entry.plans(&Setting::of(ranks)) {
        Some(plans) => proof::prove(&plans.ok()?).ok(),
        None => entry.cost.map(|formula| formula(ranks)),
    }
}

fn table(entries: &[&Entry], ranks: usize, lang: Lang) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header([
        format!("{}\n{}", text::column_name(lang), text::column_family(lang)),
        format!("{}\n{}", text::column_about(lang), text::column_source(lang)),
        text::column_messages(lang),
        text::column_rounds(lang),
        format!("{}\n{}", text::column_promise(lang), text::column_carried(lang)),
    ]);
    for entry in entries {
        let cost = cost(entry, ranks);
        let number =
            |number: Option<usize>| number.map_or_else(|| "-".to_owned(), |number| number.to_string());
        let substrates: Vec<_> = entry.substrates().iter().map(|substrate| substrate.name()).collect();
        table.add_row([
            format!("{}\n{}", entry.name, entry.family.name()),
            format!("{}\n{} ({})", summary(entry, lang), entry.source, entry.section),
            number(cost.map(|cost| cost.messages)),
            number(cost.and_then(|cost| cost.rounds)),
            format!("{}\n{}", promise(entry, lang), substrates.join(" ")),
        ]);
    }
    table
}

fn promise(entry: &Entry, lang: Lang) -> String {
    let memory = if entry.promise.memory { text::memory_too(lang) } else { text::rendezvous(lang) };
    match entry.promise.scope {
        Scope::Group => memory,
        Scope::Neighbours => format!("{memory}, {}", text::neighbours(lang)),
    }
}

fn row_json(entry: &Entry, ranks: usize, lang: Lang) -> serde_json::Value {
    let cost = cost(entry, ranks);
    json!({
        "name": entry.name,
        "family": entry.family.name(),
        "source": entry.source,
        "section": entry.section,
        "summary": summary(entry, lang),
        "promise": {
            "memory": entry.promise.memory,
            "scope": match entry.promise.scope { Scope::Group => "group", Scope::Neighbours => "neighbours" },
        },
        "form": match entry.form { Form::Pattern(_) => "pattern", Form::Program(_) => "program", Form::Native(_) => "native" },
        "substrates": entry.substrates().iter().map(|substrate| substrate.name()).collect::<Vec<_>>(),
        "ranks": ranks,
        "messages": cost.map(|cost| cost.messages),
        "rounds": cost.and_then(|cost| cost.rounds),
        "hops": cost.and_then(|cost| cost.hops),
    })
}
