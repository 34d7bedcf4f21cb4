//! The first half of a scatter-allgather broadcast: every rank gets its own block, down a binomial tree.
//!
//! The data is cut into one block of ceil(count / P) elements a virtual rank; the last ones may be short or empty. The parent
//! of v in MPICH's tree, which clears the lowest bit, sends to v + 2^j the blocks of its whole subtree, [v + 2^j, v + 2^(j+1)).
use std::ops::Range;

use wb_comm::{Rank, Result, ViewMut};

use super::Extent;
use crate::{barriers::TreeNode, collectives::CollectiveContext};

/// The elements of every rank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockPartition {
    size: usize,
    count: usize,
    block: usize,
}

impl BlockPartition {
    pub(crate) fn new(extent: Extent) -> Self {
        Self { size: extent.size, count: extent.count, block: extent.count.div_ceil(extent.size) }
    }

    /// The elements of these blocks.
    pub(crate) fn elements(&self, blocks: Range<Rank>) -> Range<usize> {
        let bound = |block: Rank| (block * self.block).min(self.count);
        bound(blocks.start)..bound(blocks.end)
    }

    /// The blocks that virtual rank v has after the scatter: its subtree's.
    pub(crate) fn blocks_of(&self, v: Rank) -> Range<Rank> {
        let subtree = if v == 0 { self.size } else { 1 << v.trailing_zeros() };
        v..(v + subtree).min(self.size)
    }
}

/// Collective: every virtual rank v gets the blocks [`BlockPartition::blocks_of`]. Empty blocks are not sent.
pub(crate) fn scatter(
    comm: &CollectiveContext<'_>,
    mut data: ViewMut<'_>,
    root: Rank,
    cut: &BlockPartition,
) -> Result<()> {
    let real = |v: Rank| (v + root) % comm.size();
    let v = super::virtual_rank(comm, root);
    let place = TreeNode::nomial(v, comm.size(), 2);
    let own = cut.elements(cut.blocks_of(v));
    if let Some(parent) = place.parent.filter(|_| !own.is_empty()) {
        comm.receive(real(parent), data.reborrow().part(own.start, own.len()))?;
    }
    for child in place.children {
        let its = cut.elements(cut.blocks_of(child));
        if !its.is_empty() {
            comm.send(real(child), data.as_view().part(its.start, its.len()))?;
        }
    }
    Ok(())
}
