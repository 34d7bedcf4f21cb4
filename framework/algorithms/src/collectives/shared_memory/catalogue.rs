//! The algorithms in shared memory.
//!
//! The folder `src/shared_memory/catalogue` is the catalogue: each file is a module with one algorithm, and its `ENTRIES` are the rows. The
//! build script declares the modules and lists the rows.
use wb_comm::{Error, Result, Verb, text::collective};

use super::SharedAlgorithm;

include!(concat!(env!("OUT_DIR"), "/shared_memory.rs"));

/// Every algorithm, by name.
pub fn all() -> Vec<&'static SharedAlgorithm> {
    let mut all: Vec<_> = ENTRIES.iter().copied().flatten().collect();
    all.sort_by_key(|entry| entry.name);
    all
}

/// The algorithms that perform a verb, by name.
pub fn of_verb(verb: Verb) -> impl Iterator<Item = &'static SharedAlgorithm> {
    all().into_iter().filter(move |entry| entry.verbs.contains(&verb))
}

/// The algorithm of that name.
///
/// # Errors
/// [`Error::Setup`] with the list of the catalogue.
pub fn find(name: &str) -> Result<&'static SharedAlgorithm> {
    let all = all();
    all.iter().find(|entry| entry.name == name).copied().ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|entry| entry.name).collect();
        Error::Setup(collective::unknown_in_shared_memory(name.escape_debug().to_string(), names.join(", ")))
    })
}
