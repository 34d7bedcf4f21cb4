//! Reduction to rank 0, then broadcast from it.
//!
//! Messages 2 (P - 1), rounds 2 ceil(log2 P). Twice the rounds of recursive doubling, but right for every P without a
//! special case, in rank order, and bit for bit the same on every rank.
use wb_comm::{CollectiveSchedule, Operation};

use crate::collectives::{Member, broadcast, reduce};

/// Every rank has `count` elements and gets as many.
pub fn reduce_bcast(member: Member, count: usize, operation: Operation) -> CollectiveSchedule {
    let mut schedule = reduce::binomial(member, count, operation, 0);
    schedule.append(broadcast::binomial(member, count, 0));
    schedule
}
