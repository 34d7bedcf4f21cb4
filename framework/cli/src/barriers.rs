//! `cargo wb barriers`: the catalogue of barriers, their proofs, plans, measurements and simulations.

mod bench;
mod list;
mod plan;
mod prove;
mod simulate;

use wb_algorithms::barriers::{BarrierEntry, catalogue};
use wb_messages::{Lang, barriers as text};

use crate::{
    CommandStatus,
    arguments::BarriersCommand,
    error::{CliError, Result},
    suggest,
};

pub(crate) fn run(wanted: &BarriersCommand, lang: Lang, json: bool) -> Result<CommandStatus> {
    match wanted {
        BarriersCommand::List(wanted) => Ok(list::run(wanted, lang, json)),
        BarriersCommand::Prove(wanted) => prove::run(wanted, lang, json),
        BarriersCommand::Plan(wanted) => plan::run(wanted, lang, json),
        BarriersCommand::Bench(wanted) => bench::run(wanted, lang, json),
        BarriersCommand::Simulate(wanted) => simulate::run(wanted, lang, json),
    }
}

pub(crate) use self::{
    bench::run as bench,
    list::{cost, run as list},
    plan::{diagram, run as plan},
    prove::run as prove,
    simulate::run as simulate,
};

/// The barrier of that name, also a wrong barrier; else a usage error that names the nearest ones.
fn find_barrier(name: &str, lang: Lang) -> Result<&'static BarrierEntry> {
    let all: Vec<_> = catalogue::all().into_iter().chain(catalogue::wrong()).collect();
    if let Some(entry) = all.iter().find(|entry| entry.name == name) {
        return Ok(entry);
    }
    let known: Vec<_> = all.iter().map(|entry| entry.name).collect();
    Err(unknown_barrier_error(name, &known, lang))
}

/// The usage error for an unknown barrier, with the nearest names.
fn unknown_barrier_error(name: &str, known: &[&str], lang: Lang) -> CliError {
    CliError::Usage(match suggest::nearest_names(name, known.iter().copied()) {
        None => text::unknown(lang, name),
        Some(near) => text::unknown_suggest(lang, name, near),
    })
}
