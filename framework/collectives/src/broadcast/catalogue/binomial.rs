//! Binomial broadcast (Open MPI's `bmtree`; the tree of Hypercube broadcasts since Johnsson and Ho 1989).
//!
//! On virtual ranks v = (r - root) mod P: every rank with v < 2^k has the data before step k; then v sends to v + 2^k, if
//! that is below P. So v > 0 receives from v without its most significant bit, and continues from the step after it.
//!
//! Messages P - 1, rounds ceil(log2 P), time ceil(log2 P) (a + m b) for m bytes. Good for short messages; a long one
//! is sent ceil(log2 P) times by the root, where scatter and allgather would send it twice.
use wb_barriers::logarithm::ceil_log2;
use wb_comm::{Rank, Result, Text, ViewMut};

use crate::{
    MessagePort,
    broadcast::{Broadcast, virtual_rank},
};

/// Every rank calls it with `data` of the same length.
///
/// # Errors
/// The errors of the transport.
pub fn binomial(port: &MessagePort<'_>, mut data: ViewMut<'_>, root: Rank) -> Result<()> {
    let p = port.size();
    let v = virtual_rank(port, root);
    let real = |v: Rank| (v + root) % p;
    let mut step = 1;
    if v > 0 {
        let highest = 1 << v.ilog2();
        port.receive(real(v - highest), data.reborrow())?;
        step = 2 * highest;
    }
    while v + step < p {
        port.send(real(v + step), data.as_view())?;
        step *= 2;
    }
    Ok(())
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
    body: |port, data, root, _| binomial(port, data, root),
}];
