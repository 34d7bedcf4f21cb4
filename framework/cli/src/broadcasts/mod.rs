//! `cargo wb broadcasts`: what broadcasts there are, why they are right, what they would cost.

mod list;
mod prove;
mod simulate;

use wb_collectives::{Broadcast, broadcast};
use wb_messages::{Lang, broadcasts as text};

use crate::{
    Done,
    arguments::Broadcasts,
    error::{CliError, Result},
    near,
};

pub(crate) fn run(wanted: &Broadcasts, lang: Lang, json: bool) -> Result<Done> {
    match wanted {
        Broadcasts::List(wanted) => Ok(list::run(wanted, lang, json)),
        Broadcasts::Prove(wanted) => prove::run(wanted, lang, json),
        Broadcasts::Simulate(wanted) => simulate::run(wanted, lang, json),
    }
}

/// The broadcast of that name, or all; else a wrong command line that names the nearest ones.
fn named(name: Option<&str>, lang: Lang) -> Result<Vec<&'static Broadcast>> {
    let all = broadcast::all();
    let Some(name) = name else { return Ok(all) };
    if let Ok(broadcast) = broadcast::find(name) {
        return Ok(vec![broadcast]);
    }
    Err(CliError::Usage(match near::names(name, all.iter().map(|broadcast| broadcast.name)) {
        None => text::unknown(lang, name),
        Some(near) => text::unknown_near(lang, name, near),
    }))
}
