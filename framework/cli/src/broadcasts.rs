//! `cargo wb broadcasts`: the catalogue of broadcasts, their proofs and simulations.

mod list;
mod prove;
mod simulate;

use wb_algorithms::collectives::{Broadcast, broadcast};
use wb_messages::{Lang, broadcasts as text};

use crate::{
    CommandStatus,
    arguments::BroadcastsCommand,
    error::{CliError, Result},
    suggest,
};

pub(crate) fn run(wanted: &BroadcastsCommand, lang: Lang, json: bool) -> Result<CommandStatus> {
    match wanted {
        BroadcastsCommand::List(wanted) => Ok(list::run(wanted, lang, json)),
        BroadcastsCommand::Prove(wanted) => prove::run(wanted, lang, json),
        BroadcastsCommand::Simulate(wanted) => simulate::run(wanted, lang, json),
    }
}

pub(crate) use self::{
    prove::run as prove,
    simulate::{Program, Simulation},
};

/// The broadcast of that name, or all; else a usage error that names the nearest ones.
fn find_broadcasts(name: Option<&str>, lang: Lang) -> Result<Vec<&'static Broadcast>> {
    let all = broadcast::all();
    let Some(name) = name else { return Ok(all) };
    if let Ok(broadcast) = broadcast::find(name) {
        return Ok(vec![broadcast]);
    }
    Err(CliError::Usage(match suggest::nearest_names(name, all.iter().map(|broadcast| broadcast.name)) {
        None => text::unknown(lang, name),
        Some(near) => text::unknown_suggest(lang, name, near),
    }))
}
