//! Pairwise exchange by distance, then a reduction of this rank's block in rank order.
//!
//! Step d = 1 .. P-1: send block (r + d) mod P to that rank, receive this rank's block of (r - d) mod P. Then the blocks are combined from
//! rank 0 to rank P - 1.
//!
//! Messages P (P - 1), rounds P - 1. Each rank sends and receives each block once. Operands are combined in rank order, so floating-point
//! results do not depend on the order of arrival.
use wb_comm::{CollectiveSchedule, Operation, Part, RoundMessage};

use crate::collectives::{BlockLayout, Member};

/// Every rank has all blocks and gets the reduction of its own.
pub fn pairwise(member: Member, blocks: BlockLayout<'_>, operation: Operation) -> CollectiveSchedule {
    let Member { rank: r, size: p } = member;
    let count = blocks.count(r);
    let mut schedule = CollectiveSchedule::default();
    let by_rank: Vec<Part> = (0..p).map(|_| schedule.scratch(count)).collect();
    schedule.copy(blocks.of_send(r), by_rank[r]);
    for d in 1..p {
        let (to, from) = (member.after(d), member.before(d));
        schedule.round(vec![
            RoundMessage::Receive(from, by_rank[from]),
            RoundMessage::Send(to, blocks.of_send(to)),
        ]);
    }
    for pair in by_rank.windows(2) {
        schedule.fold(operation, pair[0], pair[1]);
    }
    schedule.copy(by_rank[p - 1], Part::recv(count));
    schedule
}
