//! Ring allgather (Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in MPICH", 2005).
//!
//! Step s = 0 .. P-2: send block (r - s) mod P to the right, receive block (r - s - 1) mod P from the left. The block
//! received in one step is sent in the next.
//!
//! Messages P (P - 1), rounds P - 1; each rank sends every other block once, so the bandwidth is optimal and only
//! neighbours communicate.
use wb_comm::{Block, Result, View, ViewMut};

use crate::{BlockLayout, MessagePort, blocks::copy};

/// `send` is this rank's block, `recv` has room for all blocks.
///
/// # Errors
/// The errors of the transport.
pub fn ring(
    port: &MessagePort<'_>,
    send: View<'_>,
    mut recv: ViewMut<'_>,
    blocks: BlockLayout<'_>,
) -> Result<()> {
    let (r, p) = (port.rank(), port.size());
    let longest = (0..p).map(|rank| blocks.count(rank)).max().unwrap_or(0);
    let mut passing = Block::zeroed(send.datatype(), longest);
    copy(send, blocks.view_mut(recv.reborrow(), r));
    for s in 0..p - 1 {
        let (out, into) = ((r + p - s) % p, (r + 2 * p - s - 1) % p);
        copy(blocks.view(recv.as_view(), out), passing.view_mut().part(0, blocks.count(out)));
        let leaving = passing.view().part(0, blocks.count(out));
        port.exchange((r + 1) % p, leaving, (r + p - 1) % p, blocks.view_mut(recv.reborrow(), into))?;
    }
    Ok(())
}
