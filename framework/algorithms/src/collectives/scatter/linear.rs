//! Linear scatter: the root sends every rank its block, all sends posted together.
//!
//! Messages P - 1, rounds P - 1 at the root's port. Each byte crosses the network once, unlike in a tree of fewer
//! rounds; and blocks may have any length, which only the root knows.
use wb_comm::{CollectiveSchedule, Part, Rank, RoundMessage};

use crate::collectives::{BlockLayout, Member};

/// The schedule: the root's send buffer has `blocks`; the receive buffer is this rank's block of `count` elements.
pub fn linear(
    Member { rank: r, size: p }: Member,
    count: usize,
    blocks: Option<BlockLayout<'_>>,
    root: Rank,
) -> CollectiveSchedule {
    let mut schedule = CollectiveSchedule::default();
    let Some(blocks) = blocks else {
        schedule.receive(root, Part::recv(count));
        return schedule;
    };
    schedule.copy(blocks.of_send(r), Part::recv(count));
    let others = (0..p).filter(|rank| *rank != root);
    schedule.round(others.map(|rank| RoundMessage::Send(rank, blocks.of_send(rank))).collect());
    schedule
}
