//! Binomial broadcast (Open MPI's `bmtree`; the tree of Hypercube broadcasts since Johnsson and Ho 1989).
//!
//! On virtual ranks v = (r - root) mod P: every rank with v < 2^k has the data before step k; then v sends to v + 2^k, if
//! that is below P. So v > 0 receives from v without its most significant bit, and continues from the step after it.
//!
//! Messages P - 1, rounds ceil(log2 P), time ceil(log2 P) (a + m b) for m bytes. Good for short messages; a long one
//! is sent ceil(log2 P) times by the root, where scatter and allgather would send it twice.
use wb_comm::{BorrowedBuffers, CollectiveSchedule, Part, Rank, Text, View};

use crate::{
    barriers::logarithm::ceil_log2,
    collectives::{Member, broadcast::Broadcast},
};

/// The receive buffer of each rank has `count` elements; that of `root` is sent.
pub fn binomial(member: Member, count: usize, root: Rank) -> CollectiveSchedule {
    let (p, data) = (member.size, Part::recv(count));
    let v = member.before(root);
    let real = |v: Rank| (v + root) % p;
    let mut schedule = CollectiveSchedule::default();
    let mut step = 1;
    if v > 0 {
        let highest = 1 << v.ilog2();
        schedule.receive(real(v - highest), data);
        step = 2 * highest;
    }
    while v + step < p {
        schedule.send(real(v + step), data);
        step *= 2;
    }
    schedule
}

pub(crate) const ENTRIES: &[Broadcast] = &[Broadcast {
    name: "binomial",
    source: "Johnsson, Ho 1989; Open MPI bmtree",
    section: "7.1",
    summary: Text {
        en: "a binomial tree; each rank with the data sends it on, twice as far each time",
        ru: "биномиальное дерево; у кого есть данные, шлёт дальше, каждый раз вдвое дальше",
    },
    messages: |extent| extent.size - 1,
    rounds: |extent| Some(ceil_log2(extent.size)),
    body: |comm, data, root, _| {
        let schedule = binomial(comm.member(), data.count(), root);
        comm.run(&schedule, BorrowedBuffers { send: View::empty(data.datatype()), recv: data })
    },
}];
