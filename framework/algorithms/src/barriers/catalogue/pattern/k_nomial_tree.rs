//! k-nomial tree: gather up, release down; the binomial tree is the one with k = 2.
//!
//! Source: Sandia OpenSHMEM, barrier "tree" of the world team, radix 4.
//!
//! The parent of r is r with its lowest non-zero digit of base k cleared. The children of r are r + i k^j for i =
//! 1..k-1 and all k^j below that digit's weight. Up: wait for the children, nearest first, signal the parent. Down:
//! wait for the parent, signal the children, farthest first, since their subtrees are the largest.
//!
//! Messages 2 (P - 1), hops 2 max over r < P of the non-zero digits of r in base k. Safe back to back.
use wb_comm::{Rank, Result, Text};

use crate::barriers::{
    BarrierCost, BarrierEntry, Family, GroupConfig, Guarantee, Implementation, PlanBuilder, TreeNode,
};

/// The barrier on a k-nomial tree with root 0: 2 (P - 1) messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KNomialTree {
    radix: usize,
}

impl KNomialTree {
    /// The tree of that radix.
    ///
    /// # Panics
    /// For a radix below 2.
    pub fn new(radix: usize) -> Self {
        assert!(radix >= 2, "radix {radix}");
        Self { radix }
    }

    fn for_group(config: &GroupConfig) -> Result<Self> {
        config.radix_or(4).map(Self::new)
    }
}

impl crate::barriers::Pattern for KNomialTree {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        let TreeNode { parent, mut children } = TreeNode::nomial(plan.rank(), plan.size(), self.radix);
        children.sort_unstable();
        children.iter().try_for_each(|&child| plan.wait_signal(child, 0))?;
        if let Some(parent) = parent {
            plan.signal(parent, 0)?;
            plan.wait_signal(parent, 0)?;
        }
        children.iter().rev().try_for_each(|&child| plan.signal(child, 0))
    }
}

fn digits(k: usize, r: Rank) -> usize {
    std::iter::successors(Some(r), |r| Some(r / k)).take_while(|r| *r > 0).filter(|r| r % k != 0).count()
}

fn cost(p: usize) -> BarrierCost {
    let depth = (0..p).map(|r| digits(4, r)).max().unwrap_or_default();
    BarrierCost { messages: 2 * (p - 1), rounds: None, hops: Some(2 * depth) }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "k_nomial_tree_4",
    family: Family::OneSided,
    source: "Sandia OpenSHMEM barrier \"tree\" (world team)",
    section: "2.7",
    summary: Text {
        en: "gather up a 4-nomial tree, release down it",
        ru: "сбор вверх по 4-номиальному дереву, отпускание вниз",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(cost),
    implementation: Implementation::Pattern(|config: &GroupConfig| {
        Ok(Box::new(KNomialTree::for_group(config)?))
    }),
}];
