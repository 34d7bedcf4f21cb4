//! Prefix reductions by distance doubling (Hillis and Steele, "Data parallel algorithms", 1986).
//!
//! Before step k rank r holds the fold of the last 2^k ranks up to itself. In step k it sends that to r + 2^k and
//! combines the fold from r - 2^k on the left of its own.
//!
//! Messages less than P ceil(log2 P), rounds ceil(log2 P). Operands are combined in rank order.
use wb_comm::{Block, Operation, Result, View, ViewMut};

use crate::{MessagePort, blocks::copy};

/// `recv` of rank r becomes the fold of ranks `0..=r`.
///
/// # Errors
/// The errors of the transport.
pub fn inclusive(
    port: &MessagePort<'_>,
    send: View<'_>,
    mut recv: ViewMut<'_>,
    operation: Operation,
) -> Result<()> {
    copy(send, recv.reborrow());
    let mut sofar = own(send);
    doubling(port, &mut sofar, |lower| operation.fold(lower, recv.reborrow()), operation)
}

/// `recv` of rank r becomes the fold of ranks `0..r`; rank 0's is not touched.
///
/// # Errors
/// The errors of the transport.
pub fn exclusive(
    port: &MessagePort<'_>,
    send: View<'_>,
    mut recv: ViewMut<'_>,
    operation: Operation,
) -> Result<()> {
    let mut sofar = own(send);
    let mut empty = true;
    let add = |lower: View<'_>| {
        if std::mem::take(&mut empty) {
            copy(lower, recv.reborrow());
        } else {
            operation.fold(lower, recv.reborrow());
        }
    };
    doubling(port, &mut sofar, add, operation)
}

fn own(send: View<'_>) -> Block {
    let mut block = Block::zeroed(send.datatype(), send.count());
    copy(send, block.view_mut());
    block
}

/// Passes each fold that arrives from lower ranks to `add`, nearest first.
fn doubling(
    port: &MessagePort<'_>,
    sofar: &mut Block,
    mut add: impl FnMut(View<'_>),
    operation: Operation,
) -> Result<()> {
    let (r, p) = (port.rank(), port.size());
    let mut came = Block::zeroed(sofar.view().datatype(), sofar.view().count());
    let mut distance = 1;
    while distance < p {
        let mut steps = vec![];
        if r >= distance {
            steps.push(port.recv_op(r - distance, came.view_mut()));
        }
        if r + distance < p {
            steps.push(port.send_op(r + distance, sofar.view()));
        }
        port.post_and_wait(&mut steps)?;
        drop(steps);
        if r >= distance {
            add(came.view());
            operation.fold(came.view(), sofar.view_mut());
        }
        distance *= 2;
    }
    Ok(())
}
