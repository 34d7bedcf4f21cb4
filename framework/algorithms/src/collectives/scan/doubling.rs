//! Prefix reductions by distance doubling (Hillis and Steele, "Data parallel algorithms", 1986).
//!
//! Before step k rank r holds the fold of the last 2^k ranks up to itself. In step k it sends that to r + 2^k and
//! combines the fold from r - 2^k on the left of its own.
//!
//! Messages less than P ceil(log2 P), rounds ceil(log2 P). Operands are combined in rank order.
use wb_comm::{CollectiveSchedule, Operation, Part, RoundMessage};

use crate::collectives::Member;

/// Every rank has `count` elements; rank r gets the fold of ranks `0..=r`.
pub fn inclusive(member: Member, count: usize, operation: Operation) -> CollectiveSchedule {
    let mut schedule = CollectiveSchedule::default();
    schedule.copy(Part::send(count), Part::recv(count));
    doubling(&mut schedule, member, count, operation, false);
    schedule
}

/// Every rank has `count` elements; rank r gets the fold of ranks `0..r`. Rank 0 gets nothing.
pub fn exclusive(member: Member, count: usize, operation: Operation) -> CollectiveSchedule {
    let mut schedule = CollectiveSchedule::default();
    doubling(&mut schedule, member, count, operation, true);
    schedule
}

/// Adds the rounds. Each fold that arrives from lower ranks is combined with the receive buffer, nearest first; if that `is_empty`, it gets
/// the first one.
fn doubling(
    schedule: &mut CollectiveSchedule,
    Member { rank: r, size: p }: Member,
    count: usize,
    operation: Operation,
    mut is_empty: bool,
) {
    let (partial, received) = (schedule.scratch(count), schedule.scratch(count));
    schedule.copy(Part::send(count), partial);
    let mut distance = 1;
    while distance < p {
        let receive = (r >= distance).then(|| RoundMessage::Receive(r - distance, received));
        let send = (r + distance < p).then(|| RoundMessage::Send(r + distance, partial));
        schedule.round(receive.into_iter().chain(send).collect());
        if r >= distance {
            if std::mem::take(&mut is_empty) {
                schedule.copy(received, Part::recv(count));
            } else {
                schedule.fold(operation, received, Part::recv(count));
            }
            schedule.fold(operation, received, partial);
        }
        distance *= 2;
    }
}
