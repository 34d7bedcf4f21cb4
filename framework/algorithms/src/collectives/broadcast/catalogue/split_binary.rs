//! Split binary tree (Open MPI `split_bintree`): each subtree carries one half, then pairs swap halves.
//!
//! The data is cut in two, the first half at least as long as the second. In Open MPI's binary tree
//! ([binary](super::binary)) the left subtree is odd and pipelines half 0, the right one is even and pipelines half 1.
//! Then v odd swaps with v + 1. For even P the last rank, which is odd, has no partner: the root sends it half 1.
//!
//! With S0 and S1 segments of the halves, messages floor(P / 2) S0 + floor((P - 1) / 2) S1 + P - 1. Each edge of the
//! tree carries half of the data, so it takes about half as long as a binary tree. Fewer than three ranks or two
//! elements cannot be split: then it is a pipeline.
use wb_comm::{Rank, Result, Text, ViewMut};

use super::chain;
use crate::{
    barriers::TreeNode,
    collectives::{
        CollectiveContext,
        broadcast::{
            Broadcast, Extent,
            pipeline::pipeline_segments,
            segments::{segment, split_disjoint},
            virtual_rank,
        },
    },
};

/// Every rank calls it with `data` of the same length; segments are in elements, at least 1.
///
/// # Errors
/// The errors of the transport.
pub fn split_binary(
    comm: &CollectiveContext<'_>,
    mut data: ViewMut<'_>,
    root: Rank,
    elements: usize,
) -> Result<()> {
    let (size, count) = (comm.size(), data.count());
    if !splits(size, count) {
        return chain::chain(comm, data, root, 1, elements);
    }
    let v = virtual_rank(comm, root);
    let real = |v: Rank| (v + root) % size;
    if v == 0 {
        return feed(comm, data, root, elements);
    }
    let middle = count.div_ceil(2);
    let (left, right) = (0..middle, middle..count);
    let (own, other) = if v % 2 == 1 { (left, right) } else { (right, left) };
    let half = data.reborrow().part(own.start, own.len());
    pipeline_segments(comm, half, root, &TreeNode::levels(v, size), elements)?;
    let (mine, its) = split_disjoint(data, own, other);
    if size.is_multiple_of(2) && v == size - 1 {
        return comm.receive(root, its);
    }
    let pair = real(if v % 2 == 1 { v + 1 } else { v - 1 });
    comm.exchange(pair, mine.as_view(), pair, its)
}

/// The root's part: one half to each child, alternately, then the half that the last rank lacks.
fn feed(comm: &CollectiveContext<'_>, data: ViewMut<'_>, root: Rank, elements: usize) -> Result<()> {
    let (size, whole) = (comm.size(), data.as_view());
    let real = |v: Rank| (v + root) % size;
    let middle = whole.count().div_ceil(2);
    let halves = [whole.part(0, middle), whole.part(middle, whole.count() - middle)];
    for number in 0..middle.div_ceil(elements) {
        let parts = halves
            .iter()
            .zip(1..)
            .map(|(half, child)| (child, *half, segment(number, elements, half.count())));
        let steps = parts.filter(|(_, _, part)| !part.is_empty());
        let mut steps: Vec<_> = steps
            .map(|(child, half, part)| comm.send_op(real(child), half.part(part.start, part.len())))
            .collect();
        comm.post_and_wait(&mut steps)?;
    }
    if size.is_multiple_of(2) { comm.send(real(size - 1), halves[1]) } else { Ok(()) }
}

fn splits(size: usize, count: usize) -> bool {
    size >= 3 && count >= 2
}

fn messages(extent: Extent) -> usize {
    let Extent { size, count, segment } = extent;
    if !splits(size, count) {
        return (size - 1) * extent.segments();
    }
    let [left, right] = [count.div_ceil(2), count / 2].map(|half| half.div_ceil(segment));
    size / 2 * left + (size - 1) / 2 * right + size - 1
}

pub(crate) const ENTRIES: &[Broadcast] = &[Broadcast {
    name: "split_binary",
    source: "Open MPI coll/base split_bintree",
    section: "7.5",
    summary: Text {
        en: "a binary tree whose subtrees carry one half each; then pairs swap halves",
        ru: "двоичное дерево: по поддеревьям идут разные половины, затем пары меняются ими",
    },
    messages,
    rounds: |_| None,
    body: split_binary,
}];
