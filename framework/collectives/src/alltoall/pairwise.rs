//! Pairwise exchange by distance.
//!
//! Step d = 0 .. P-1: send block (r + d) mod P to that rank, receive from (r - d) mod P; step 0 is a copy.
//!
//! Messages P (P - 1), rounds P - 1; in every round each rank sends to one and receives from one, for every P.
use wb_comm::{Result, View, ViewMut};

use crate::{BlockLayout, MessagePort, blocks::copy};

/// Block `j` of `send` goes to rank `j`, block `i` of `recv` comes from rank `i`.
///
/// # Errors
/// The errors of the transport.
pub fn pairwise(
    port: &MessagePort<'_>,
    (send, outgoing): (View<'_>, BlockLayout<'_>),
    (mut recv, incoming): (ViewMut<'_>, BlockLayout<'_>),
) -> Result<()> {
    let (r, p) = (port.rank(), port.size());
    copy(outgoing.view(send, r), incoming.view_mut(recv.reborrow(), r));
    for d in 1..p {
        let (to, from) = ((r + d) % p, (r + p - d) % p);
        port.exchange(to, outgoing.view(send, to), from, incoming.view_mut(recv.reborrow(), from))?;
    }
    Ok(())
}
