//! Scatter, then recursive doubling (MPICH for medium data and a power of two of ranks).
//!
//! Block v of ceil(m / P) bytes belongs to virtual rank v. After a binomial scatter, v exchanges in step i with v xor
//! 2^i the blocks that both are sure to have: the 2^i blocks whose numbers agree with theirs except in the last i bits.
//! Other numbers of ranks would need forwarding; they use the [ring](super::scatter_ring), as in MPICH.
//!
//! Messages P - 1 and P log2 P for P a power of two and as many blocks, rounds 2 log2 P: the bandwidth of the ring in
//! fewer steps, but with distant partners.
use wb_comm::{Rank, Result, Text, ViewMut};

use super::scatter_ring::{self, RingVariant};
use crate::{
    barriers::logarithm::ceil_log2,
    collectives::{
        CollectiveContext,
        broadcast::{
            Broadcast, Extent,
            scatter::{BlockPartition, scatter},
            segments::{exchange, split_disjoint},
            virtual_rank,
        },
    },
};

/// Every rank calls it with `data` of the same length.
///
/// # Errors
/// The errors of the transport.
pub fn scatter_doubling(comm: &CollectiveContext<'_>, mut data: ViewMut<'_>, root: Rank) -> Result<()> {
    let p = comm.size();
    if !p.is_power_of_two() {
        return scatter_ring::scatter_ring(comm, data, root, RingVariant::Full);
    }
    let v = virtual_rank(comm, root);
    let cut = BlockPartition::new(Extent { size: p, count: data.count(), segment: 1 });
    scatter(comm, data.reborrow(), root, &cut)?;
    let mut step = 1;
    while step < p {
        let (peer, group) = (v ^ step, |v: Rank| v & !(step - 1)..(v & !(step - 1)) + step);
        let (mine, its) = (cut.elements(group(v)), cut.elements(group(peer)));
        let real = (peer + root) % p;
        let (leaves, comes) = (!mine.is_empty(), !its.is_empty());
        let (leaving, coming) = split_disjoint(data.reborrow(), mine, its);
        exchange(comm, leaves.then(|| (real, leaving.as_view())), comes.then_some((real, coming)))?;
        step *= 2;
    }
    Ok(())
}

/// The number of messages: in each step all ranks of a group of blocks send it on, unless all of its blocks are empty.
fn messages(extent: Extent) -> usize {
    let (size, blocks) = (extent.size, extent.blocks());
    if !size.is_power_of_two() {
        return scatter_ring::messages(extent);
    }
    let steps = (0..ceil_log2(size)).map(|step| 1_usize << step);
    let exchanged: usize = steps.map(|step| blocks.div_ceil(step) * step).sum();
    blocks.saturating_sub(1) + exchanged
}

pub(crate) const ENTRIES: &[Broadcast] = &[Broadcast {
    name: "scatter_doubling",
    source: scatter_ring::SOURCE,
    section: "7.7",
    summary: Text {
        en: "every rank gets a block, then partners twice as far exchange all they have",
        ru: "каждому по блоку, затем обмен всем, что есть, с партнёром вдвое дальше",
    },
    messages,
    rounds: |extent| {
        let whole = extent.size.is_power_of_two() && extent.blocks() == extent.size;
        whole.then(|| 2 * ceil_log2(extent.size))
    },
    body: |comm, data, root, _| scatter_doubling(comm, data, root),
}];
