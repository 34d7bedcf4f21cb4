//! The catalogue of broadcasts.
//!
//! The folder `src/broadcast/catalogue` is the catalogue: each file is a module with one algorithm, and its `ENTRIES` are the
//! rows. The build script declares the modules and lists the rows, so no list is kept by hand.
use wb_comm::{Error, Result, text};

use super::Broadcast;

include!(concat!(env!("OUT_DIR"), "/broadcasts.rs"));

/// Every broadcast, in the order of the sections, then by name.
pub fn all() -> Vec<&'static Broadcast> {
    let mut all: Vec<_> = ENTRIES.iter().copied().flatten().collect();
    all.sort_by_key(|entry| (entry.section, entry.name));
    all
}

/// The broadcast of that name.
///
/// # Errors
/// [`Error::Setup`] with the list of the catalogue.
pub fn find(name: &str) -> Result<&'static Broadcast> {
    let all = all();
    all.iter().find(|entry| entry.name == name).copied().ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|entry| entry.name).collect();
        Error::Setup(text::barrier::unknown_broadcast(name.escape_debug().to_string(), names.join(", ")))
    })
}
