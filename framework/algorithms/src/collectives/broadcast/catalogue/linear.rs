//! Linear broadcast: the root sends to every rank, all sends posted together.
//!
//! Source: Open MPI `basic_linear`. The root sends to v = 1 .. P-1 in this order.
//!
//! Messages P - 1, rounds P - 1 at the root's port, 1 hop: time (P - 2) max(g, o + m G) + 2 o + L + m G. Good for few ranks.
use wb_comm::{Rank, Result, Text, ViewMut};

use crate::{
    barriers::TreeNode,
    collectives::{
        CollectiveContext,
        broadcast::{Broadcast, pipeline::pipeline_segments, virtual_rank},
    },
};

/// Every rank calls it with `data` of the same length.
///
/// # Errors
/// The errors of the transport.
pub fn linear(comm: &CollectiveContext<'_>, data: ViewMut<'_>, root: Rank) -> Result<()> {
    let (place, whole) = (TreeNode::star(virtual_rank(comm, root), comm.size()), data.count().max(1));
    pipeline_segments(comm, data, root, &place, whole)
}

pub(crate) const ENTRIES: &[Broadcast] = &[Broadcast {
    name: "linear",
    source: "Open MPI coll/base basic_linear",
    section: "7",
    summary: Text {
        en: "the root sends to every rank", ru: "корень отправляет каждому"
    },
    messages: |extent| extent.size - 1,
    rounds: |extent| Some(extent.size - 1),
    body: |comm, data, root, _| linear(comm, data, root),
}];
