//! The page of wrong barriers: every fault of the source texts, and every wrong form with the smallest case that refuses it.
//!
//! The English page is made as a whole, from the descriptions of the files. The Russian page has its own descriptions, and the
//! table and the traces are made.
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    fs,
};

use wb_algorithms::barriers::{
    BarrierEntry, Implementation, catalogue,
    compiled_plan::SignalEncoding,
    explore::{MemoryRefutation, refute},
    faults::{FAULTS, forms},
    proof::{Counterexample, ProofResult, prove_all_sizes},
};
use wb_comm::Text;
use wb_messages::Lang;

use crate::sources::root;

const FOLDER: &str = "framework/algorithms/src/barriers/catalogue/wrong";

/// The text in English above the table of faults.
const HEAD: &str = "# Wrong barriers\n\n\
    Each of these is code in `framework/algorithms/src/barriers/catalogue/wrong`, taken from a source text, a paper or a library,\n\
    and each is refused by proof or by exploration: a test sees to that. The traces are the smallest that there are. This\n\
    page is made from the code (`WBTEST_BLESS=1 cargo test -p wb-tests --test repository documents`).\n\n\
    `[2]` is an own cell, `1[2]` a cell of PE 1; `cargo wb barriers prove NAME` shows the same in a terminal.\n\n\
    ## What the texts have wrong\n\n\
    Every fault that we know in the texts which the barriers are taken from, and the wrong form that shows it.\n\n";

/// The English page, with these traces.
///
/// # Panics
/// When a file has no row in the catalogue.
pub fn english_page(traces: &BTreeMap<&str, Text>) -> String {
    let mut page = HEAD.to_owned() + &faults(Lang::En);
    for file in files() {
        let text = fs::read_to_string(root().join(FOLDER).join(&file)).expect("the file is there");
        let description = text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim);
        let entries = entries_of(&text);
        assert!(!entries.is_empty(), "{file} has no row in the catalogue");
        let (title, description) = (file.trim_end_matches(".rs"), description.collect::<Vec<_>>().join("\n"));
        write!(page, "\n## {title}\n\n{description}\n").expect("a string");
        for entry in entries {
            write!(page, "\n{}", traces[entry.name].en).expect("a string");
        }
    }
    page
}

/// The table of faults.
pub fn faults(lang: Lang) -> String {
    let (heading, none) = match lang {
        Lang::En => ("| row | where | what is wrong | shown by |", "none"),
        Lang::Ru => ("| строка | где | что неверно | чем показано |", "нет"),
    };
    let mut table = format!("{heading}\n|--:|---|---|---|\n");
    for (row, fault) in (1..).zip(&FAULTS) {
        let names: Vec<_> = forms(row).iter().map(|entry| format!("`{}`", entry.name)).collect();
        let reason = fault.without_form.map(|why| format!("{none}; {}", why.in_language(lang)));
        let (location, description) = (fault.location.in_language(lang), fault.description.in_language(lang));
        let shown = reason.unwrap_or_else(|| names.join(", "));
        writeln!(table, "| {row} | {location} | {description} | {shown} |").expect("a string");
    }
    table
}

/// For each wrong form its source and the smallest case that refuses it, in the words of `cargo wb barriers prove`.
///
/// # Panics
/// When one is not refused.
pub fn traces() -> BTreeMap<&'static str, Text> {
    catalogue::wrong().into_iter().map(|entry| (entry.name, trace(entry))).collect()
}

fn trace(entry: &BarrierEntry) -> Text {
    let Text { en, ru } = refusal(entry);
    let part =
        |label, refusal| format!("{label}: {}. `{}`:\n\n```text\n{refusal}\n```\n", entry.source, entry.name);
    Text { en: part("Source", en).into(), ru: part("Источник", ru).into() }
}

fn files() -> BTreeSet<String> {
    let entries = fs::read_dir(root().join(FOLDER)).expect("the folder is there");
    let names = entries.map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(".rs")).collect()
}

/// The rows that a file brings: those whose names its text has.
fn entries_of(text: &str) -> Vec<&'static BarrierEntry> {
    let named = |entry: &&BarrierEntry| text.contains(&format!("\"{}\"", entry.name));
    catalogue::wrong().into_iter().filter(named).collect()
}

fn refusal(entry: &BarrierEntry) -> Text {
    let both = |make: &dyn Fn(Lang) -> String| Text { en: make(Lang::En).into(), ru: make(Lang::Ru).into() };
    if let Implementation::Pattern(_) = entry.implementation {
        let Some(ProofResult::Refuted(Counterexample { group, refutation })) =
            prove_all_sizes(entry, 16, None)
        else {
            panic!("{} is not refused", entry.name);
        };
        return both(&|lang| {
            let label = if lang == Lang::En { "nodes" } else { "узлы" };
            let nodes = match group.is_single_node() {
                true => String::new(),
                false => format!(", {label} {:?}", group.nodes),
            };
            format!("P = {}{nodes}: {}", group.size, refutation.text().in_language(lang))
        });
    }
    let found = refute(entry, SignalEncoding::Add, 200_000).expect("programs do not fail");
    let MemoryRefutation { size, episodes, mode, finding } =
        found.unwrap_or_else(|| panic!("{} is not refused", entry.name));
    both(&|lang| {
        let mut trace = match lang {
            Lang::En => format!("P = {size}, episodes {episodes}, delivery {}\n", mode.name()),
            Lang::Ru => format!("P = {size}, эпизодов {episodes}, доставка {}\n", mode.name()),
        };
        for step in finding.trace() {
            writeln!(trace, "  {}", step.text().in_language(lang)).expect("a string");
        }
        trace + finding.text().in_language(lang)
    })
}
