//! What every verb of a world promises, on every backend.
//!
//! A law is run by all ranks of a world and panics where its promise is broken. The expected values are computed from
//! rank, size and position alone, so that the same law judges threads, MPI's own calls, and our algorithms over MPI.
use wb_world::{Rank, World};

mod all_to_all;
mod completion;
mod data_examples;
mod displaced_blocks;
mod file_examples;
mod files;
mod group_examples;
mod groups;
mod in_place;
mod intercommunicators;
mod layout_collectives;
mod layouts;
mod limits;
mod neighborhoods;
mod nonblocking;
mod null_process;
mod persistent;
mod point_to_point;
mod process_groups;
mod reductions;
mod request_examples;
mod rooted;
mod send_modes;
mod source_lines;
mod structs;
mod topologies;
mod topology_examples;
mod verb_examples;

/// A named law.
pub type Law = (&'static str, fn(&World));

/// All laws.
pub fn all() -> Vec<Law> {
    let nonblocking = [
        nonblocking::LAWS,
        all_to_all::STARTED_LAWS,
        neighborhoods::NONBLOCKING_LAWS,
        persistent::COLLECTIVE_LAWS,
        structs::NONBLOCKING_LAWS,
        displaced_blocks::NONBLOCKING_LAWS,
        data_examples::NONBLOCKING_LAWS,
        verb_examples::NONBLOCKING_LAWS,
        topology_examples::NONBLOCKING_LAWS,
        request_examples::COLLECTIVE_LAWS,
    ]
    .concat();
    [blocking(), nonblocking].concat()
}

/// The laws that need no nonblocking collectives: our algorithms over MPI's messages have none, since nothing continues their rounds.
pub fn blocking() -> Vec<Law> {
    [
        point_to_point::LAWS,
        null_process::LAWS,
        limits::LAWS,
        completion::LAWS,
        send_modes::LAWS,
        persistent::LAWS,
        layouts::LAWS,
        structs::LAWS,
        structs::COLLECTIVE_LAWS,
        layout_collectives::LAWS,
        displaced_blocks::LAWS,
        in_place::LAWS,
        data_examples::LAWS,
        files::LAWS,
        rooted::LAWS,
        all_to_all::LAWS,
        reductions::LAWS,
        groups::LAWS,
        process_groups::LAWS,
        intercommunicators::LAWS,
        topologies::LAWS,
        neighborhoods::LAWS,
        source_lines::LAWS,
        verb_examples::LAWS,
        topology_examples::LAWS,
        request_examples::LAWS,
        group_examples::LAWS,
        file_examples::LAWS,
    ]
    .concat()
}

/// The laws of what collectives do with data in blocks, in one buffer, in layouts and of structs, without those of refusals.
pub fn data() -> Vec<Law> {
    let all = [
        displaced_blocks::LAWS,
        displaced_blocks::NONBLOCKING_LAWS,
        in_place::LAWS,
        layout_collectives::LAWS,
        structs::COLLECTIVE_LAWS,
        structs::NONBLOCKING_LAWS,
    ]
    .concat();
    all.into_iter().filter(|(name, _)| !name.ends_with("before anything is sent")).collect()
}

/// The laws of files.
pub fn of_files() -> &'static [Law] {
    files::LAWS
}

/// The counts at which block algorithms go wrong: 0, 1, P-1, P, P+1.
fn counts(size: usize) -> Vec<usize> {
    let mut counts = vec![0, 1, size - 1, size, size + 1];
    counts.sort_unstable();
    counts.dedup();
    counts
}

/// The element that rank `rank` contributes at `position` of a call: no two are alike in a small world.
fn element(rank: Rank, position: usize) -> i64 {
    i64::try_from(rank * 1000 + position).expect("small")
}

/// `count` elements of one rank.
fn elements(rank: Rank, count: usize) -> Vec<i64> {
    (0..count).map(|position| element(rank, position)).collect()
}

/// A number that differs by rank, for blocks of different lengths: 0, 1, 2, 0, 1, ...
fn ragged(rank: Rank) -> usize {
    rank % 3
}
