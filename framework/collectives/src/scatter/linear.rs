//! Linear scatter: the root sends every rank its block, all sends posted together.
//!
//! Messages P - 1, rounds P - 1 at the root's port. Each byte crosses the network once, unlike in a tree of fewer
//! rounds; and blocks may have any length, which only the root knows.
use wb_comm::{Rank, Result, View, ViewMut};

use crate::{BlockLayout, MessagePort, blocks::copy};

/// `send` is the whole buffer with its partition, on the root only; `recv` is this rank's block.
///
/// # Errors
/// The errors of the transport.
pub fn linear(
    port: &MessagePort<'_>,
    send: Option<(View<'_>, BlockLayout<'_>)>,
    recv: ViewMut<'_>,
    root: Rank,
) -> Result<()> {
    let Some((whole, blocks)) = send else { return port.receive(root, recv) };
    let others = (0..port.size()).filter(|rank| *rank != root);
    let mut steps: Vec<_> = others.map(|rank| port.send_op(rank, blocks.view(whole, rank))).collect();
    copy(blocks.view(whole, root), recv);
    port.post_and_wait(&mut steps)
}
