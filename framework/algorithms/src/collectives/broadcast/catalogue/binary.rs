//! Binary trees, in segments (Open MPI `bintree`; the heap as a second placement).
//!
//! The heap: the children of v are 2 v + 1 and 2 v + 2. Open MPI places level by level: v on level l, which begins at
//! 2^l - 1, has the children v + 2^l and v + 2 * 2^l; then the left subtree is odd and the right one even, which
//! [split_binary](super::split_binary) needs. A rank sends segment s to both children while it receives segment s + 1.
//!
//! Messages (P - 1) S, rounds 2 d + 2 (S - 1) for P = 2^(d+1) - 1: half the bandwidth of a pipeline, but log2 P hops.
use wb_comm::{Rank, Result, Text, ViewMut};

use crate::{
    barriers::TreeNode,
    collectives::{
        CollectiveContext,
        broadcast::{Broadcast, Extent, pipeline::pipeline_segments, virtual_rank},
    },
};

/// Down Open MPI's tree. Every rank calls it with `data` of the same length; segments are in elements, at least 1.
///
/// # Errors
/// The errors of the transport.
pub fn binary(comm: &CollectiveContext<'_>, data: ViewMut<'_>, root: Rank, segment: usize) -> Result<()> {
    pipeline_segments(comm, data, root, &TreeNode::levels(virtual_rank(comm, root), comm.size()), segment)
}

/// Down the heap; otherwise like [`binary`].
///
/// # Errors
/// The errors of the transport.
pub fn heap(comm: &CollectiveContext<'_>, data: ViewMut<'_>, root: Rank, segment: usize) -> Result<()> {
    pipeline_segments(comm, data, root, &TreeNode::heap(virtual_rank(comm, root), comm.size(), 2), segment)
}

/// The rounds of a full tree.
fn rounds(extent: Extent) -> Option<usize> {
    let full = (extent.size + 1).is_power_of_two() && extent.size > 1 && extent.count > 0;
    full.then(|| 2 * (extent.size.ilog2() as usize + extent.segments() - 1))
}

pub(crate) const ENTRIES: &[Broadcast] = &[
    Broadcast {
        name: "binary",
        source: "Open MPI coll/base bintree",
        section: "7.4",
        summary: Text {
            en: "a binary tree placed level by level, in segments",
            ru: "двоичное дерево по уровням, сегментами",
        },
        messages: |extent| (extent.size - 1) * extent.segments(),
        rounds,
        body: binary,
    },
    Broadcast {
        name: "binary_heap",
        source: "the placement of heaps",
        section: "7.4",
        summary: Text {
            en: "a binary tree placed as a heap, in segments",
            ru: "двоичное дерево-куча, сегментами",
        },
        messages: |extent| (extent.size - 1) * extent.segments(),
        rounds,
        body: heap,
    },
];
