//! Linear gather: the root receives every rank's block in its place.
//!
//! Messages P - 1, rounds P - 1 at the root's port. Each byte crosses the network once and is written to its final
//! place.
use wb_comm::{Rank, Result, View, ViewMut};

use crate::{BlockLayout, MessagePort, blocks::copy};

/// `send` is this rank's block; `recv` is the whole buffer with its partition, on the root only.
///
/// # Errors
/// The errors of the transport.
pub fn linear(
    port: &MessagePort<'_>,
    send: View<'_>,
    recv: Option<(ViewMut<'_>, BlockLayout<'_>)>,
    root: Rank,
) -> Result<()> {
    let Some((mut whole, blocks)) = recv else { return port.send(root, send) };
    for rank in 0..port.size() {
        let place = blocks.view_mut(whole.reborrow(), rank);
        if rank == root {
            copy(send, place);
        } else {
            port.receive(rank, place)?;
        }
    }
    Ok(())
}
