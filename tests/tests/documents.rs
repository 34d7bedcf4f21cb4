//! What the documents say of the barriers is what the code says.
use std::fmt::Write;

use wb_collectives::{
    Entry,
    catalogue::{self, Promise, Scope, Setting},
    proof::prove,
};
use wb_tests::{
    pages::{keep, replaced},
    sources::root,
};

const SIZE: usize = 8;

#[test]
fn the_catalogue_in_the_documents_is_the_catalogue() {
    let mut table = String::from(
        "| name | family | promise | messages | rounds | hops | runs on | source | § |\n|---|---|---|--:|--:|--:|---|---|---|\n",
    );
    for entry in catalogue::all() {
        writeln!(table, "{}", row(entry)).expect("a string");
    }
    keep("docs/barriers.md", "catalogue", &table);
}

fn row(entry: &Entry) -> String {
    let [messages, rounds, hops] = costs(entry).map(|cost| cost.map_or("-".to_owned(), |n| n.to_string()));
    let substrates: Vec<_> = entry.substrates().iter().map(|substrate| substrate.name()).collect();
    format!(
        "| `{}` | {} | {} | {messages} | {rounds} | {hops} | {} | {} | {} |",
        entry.name,
        entry.family.name(),
        promise(entry.promise),
        substrates.join(", "),
        entry.source.replace('|', "\\|"),
        entry.section,
    )
}

/// Messages, rounds and hops: counted from the plan where there is one, else by the formula; nothing where the barrier is
/// not defined for the size.
fn costs(entry: &Entry) -> [Option<usize>; 3] {
    let cost = match entry.plans(&Setting::of(SIZE)) {
        Some(plans) => plans.ok().and_then(|plans| prove(&plans).ok()),
        None => entry.cost.map(|formula| formula(SIZE)),
    };
    cost.map_or([None; 3], |cost| [Some(cost.messages), cost.rounds, cost.hops])
}

fn promise(promise: Promise) -> &'static str {
    match (promise.memory, promise.scope) {
        (false, Scope::Group) => "rendezvous",
        (true, Scope::Group) => "rendezvous, memory",
        (false, Scope::Neighbours) => "neighbours",
        (true, Scope::Neighbours) => "neighbours, memory",
    }
}

#[test]
fn the_walk_through_shows_a_file_that_exists() {
    let file = "framework/collectives/src/barrier/pattern/all_to_all.rs";
    let text = std::fs::read_to_string(root().join(file)).expect("the file is there");
    keep("docs/barriers.md", &format!("file {file}"), &format!("```rust,ignore\n{text}```\n"));
}

#[test]
fn canary_a_part_that_is_missing_or_different_is_noticed() {
    let text = "before\n<!-- part -->\nold\n<!-- /part -->\nafter\n";
    assert_eq!(
        replaced(text, "part", "new\n").as_deref(),
        Some("before\n<!-- part -->\nnew\n<!-- /part -->\nafter\n")
    );
    assert_eq!(replaced(text, "part", "old\n").as_deref(), Some(text));
    assert_eq!(replaced(text, "another", ""), None);
}
