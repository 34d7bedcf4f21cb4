//! Segments down a tree: a rank sends each segment on to its children while it receives the next one.
use wb_comm::{Rank, Result, ViewMut};

use super::segments::{segment, split_disjoint};
use crate::{barriers::TreeNode, collectives::MessagePort};

/// A broadcast down the tree in which this rank has `place`, in segments of the given number of elements.
///
/// A round sends segment s to all children and receives segment s + 1, so two segments are under way at a rank.
pub(crate) fn pipeline_segments(
    port: &MessagePort<'_>,
    mut data: ViewMut<'_>,
    root: Rank,
    place: &TreeNode,
    elements: usize,
) -> Result<()> {
    let real = |v: Rank| (v + root) % port.size();
    let (count, segments) = (data.count(), data.count().div_ceil(elements));
    let part = |number: usize| segment(number, elements, count);
    if let Some(parent) = place.parent {
        let first = part(0);
        port.receive(real(parent), data.reborrow().part(first.start, first.len()))?;
    }
    for number in 0..segments {
        let (leaving, coming) = split_disjoint(data.reborrow(), part(number), part(number + 1));
        let leaving = leaving.as_view();
        let mut steps = vec![];
        if let Some(parent) = place.parent.filter(|_| number + 1 < segments) {
            steps.push(port.recv_op(real(parent), coming));
        }
        steps.extend(place.children.iter().map(|child| port.send_op(real(*child), leaving)));
        if !steps.is_empty() {
            port.post_and_wait(&mut steps)?;
        }
    }
    Ok(())
}
