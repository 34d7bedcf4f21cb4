//! Binomial reduction in rank order.
//!
//! Before step k rank r (a multiple of 2^k) holds the fold of ranks r .. r + 2^k - 1. In step k it receives the fold of
//! the next 2^k ranks from r + 2^k and combines it on the right of its own, if r is a multiple of 2^(k+1); otherwise it
//! sends its own to r - 2^k and is done. Rank 0 ends with the whole fold and sends it to another root.
//!
//! Messages P - 1 (P for a root other than 0), rounds ceil(log2 P) (+ 1). Operands are always combined in rank order,
//! so floating-point results depend on P only, never on the order of arrival.
use wb_comm::{CollectiveSchedule, Operation, Part, Rank};

use crate::collectives::Member;

/// Every rank has `count` elements; the receive buffer of `root` gets the result.
pub fn binomial(member: Member, count: usize, operation: Operation, root: Rank) -> CollectiveSchedule {
    let Member { rank: r, size: p } = member;
    let mut schedule = CollectiveSchedule::default();
    let (mut partial, mut received) = (schedule.scratch(count), schedule.scratch(count));
    schedule.copy(Part::send(count), partial);
    let mut distance = 1;
    while distance < p {
        if r % (2 * distance) != 0 {
            schedule.send(r - distance, partial);
            break;
        }
        if r + distance < p {
            schedule.receive(r + distance, received);
            schedule.fold(operation, partial, received);
            std::mem::swap(&mut partial, &mut received);
        }
        distance *= 2;
    }
    match (r, root) {
        (0, 0) => schedule.copy(partial, Part::recv(count)),
        (0, _) => schedule.send(root, partial),
        (_, _) if r == root => schedule.receive(0, Part::recv(count)),
        _ => {}
    }
    schedule
}
