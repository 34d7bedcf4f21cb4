//! Scatter, then a ring (van de Geijn; MPICH for long data), and the ring that skips (Zhou 2016).
//!
//! Block v of ceil(m / P) bytes belongs to virtual rank v, which gets it by a binomial scatter. Then in step s = 0 ..
//! P-2 v sends block (v - s) mod P to the right and receives block (v - s - 1) mod P from the left, both in one round.
//! *Tuned*: after the scatter v has the blocks of its whole subtree, [v, v + 2^j) with 2^j its lowest bit (the root:
//! all of them); these are not sent to it again.
//!
//! With n blocks that are not empty: messages n - 1 and n (P - 1), rounds ceil(log2 P) + P - 1 where n = P. Every rank sends
//! and receives the data about once: the bandwidth is within 2 of the best, whatever P is.
use wb_comm::{Rank, Result, Text, ViewMut};

use crate::collectives::{
    CollectiveContext,
    broadcast::{
        Broadcast, Extent,
        scatter::{BlockPartition, scatter},
        segments::{exchange, split_disjoint},
        virtual_rank,
    },
};

/// The blocks that the ring sends to a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RingVariant {
    /// Every block but its own.
    Full,
    /// The missing blocks.
    Tuned,
}

/// Every rank calls it with `data` of the same length.
///
/// # Errors
/// The errors of the transport.
pub fn scatter_ring(
    comm: &CollectiveContext<'_>,
    mut data: ViewMut<'_>,
    root: Rank,
    ring: RingVariant,
) -> Result<()> {
    let (p, v) = (comm.size(), virtual_rank(comm, root));
    let cut = BlockPartition::new(Extent { size: p, count: data.count(), segment: 1 });
    scatter(comm, data.reborrow(), root, &cut)?;
    let real = |v: Rank| (v + root) % p;
    let (left, right) = ((v + p - 1) % p, (v + 1) % p);
    let wanted = |v: Rank, block: Rank| is_sent_by_ring(&cut, ring, v, block);
    for s in 0..p - 1 {
        let (out, into) = ((v + p - s) % p, (v + 2 * p - s - 1) % p);
        let (leaving, coming) =
            split_disjoint(data.reborrow(), cut.elements(out..out + 1), cut.elements(into..into + 1));
        let leaves = wanted(right, out).then(|| (real(right), leaving.as_view()));
        exchange(comm, leaves, wanted(v, into).then_some((real(left), coming)))?;
    }
    Ok(())
}

/// Whether the ring sends this block to virtual rank v.
fn is_sent_by_ring(cut: &BlockPartition, ring: RingVariant, v: Rank, block: Rank) -> bool {
    let has = match ring {
        RingVariant::Full => block == v,
        RingVariant::Tuned => cut.blocks_of(v).contains(&block),
    };
    !has && !cut.elements(block..block + 1).is_empty()
}

/// n - 1 of the scatter and n (P - 1) of the ring.
pub(super) fn messages(extent: Extent) -> usize {
    match extent.blocks() {
        0 => 0,
        blocks => blocks - 1 + blocks * (extent.size - 1),
    }
}

/// The ring sends no rank a block that it has after the scatter.
fn tuned_messages(extent: Extent) -> usize {
    let (cut, blocks) = (BlockPartition::new(extent), extent.blocks());
    let spared = |v: Rank| cut.blocks_of(v).end.min(blocks).saturating_sub(v + 1);
    messages(extent) - (0..extent.size).map(spared).sum::<usize>()
}

pub(super) const SOURCE: &str = "Barnett, Gupta, Payne, Shuler, van de Geijn, Watts 1994; MPICH";

pub(crate) const ENTRIES: &[Broadcast] = &[
    Broadcast {
        name: "scatter_ring",
        source: SOURCE,
        section: "7.6",
        summary: Text {
            en: "every rank gets a block, then all blocks go round a ring",
            ru: "каждому по блоку, затем все блоки идут по кольцу",
        },
        messages,
        rounds: |_| None,
        body: |comm, data, root, _| scatter_ring(comm, data, root, RingVariant::Full),
    },
    Broadcast {
        name: "scatter_ring_tuned",
        source: "Zhou, Marjanovic, Niethammer, Gracia 2016",
        section: "7.6",
        summary: Text {
            en: "as scatter_ring, without the blocks that the scatter has brought",
            ru: "как scatter_ring, без блоков, которые уже есть после раздачи",
        },
        messages: tuned_messages,
        rounds: |_| None,
        body: |comm, data, root, _| scatter_ring(comm, data, root, RingVariant::Tuned),
    },
];
