//! Linear scatter: the root sends every rank its block, all sends posted at once.
//!
//! Messages P - 1, rounds P - 1 at the root's port. Each byte crosses the network once, which a tree of fewer rounds
//! cannot say; and blocks may have any length, which only the root knows.
use wb_comm::{Rank, Result, View, ViewMut};

use crate::{Blocks, Port, blocks::copy};

/// `send` is the whole buffer and its cut, on the root only; `recv` is this rank's block.
///
/// # Errors
/// What the transport can meet.
pub fn linear(
    port: &Port<'_>,
    send: Option<(View<'_>, Blocks<'_>)>,
    recv: ViewMut<'_>,
    root: Rank,
) -> Result<()> {
    let Some((whole, blocks)) = send else { return port.receive(root, recv) };
    let others = (0..port.size()).filter(|rank| *rank != root);
    let mut steps: Vec<_> = others.map(|rank| port.sending(rank, blocks.of(whole, rank))).collect();
    copy(blocks.of(whole, root), recv);
    port.round(&mut steps)
}
