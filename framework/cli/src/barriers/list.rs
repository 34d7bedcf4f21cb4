//! `cargo wb barriers list`.

use serde::Serialize;
use wb_algorithms::barriers::{
    ArrivalScope, BarrierCost, BarrierEntry, Family, GroupConfig, Implementation, catalogue, proof,
};
use wb_messages::{Lang, barriers as text, wrap};

use crate::{CommandStatus, arguments::ListBarriersArgs, output, terminal};

/// The indentation of the description of a barrier.
const INDENT: &str = "    ";

pub(crate) fn run(wanted: &ListBarriersArgs, lang: Lang, json: bool) -> CommandStatus {
    let entries = if wanted.wrong { catalogue::wrong() } else { catalogue::all() };
    let ranks = wanted.ranks as usize;
    if json {
        let rows: Vec<_> = entries.iter().map(|entry| BarrierListRow::new(entry, ranks, lang)).collect();
        output::print_json(&rows);
    } else {
        println!("{}", render_list(&entries, ranks, lang));
        let listed = text::list_total(lang, entries.len(), ranks);
        println!("{}", wrap(&listed, "", "", terminal::width().into()));
    }
    CommandStatus::Success
}

/// The cost of the plan; the value of the formula, if there is no plan.
pub(crate) fn cost(entry: &BarrierEntry, ranks: usize) -> Option<BarrierCost> {
    match entry.plans(&GroupConfig::new(ranks)) {
        Some(plans) => proof::prove(&plans.ok()?).ok(),
        None => entry.cost.map(|formula| formula(ranks)),
    }
}

/// The barriers by family, three lines each: costs and substrates, description, source.
fn render_list(entries: &[&BarrierEntry], ranks: usize, lang: Lang) -> String {
    let longest = entries.iter().map(|entry| entry.name.len()).max().unwrap_or_default();
    let row = |name: &str, [messages, rounds, hops]: [String; 3], on: &str| {
        format!("{name:<longest$} {messages:>9} {rounds:>6} {hops:>5}  {on}")
    };
    let names = [text::column_messages(lang), text::column_rounds(lang), text::column_hops(lang)];
    let mut lines = vec![row(&text::column_name(lang), names, &text::column_substrate(lang))];
    let mut family = None;
    for entry in entries {
        if family != Some(entry.family) {
            family = Some(entry.family);
            lines.push(format!("\n{}", family_name(entry.family, lang).to_uppercase()));
        }
        let cost = cost(entry, ranks);
        let number = |of: fn(BarrierCost) -> Option<usize>| {
            cost.and_then(of).map_or_else(|| "-".to_owned(), |n| n.to_string())
        };
        let numbers =
            [number(|cost| Some(cost.messages)), number(|cost| cost.rounds), number(|cost| cost.hops)];
        let substrates: Vec<_> = entry.substrates().iter().map(|substrate| substrate.name()).collect();
        lines.push(row(entry.name, numbers, &substrates.join(" ")));
        let promise = guarantee_text(entry, lang).map_or_else(String::new, |promise| format!(" [{promise}]"));
        for about in [
            format!("{}{promise}", entry.summary.in_language(lang)),
            format!("{} ({})", entry.source, entry.section),
        ] {
            lines.push(wrap(&about, INDENT, INDENT, terminal::width().into()));
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

/// The guarantees that differ from a rendezvous of the whole group.
fn guarantee_text(entry: &BarrierEntry, lang: Lang) -> Option<String> {
    let memory = entry.guarantee.memory.then(|| text::guarantees_memory(lang));
    let neighbours = match entry.guarantee.scope {
        ArrivalScope::Group => None,
        ArrivalScope::Neighbours => Some(text::neighbours(lang)),
    };
    let words: Vec<String> = [memory, neighbours].into_iter().flatten().collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// A barrier in the answer with `--json`.
#[derive(Serialize)]
struct BarrierListRow<'a> {
    name: &'a str,
    family: &'a str,
    source: &'a str,
    section: &'a str,
    summary: &'a str,
    promise: GuaranteeRow,
    form: &'static str,
    substrates: Vec<&'static str>,
    ranks: usize,
    messages: Option<usize>,
    rounds: Option<usize>,
    hops: Option<usize>,
}

#[derive(Serialize)]
struct GuaranteeRow {
    memory: bool,
    scope: &'static str,
}

impl<'a> BarrierListRow<'a> {
    fn new(entry: &'a BarrierEntry, ranks: usize, lang: Lang) -> Self {
        let cost = cost(entry, ranks);
        let scope = match entry.guarantee.scope {
            ArrivalScope::Group => "group",
            ArrivalScope::Neighbours => "neighbours",
        };
        let form = match entry.implementation {
            Implementation::Pattern(_) => "pattern",
            Implementation::Program(_) => "program",
            Implementation::Native(_) => "native",
        };
        Self {
            name: entry.name,
            family: entry.family.name(),
            source: entry.source,
            section: entry.section,
            summary: entry.summary.in_language(lang),
            promise: GuaranteeRow { memory: entry.guarantee.memory, scope },
            form,
            substrates: entry.substrates().iter().map(|substrate| substrate.name()).collect(),
            ranks,
            messages: cost.map(|cost| cost.messages),
            rounds: cost.and_then(|cost| cost.rounds),
            hops: cost.and_then(|cost| cost.hops),
        }
    }
}
