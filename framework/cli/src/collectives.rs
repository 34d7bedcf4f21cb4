//! `cargo wb collectives`: barriers, broadcasts and all other collective operations in one laboratory. For barriers, and for the proofs and
//! simulations of broadcasts, the code is that of `cargo wb barriers` and `cargo wb broadcasts`.

mod bench;
mod list;
mod plan;
mod prove;
mod simulate;

use wb_algorithms::{
    barriers::catalogue,
    collectives::{MESSAGE_ALGORITHMS, MessageAlgorithm},
};
use wb_comm::Verb;
use wb_messages::{Lang, collectives as text};

use crate::{
    CommandStatus,
    arguments::CollectivesCommand,
    error::{CliError, Result},
    suggest,
};

pub(crate) fn run(wanted: &CollectivesCommand, lang: Lang, json: bool) -> Result<CommandStatus> {
    match wanted {
        CollectivesCommand::List(wanted) => list::run(wanted, lang, json),
        CollectivesCommand::Prove(wanted) => prove::run(wanted, lang, json),
        CollectivesCommand::Plan(wanted) => plan::run(wanted, lang, json),
        CollectivesCommand::Simulate(wanted) => simulate::run(wanted, lang, json),
        CollectivesCommand::Bench(wanted) => bench::run(wanted, lang, json),
    }
}

/// The name of barriers among the operations.
const BARRIER: &str = "barrier";

/// The operation of that name; else a usage error that names the nearest ones.
fn find_verb(name: &str, lang: Lang) -> Result<Verb> {
    let verbs = || MESSAGE_ALGORITHMS.iter().map(|algorithm| algorithm.verb);
    match name {
        BARRIER => return Ok(Verb::Barrier),
        "broadcast" => return Ok(Verb::Bcast),
        _ => {}
    }
    if let Some(verb) = verbs().find(|verb| verb.name() == name) {
        return Ok(verb);
    }
    let names: Vec<&str> = verbs().map(Verb::name).chain([BARRIER, "broadcast"]).collect();
    Err(CliError::Usage(match suggest::nearest_names(name, names.iter().copied()) {
        None => text::unknown(lang, name, names.join(", ")),
        Some(near) => text::unknown_suggest(lang, name, near),
    }))
}

/// The algorithms over messages of an operation; of all if there is none.
fn message_algorithms(verb: Option<Verb>) -> impl Iterator<Item = &'static MessageAlgorithm> {
    MESSAGE_ALGORITHMS.iter().filter(move |algorithm| verb.is_none_or(|verb| verb == algorithm.verb))
}

/// The operation that was named, if any.
fn named_verb(name: Option<&str>, lang: Lang) -> Result<Option<Verb>> {
    name.map(|name| find_verb(name, lang)).transpose()
}

/// Whether a barrier has this name.
fn is_barrier(name: &str) -> bool {
    catalogue::all().iter().chain(&catalogue::wrong()).any(|entry| entry.name == name)
}
