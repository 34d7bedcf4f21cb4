//! `cargo wb barriers list`.

use serde_json::json;
use wb_collectives::{
    Entry,
    catalogue::{self, Cost, Family, Form, Scope, Setting},
    proof,
};
use wb_messages::{Lang, barriers as text, wrapped};

use crate::{Done, arguments::ListBarriers, screen};

/// What is told of a barrier stands so far in.
const INDENT: &str = "    ";

pub(crate) fn run(wanted: &ListBarriers, lang: Lang, json: bool) -> Done {
    let entries = if wanted.wrong { catalogue::wrong() } else { catalogue::all() };
    let ranks = wanted.ranks as usize;
    if json {
        println!(
            "{:#}",
            serde_json::Value::from_iter(entries.iter().map(|entry| row_json(entry, ranks, lang)))
        );
    } else {
        println!("{}", listing(&entries, ranks, lang));
        let listed = text::listed(lang, entries.len(), ranks);
        println!("{}", wrapped(&listed, "", "", screen::width().into()));
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

/// Three lines a barrier, under its family: what it costs and where it runs; what it does; whose it is.
fn listing(entries: &[&Entry], ranks: usize, lang: Lang) -> String {
    let longest = entries.iter().map(|entry| entry.name.len()).max().unwrap_or_default();
    let row = |name: &str, [messages, rounds, hops]: [String; 3], on: &str| {
        format!("{name:<longest$} {messages:>9} {rounds:>6} {hops:>5}  {on}")
    };
    let names = [text::column_messages(lang), text::column_rounds(lang), text::column_hops(lang)];
    let mut lines = vec![row(&text::column_name(lang), names, &text::column_carried(lang))];
    let mut family = None;
    for entry in entries {
        if family != Some(entry.family) {
            family = Some(entry.family);
            lines.push(format!("\n{}", family_name(entry.family, lang).to_uppercase()));
        }
        let cost = cost(entry, ranks);
        let number = |of: fn(Cost) -> Option<usize>| {
            cost.and_then(of).map_or_else(|| "-".to_owned(), |n| n.to_string())
        };
        let numbers =
            [number(|cost| Some(cost.messages)), number(|cost| cost.rounds), number(|cost| cost.hops)];
        let substrates: Vec<_> = entry.substrates().iter().map(|substrate| substrate.name()).collect();
        lines.push(row(entry.name, numbers, &substrates.join(" ")));
        let promise = promise(entry, lang).map_or_else(String::new, |promise| format!(" [{promise}]"));
        for about in [
            format!("{}{promise}", screen::said(entry.summary, lang)),
            format!("{} ({})", entry.source, entry.section),
        ] {
            lines.push(wrapped(&about, INDENT, INDENT, screen::width().into()));
        }
    }
    lines.join("\n") + "\n"
}

fn family_name(family: Family, lang: Lang) -> String {
    match family {
        Family::TwoSided => text::family_two_sided(lang),
        Family::OneSided => text::family_one_sided(lang),
        Family::Ascend => text::family_ascend(lang),
        Family::Partial => text::family_partial(lang),
        Family::ControlNetwork => text::family_control_network(lang),
        Family::Hierarchical => text::family_hierarchical(lang),
        Family::SharedMemory => text::family_shared_memory(lang),
        Family::Rma => text::family_rma(lang),
        Family::Native => text::family_native(lang),
        Family::Wrong => text::family_wrong(lang),
    }
}

/// What it promises beyond, or short of, a rendezvous of the whole group.
fn promise(entry: &Entry, lang: Lang) -> Option<String> {
    let memory = entry.promise.memory.then(|| text::memory_too(lang));
    let neighbours = match entry.promise.scope {
        Scope::Group => None,
        Scope::Neighbours => Some(text::neighbours(lang)),
    };
    let words: Vec<String> = [memory, neighbours].into_iter().flatten().collect();
    (!words.is_empty()).then(|| words.join(", "))
}

fn row_json(entry: &Entry, ranks: usize, lang: Lang) -> serde_json::Value {
    let cost = cost(entry, ranks);
    json!({
        "name": entry.name,
        "family": entry.family.name(),
        "source": entry.source,
        "section": entry.section,
        "summary": screen::said(entry.summary, lang),
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
