//! k-ary heap tree: gather up, release down.
//!
//! Source: Sandia OpenSHMEM, barrier "tree" of sub-teams, radix 4; Open MPI coll/sm and MPICH's release-gather have the
//! same tree in shared memory.
//!
//! The parent of r is floor((r - 1) / k), its children are k r + 1 .. k r + k as far as they exist. Hear all children,
//! tell the parent; hear the parent, tell all children.
//!
//! Messages 2 (P - 1), hops 2 (ceil(log_k(P (k - 1) + 1)) - 1), twice the depth. A radix of 1 would be a chain, which is
//! what the double ring is for; 0 has no tree. Safe back to back.
use wb_comm::{Rank, Result};

use crate::{
    BarrierCost, BarrierEntry, BilingualText, Family, GroupConfig, Guarantee, Implementation, Pattern,
    PlanBuilder,
};

/// See the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KAryTree {
    radix: usize,
}

impl KAryTree {
    /// With that radix.
    ///
    /// # Panics
    /// For a radix below 2.
    pub fn new(radix: usize) -> Self {
        assert!(radix >= 2, "radix {radix}");
        Self { radix }
    }

    /// The radix that is asked for, else `radix`.
    ///
    /// # Errors
    /// See [`GroupConfig::radix_or`].
    pub fn for_group(setting: &GroupConfig, radix: usize) -> Result<Self> {
        setting.radix_or(radix).map(Self::new)
    }

    /// The children of `r` among `p`.
    pub fn children(self, r: Rank, p: usize) -> impl Iterator<Item = Rank> {
        // A larger radix than there are ranks is no other tree.
        let k = self.radix.min(p);
        (k * r + 1..=k * r + k).take_while(move |child| *child < p)
    }

    /// From the leaves to rank 0.
    ///
    /// # Errors
    /// What the signals can meet.
    pub fn gather(self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        self.children(plan.rank(), plan.size()).try_for_each(|child| plan.wait_signal(child, 0))?;
        if plan.rank() > 0 { plan.signal((plan.rank() - 1) / self.radix.min(plan.size()), 0) } else { Ok(()) }
    }

    /// From rank 0 to the leaves.
    ///
    /// # Errors
    /// What the signals can meet.
    pub fn release(self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        if plan.rank() > 0 {
            plan.wait_signal((plan.rank() - 1) / self.radix.min(plan.size()), 0)?;
        }
        self.children(plan.rank(), plan.size()).try_for_each(|child| plan.signal(child, 0))
    }
}

impl crate::Pattern for KAryTree {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        self.gather(plan)?;
        self.release(plan)
    }
}

/// The depth of a heap of `p` with `k` children each: how far its last one is from the root.
pub(crate) fn depth(k: usize, p: usize) -> usize {
    std::iter::successors(p.checked_sub(1), |r| r.checked_sub(1).map(|r| r / k))
        .take_while(|r| *r > 0)
        .count()
}

/// With radix `k`.
pub(crate) fn cost(k: usize, p: usize) -> BarrierCost {
    BarrierCost { messages: 2 * (p - 1), rounds: None, hops: Some(2 * depth(k, p)) }
}

const fn row(
    name: &'static str,
    summary: BilingualText,
    cost: fn(usize) -> BarrierCost,
    make: fn(&GroupConfig) -> Result<Box<dyn Pattern>>,
) -> BarrierEntry {
    BarrierEntry {
        name,
        family: Family::OneSided,
        source: "Sandia OpenSHMEM barrier \"tree\" (sub-teams); Open MPI coll/sm",
        section: "2.7, 6",
        summary,
        guarantee: Guarantee::RENDEZVOUS,
        cost: Some(cost),
        implementation: Implementation::Pattern(make),
    }
}

/// In the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[
    row(
        "k_ary_tree_2",
        BilingualText {
            en: "gather up a binary heap, release down it",
            ru: "сбор вверх по двоичной куче, отпускание вниз",
        },
        |p| cost(2, p),
        |setting| Ok(Box::new(KAryTree::for_group(setting, 2)?)),
    ),
    row(
        "k_ary_tree_4",
        BilingualText {
            en: "gather up a heap with 4 children each, release down it",
            ru: "сбор вверх по куче с 4 потомками, отпускание вниз",
        },
        |p| cost(4, p),
        |setting| Ok(Box::new(KAryTree::for_group(setting, 4)?)),
    ),
];
