//! The catalogue of barriers.
//!
//! The folder `src/barriers/catalogue` is the catalogue: each file of a subfolder is a module with one algorithm, and its `ENTRIES` are
//! the rows. The build script declares the modules and lists the rows, so no list is kept by hand.
use wb_comm::{Error, Result, text::barrier};

use crate::barriers::entry::{BarrierEntry, Family};

include!(concat!(env!("OUT_DIR"), "/barriers.rs"));

/// Every barrier, by family and name; the wrong ones are not among them.
pub fn all() -> Vec<&'static BarrierEntry> {
    filtered(|entry| entry.family != Family::Wrong)
}

/// The barriers that must be refuted.
pub fn wrong() -> Vec<&'static BarrierEntry> {
    filtered(|entry| entry.family == Family::Wrong)
}

fn filtered(wanted: fn(&BarrierEntry) -> bool) -> Vec<&'static BarrierEntry> {
    let all = ENTRIES.iter().copied().flatten();
    let mut rows: Vec<_> = all.filter(|entry| wanted(entry)).collect();
    rows.sort_by_key(|entry| (entry.family, entry.name));
    rows
}

/// The barrier of that name, wrong ones included.
///
/// # Errors
/// [`Error::Setup`] with the most similar names.
pub fn find(name: &str) -> Result<&'static BarrierEntry> {
    let found = ENTRIES.iter().copied().flatten().find(|entry| entry.name == name);
    found.ok_or_else(|| {
        let names: Vec<_> = all().iter().map(|entry| entry.name).collect();
        Error::Setup(barrier::unknown(name.escape_debug().to_string(), names.join(", ")))
    })
}
