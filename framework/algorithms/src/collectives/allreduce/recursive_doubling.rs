//! Recursive doubling (Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in MPICH",
//! 2005), in rank order.
//!
//! Let p2 = 2^floor(log2 P) and e = P - p2. The first 2e ranks form pairs: each even one sends to its right neighbour
//! and rests. The remaining p2 ranks, numbered v = 0 .. p2 in order, exchange in step k, for 2^k < p2, with v xor 2^k
//! everything folded so far, the lower one's on the left. In the end the resting ranks get the result.
//!
//! Every rank computes the same tree of folds, so all have the same bits, also from floats.
//! Messages p2 log2 p2 + 2e, rounds log2 p2, plus 2 when e > 0.
use wb_comm::{CollectiveSchedule, Operation, Part, Rank};

use crate::collectives::Member;

/// Every rank has `count` elements and gets as many.
pub fn recursive_doubling(member: Member, count: usize, operation: Operation) -> CollectiveSchedule {
    let (r, pairs) = (member.rank, Pairs::new(member.size));
    let (send, recv) = (Part::send(count), Part::recv(count));
    let mut schedule = CollectiveSchedule::default();
    if pairs.is_idle(r) {
        schedule.send(r + 1, send);
        schedule.receive(r + 1, recv);
        return schedule;
    }
    let (mut folded, mut other) = (schedule.scratch(count), schedule.scratch(count));
    schedule.copy(send, folded);
    if pairs.is_proxy(r) {
        schedule.receive(r - 1, other);
        schedule.fold(operation, other, folded);
    }
    let v = pairs.virtual_rank(r);
    let mut step = 1;
    while step < pairs.power {
        let peer = pairs.real_rank(v ^ step);
        schedule.exchange(peer, folded, peer, other);
        if v & step != 0 {
            schedule.fold(operation, other, folded);
        } else {
            schedule.fold(operation, folded, other);
            std::mem::swap(&mut folded, &mut other);
        }
        step *= 2;
    }
    schedule.copy(folded, recv);
    if pairs.is_proxy(r) {
        schedule.send(r - 1, folded);
    }
    schedule
}

/// The ranks that take part when the number of ranks is not a power of two.
struct Pairs {
    /// p2, the ranks that take part.
    power: usize,
    /// e, the ranks that rest: the even ones below 2e.
    extra: usize,
}

impl Pairs {
    fn new(p: usize) -> Self {
        let power = 1 << p.ilog2();
        Self { power, extra: p - power }
    }

    fn is_idle(&self, r: Rank) -> bool {
        r < 2 * self.extra && r.is_multiple_of(2)
    }

    fn is_proxy(&self, r: Rank) -> bool {
        r < 2 * self.extra && !r.is_multiple_of(2)
    }

    fn virtual_rank(&self, r: Rank) -> Rank {
        if r < 2 * self.extra { r / 2 } else { r - self.extra }
    }

    fn real_rank(&self, v: Rank) -> Rank {
        if v < self.extra { 2 * v + 1 } else { v + self.extra }
    }
}
