//! Linear gather: the root receives every rank's block in its place.
//!
//! Messages P - 1, rounds P - 1 at the root's port. Each byte crosses the network once and is written to its final
//! place.
use wb_comm::{CollectiveSchedule, Part, Rank};

use crate::collectives::{BlockLayout, Member};

/// The send buffer is this rank's block of `count` elements; on the root the receive buffer has `blocks`.
pub fn linear(
    Member { rank: r, size: p }: Member,
    count: usize,
    blocks: Option<BlockLayout<'_>>,
    root: Rank,
) -> CollectiveSchedule {
    let mut schedule = CollectiveSchedule::default();
    let Some(blocks) = blocks else {
        schedule.send(root, Part::send(count));
        return schedule;
    };
    schedule.copy(Part::send(count), blocks.of_recv(r));
    for rank in (0..p).filter(|rank| *rank != root) {
        schedule.receive(rank, blocks.of_recv(rank));
    }
    schedule
}
