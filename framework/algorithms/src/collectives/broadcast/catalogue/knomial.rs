//! k-nomial broadcast (MPICH, UCC; with k = 2 it is MPICH's binomial tree, whose subtrees are contiguous).
//!
//! The parent of v is v with its lowest digit other than 0, to base k, made 0. With u the unit of that digit (for the root:
//! the smallest power of k that is not below P), the children are v + i u / k, v + i u / k^2, .. v + i for i = 1 .. k-1, as
//! far as they are below P; the largest subtrees first, all sends posted together.
//!
//! Messages P - 1, at most (k - 1) ceil(log_k P) rounds, ceil(log_k P) hops. Where latency is long and a message short,
//! more children in one step are worth their rounds.
use wb_comm::{Rank, Result, Text, ViewMut};

use crate::{
    barriers::{TreeNode, logarithm::ceil_log2},
    collectives::{
        CollectiveContext,
        broadcast::{Broadcast, pipeline::pipeline_segments, virtual_rank},
    },
};

/// Every rank calls it with `data` of the same length.
///
/// # Errors
/// The errors of the transport.
///
/// # Panics
/// For k below 2.
pub fn knomial(comm: &CollectiveContext<'_>, data: ViewMut<'_>, root: Rank, k: usize) -> Result<()> {
    assert!(k >= 2, "digits to base {k}");
    let (place, whole) = (TreeNode::nomial(virtual_rank(comm, root), comm.size(), k), data.count().max(1));
    pipeline_segments(comm, data, root, &place, whole)
}

/// The first row; the others differ from it in a few fields.
const ROW: Broadcast = Broadcast {
    name: "knomial_2",
    source: "MPICH; UCC (radix 4 by default)",
    section: "7.2",
    summary: Text {
        en: "MPICH's binomial tree, largest subtree first",
        ru: "биномиальное дерево MPICH, сначала самое большое поддерево",
    },
    messages: |extent| extent.size - 1,
    rounds: |_| None,
    body: |comm, data, root, _| knomial(comm, data, root, 2),
};

pub(crate) const ENTRIES: &[Broadcast] = &[
    Broadcast { rounds: |extent| Some(ceil_log2(extent.size)), ..ROW },
    Broadcast {
        name: "knomial_4",
        summary: Text {
            en: "digits to base 4: three children a level",
            ru: "цифры по основанию 4: по три потомка на уровень",
        },
        body: |comm, data, root, _| knomial(comm, data, root, 4),
        ..ROW
    },
    Broadcast {
        name: "knomial_8",
        summary: Text {
            en: "digits to base 8: seven children a level",
            ru: "цифры по основанию 8: по семь потомков на уровень",
        },
        body: |comm, data, root, _| knomial(comm, data, root, 8),
        ..ROW
    },
];
