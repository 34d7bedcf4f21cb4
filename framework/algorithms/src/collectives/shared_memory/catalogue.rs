//! The algorithms in shared memory.
//!
//! The folder `src/shared_memory/catalogue` is the catalogue: each file is a module with one algorithm, and its `ENTRIES` are the rows. The
//! build script declares the modules and lists the rows.
use wb_comm::{BorrowedBuffers, CollectiveKind, Error, Result, Verb, text::collective};

use super::SharedAlgorithm;

/// The most bytes of other ranks' vectors that a rank reduces in one hop.
const ONE_HOP_BYTES: usize = 16 << 10;

include!(concat!(env!("OUT_DIR"), "/shared_memory.rs"));

/// Every algorithm, by name.
pub fn all() -> Vec<&'static SharedAlgorithm> {
    let mut all: Vec<_> = ENTRIES.iter().copied().flatten().collect();
    all.sort_by_key(|entry| entry.name);
    all
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

/// The algorithm for an operation of `size` ranks with these buffers, by measurements of two ranks.
///
/// # Errors
/// [`Error::Setup`] if there is none in shared memory.
pub fn select(
    kind: CollectiveKind<'_>,
    buffers: &BorrowedBuffers<'_>,
    size: usize,
) -> Result<&'static SharedAlgorithm> {
    let bytes = buffers.send.bytes().len() * (size - 1);
    let [algorithm] = (match kind.verb() {
        Verb::Barrier => barrier_one_hop::ENTRIES,
        Verb::Bcast => bcast_flat::ENTRIES,
        Verb::Reduce => reduce_flat::ENTRIES,
        Verb::Allreduce if bytes <= ONE_HOP_BYTES => allreduce_one_hop::ENTRIES,
        Verb::Allreduce => allreduce_two_hops::ENTRIES,
        Verb::Allgather => allgather_one_hop::ENTRIES,
        Verb::Gather => gather_flat::ENTRIES,
        Verb::Scatter => scatter_flat::ENTRIES,
        Verb::Alltoall => alltoall_one_hop::ENTRIES,
        Verb::ReduceScatter | Verb::ReduceScatterBlock => reduce_scatter_one_hop::ENTRIES,
        Verb::Scan | Verb::Exscan => scan_one_hop::ENTRIES,
        verb => return Err(Error::Setup(collective::not_in_shared_memory(verb.name()))),
    }) else {
        unreachable!("each of these files has one row")
    };
    Ok(algorithm)
}
