//! `cargo wb barriers`: what barriers there are, why they are right, what they do, how fast they are and would be.

mod bench;
mod list;
mod plan;
mod prove;
mod simulate;

use wb_collectives::{Entry, catalogue};
use wb_messages::{Lang, barriers as text};

use crate::{
    Done,
    arguments::Barriers,
    error::{CliError, Result},
    near,
};

pub(crate) fn run(wanted: &Barriers, lang: Lang, json: bool) -> Result<Done> {
    match wanted {
        Barriers::List(wanted) => Ok(list::run(wanted, lang, json)),
        Barriers::Prove(wanted) => prove::run(wanted, lang, json),
        Barriers::Plan(wanted) => plan::run(wanted, lang, json),
        Barriers::Bench(wanted) => bench::run(wanted, lang, json),
        Barriers::Simulate(wanted) => simulate::run(wanted, lang, json),
    }
}

/// The barrier of that name, a wrong one too; else a wrong command line that names the nearest ones.
fn named(name: &str, lang: Lang) -> Result<&'static Entry> {
    let all: Vec<_> = catalogue::all().into_iter().chain(catalogue::wrong()).collect();
    if let Some(entry) = all.iter().find(|entry| entry.name == name) {
        return Ok(entry);
    }
    let known: Vec<_> = all.iter().map(|entry| entry.name).collect();
    Err(unknown(name, &known, lang))
}

/// There is no barrier of that name: a wrong command line, with the nearest ones.
fn unknown(name: &str, known: &[&str], lang: Lang) -> CliError {
    CliError::Usage(match near::names(name, known.iter().copied()) {
        None => text::unknown(lang, name),
        Some(near) => text::unknown_near(lang, name, near),
    })
}
