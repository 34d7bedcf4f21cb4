//! Reduction to rank 0, then broadcast from it.
//!
//! Messages 2 (P - 1), rounds 2 ceil(log2 P). Twice the rounds of recursive doubling, but right for every P without a
//! special case, in rank order, and bit for bit the same on every rank.
use wb_comm::{Operation, Result, View, ViewMut};

use crate::{MessagePort, broadcast, reduce};

/// Every rank calls it with the same lengths.
///
/// # Errors
/// The errors of the transport.
pub fn reduce_bcast(
    port: &MessagePort<'_>,
    send: View<'_>,
    mut recv: ViewMut<'_>,
    operation: Operation,
) -> Result<()> {
    let on_zero = (port.rank() == 0).then(|| recv.reborrow());
    reduce::binomial(port, send, on_zero, operation, 0)?;
    broadcast::binomial(port, recv, 0)
}
