//! k-ary heap tree: gather up, release down.
//!
//! Source: Sandia OpenSHMEM, barrier "tree" of sub-teams, radix 4; Open MPI coll/sm and MPICH's release-gather have the
//! same tree in shared memory.
//!
//! The parent of r is floor((r - 1) / k), its children are k r + 1 .. k r + k as far as they exist. Wait for all children,
//! signal the parent; wait for the parent, signal all children.
//!
//! Messages 2 (P - 1), hops 2 (ceil(log_k(P (k - 1) + 1)) - 1), twice the depth. A radix of 1 would be a chain (see the
//! double ring); 0 has no tree. Safe back to back.
use wb_comm::{Result, Text};

use crate::barriers::{
    BarrierCost, BarrierEntry, Family, GatherRelease, GroupConfig, Guarantee, Implementation, PlanBuilder,
    TreeNode,
};

/// The barrier on a k-ary heap with root 0: 2 (P - 1) messages, twice the depth in hops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KAryTree {
    radix: usize,
}

impl KAryTree {
    /// The tree of that radix.
    ///
    /// # Panics
    /// For a radix below 2.
    pub fn new(radix: usize) -> Self {
        assert!(radix >= 2, "radix {radix}");
        Self { radix }
    }

    /// The requested radix, else `radix`.
    ///
    /// # Errors
    /// See [`GroupConfig::radix_or`].
    pub fn for_group(config: &GroupConfig, radix: usize) -> Result<Self> {
        config.radix_or(radix).map(Self::new)
    }

    /// The node of the rank whose plan is built.
    fn node(self, plan: &PlanBuilder<'_>) -> TreeNode {
        TreeNode::heap(plan.rank(), plan.size(), self.radix)
    }
}

impl GatherRelease for KAryTree {
    fn gather(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        let TreeNode { parent, children } = self.node(plan);
        children.into_iter().try_for_each(|child| plan.wait_signal(child, 0))?;
        parent.map_or(Ok(()), |parent| plan.signal(parent, 0))
    }

    fn release(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        let TreeNode { parent, children } = self.node(plan);
        parent.map_or(Ok(()), |parent| plan.wait_signal(parent, 0))?;
        children.into_iter().try_for_each(|child| plan.signal(child, 0))
    }
}

/// The depth of a heap of `p` with `k` children each: the distance of its last node from the root.
pub(crate) fn depth(k: usize, p: usize) -> usize {
    std::iter::successors(p.checked_sub(1), |r| r.checked_sub(1).map(|r| r / k))
        .take_while(|r| *r > 0)
        .count()
}

/// The cost with radix `k`.
pub(crate) fn cost(k: usize, p: usize) -> BarrierCost {
    BarrierCost { messages: 2 * (p - 1), rounds: None, hops: Some(2 * depth(k, p)) }
}

/// The first row; the others differ from it in a few fields.
const ROW: BarrierEntry = BarrierEntry {
    name: "k_ary_tree_2",
    family: Family::OneSided,
    source: "Sandia OpenSHMEM barrier \"tree\" (sub-teams); Open MPI coll/sm",
    section: "2.7, 6",
    summary: Text {
        en: "gather up a binary heap, release down it",
        ru: "сбор вверх по двоичной куче, отпускание вниз",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(|p| cost(2, p)),
    implementation: Implementation::Pattern(|config| Ok(Box::new(KAryTree::for_group(config, 2)?))),
};

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[
    ROW,
    BarrierEntry {
        name: "k_ary_tree_4",
        summary: Text {
            en: "gather up a heap with 4 children each, release down it",
            ru: "сбор вверх по куче с 4 потомками, отпускание вниз",
        },
        cost: Some(|p| cost(4, p)),
        implementation: Implementation::Pattern(|config| Ok(Box::new(KAryTree::for_group(config, 4)?))),
        ..ROW
    },
];
