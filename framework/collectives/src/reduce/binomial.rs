//! Binomial reduction in rank order.
//!
//! Before step k rank r (a multiple of 2^k) holds the fold of ranks r .. r + 2^k - 1. In step k it receives the fold of
//! the next 2^k ranks from r + 2^k and combines it on the right of its own, if r is a multiple of 2^(k+1); otherwise it
//! sends its own to r - 2^k and is done. Rank 0 ends with the whole fold and sends it to another root.
//!
//! Messages P - 1 (P for a root other than 0), rounds ceil(log2 P) (+ 1). Operands are always combined in rank order,
//! so floating-point results depend on P only, never on the order of arrival.
use wb_comm::{Block, Operation, Rank, Result, View, ViewMut};

use crate::{MessagePort, blocks::copy};

/// `recv` exists on the root only.
///
/// # Errors
/// The errors of the transport.
pub fn binomial(
    port: &MessagePort<'_>,
    send: View<'_>,
    recv: Option<ViewMut<'_>>,
    operation: Operation,
    root: Rank,
) -> Result<()> {
    let folded = towards_zero(port, send, operation)?;
    if port.rank() == 0 && root != 0 {
        port.send(root, folded.view())?;
    }
    match recv {
        Some(recv) if root == 0 => copy(folded.view(), recv),
        Some(recv) => port.receive(0, recv)?,
        None => {}
    }
    Ok(())
}

/// Rank 0's block is the fold of all ranks; the others' hold the folds that they sent.
fn towards_zero(port: &MessagePort<'_>, send: View<'_>, operation: Operation) -> Result<Block> {
    let (r, p) = (port.rank(), port.size());
    let mut sofar = Block::zeroed(send.datatype(), send.count());
    let mut came = Block::zeroed(send.datatype(), send.count());
    copy(send, sofar.view_mut());
    let mut distance = 1;
    while distance < p {
        if r % (2 * distance) != 0 {
            port.send(r - distance, sofar.view())?;
            break;
        }
        if r + distance < p {
            port.receive(r + distance, came.view_mut())?;
            operation.fold(sofar.view(), came.view_mut());
            std::mem::swap(&mut sofar, &mut came);
        }
        distance *= 2;
    }
    Ok(sofar)
}
