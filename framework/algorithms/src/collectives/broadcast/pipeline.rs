//! Segments down a tree: a rank sends each segment on to its children while it receives the next one.
use wb_comm::{Rank, Result, ViewMut};

use super::segments::{segment, split_disjoint};
use crate::{barriers::TreeNode, collectives::CollectiveContext};

/// A broadcast down the tree in which this rank has `place`, in segments of the given number of elements.
///
/// A round sends segment s to all children and receives segment s + 1, so two segments are under way at a rank.
pub(crate) fn pipeline_segments(
    comm: &CollectiveContext<'_>,
    mut data: ViewMut<'_>,
    root: Rank,
    place: &TreeNode,
    elements: usize,
) -> Result<()> {
    let real = |v: Rank| (v + root) % comm.size();
    let (count, segments) = (data.count(), data.count().div_ceil(elements));
    let part = |number: usize| segment(number, elements, count);
    if let Some(parent) = place.parent {
        let first = part(0);
        comm.receive(real(parent), data.reborrow().part(first.start, first.len()))?;
    }
    for number in 0..segments {
        let (leaving, coming) = split_disjoint(data.reborrow(), part(number), part(number + 1));
        let leaving = leaving.as_view();
        let mut steps = vec![];
        if let Some(parent) = place.parent.filter(|_| number + 1 < segments) {
            steps.push(comm.recv_op(real(parent), coming));
        }
        steps.extend(place.children.iter().map(|child| comm.send_op(real(*child), leaving)));
        if !steps.is_empty() {
            comm.post_and_wait(&mut steps)?;
        }
    }
    Ok(())
}
