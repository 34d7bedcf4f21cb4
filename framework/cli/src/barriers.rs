//! `cargo wb barriers`: what barriers there are, why they are right, what they do, how fast they are and would be.

mod bench;
mod list;
mod plan;
mod prove;
mod simulate;

use wb_barriers::{BarrierEntry, catalogue};
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

/// The barrier of that name, a wrong one too; else a wrong command line that names the nearest ones.
fn find_barrier(name: &str, lang: Lang) -> Result<&'static BarrierEntry> {
    let all: Vec<_> = catalogue::all().into_iter().chain(catalogue::wrong()).collect();
    if let Some(entry) = all.iter().find(|entry| entry.name == name) {
        return Ok(entry);
    }
    let known: Vec<_> = all.iter().map(|entry| entry.name).collect();
    Err(unknown_barrier_error(name, &known, lang))
}

/// There is no barrier of that name: a wrong command line, with the nearest ones.
fn unknown_barrier_error(name: &str, known: &[&str], lang: Lang) -> CliError {
    CliError::Usage(match suggest::nearest_names(name, known.iter().copied()) {
        None => text::unknown(lang, name),
        Some(near) => text::unknown_suggest(lang, name, near),
    })
}
