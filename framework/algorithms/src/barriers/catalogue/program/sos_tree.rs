//! Sandia OpenSHMEM's tree barrier: one slot counts the children, then the parent's word.
//!
//! Wait until the own slot has counted all children; the root then sets it back; others add 1 at their parent, wait for
//! one more and set it back. *After* that, add 1 to each child's slot. The world has a k-nomial tree, teams a k-ary heap
//! (parent floor((r - 1) / k)); k is 4 unless asked for otherwise.
//!
//! Signals 2 (P - 1), hops 2 depth; the heap's depth is ceil(log_k(P (k - 1) + 1)) - 1. One cell. Right under any order:
//! a slot is set back before those who add to it next are released.
use wb_comm::{Memory, Result, Text, Until};

use crate::barriers::{BarrierCost, BarrierEntry, Family, Guarantee, Implementation, RootedTree};

const SLOT: usize = 0;
const RADIX: usize = 4;

/// Sandia OpenSHMEM's tree barrier: 2 (P - 1) signals, one cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SosTree(RootedTree);

impl crate::barriers::BarrierProgram for SosTree {
    fn cells(&self, _size: usize) -> usize {
        1
    }

    #[inline]
    fn episode<M: Memory>(&self, m: &mut M, _epoch: i64) -> Result<()> {
        let (r, tree) = (m.rank(), &self.0);
        let children = tree.children(r);
        let count = children.len() as i64;
        if r != 0 || count > 0 {
            m.wait(SLOT, Until::Equal(count))?;
            if r != 0 {
                m.add(tree.parent(r), SLOT, 1)?;
                m.wait(SLOT, Until::Equal(count + 1))?;
            }
            m.store(SLOT, 0)?;
        }
        children.iter().try_for_each(|&child| m.add(child, SLOT, 1))
    }
}

fn cost(tree: &RootedTree, p: usize) -> BarrierCost {
    BarrierCost { messages: 2 * (p - 1), rounds: None, hops: Some(2 * tree.depth()) }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[
    BarrierEntry {
        name: "sos_tree",
        family: Family::OneSided,
        source: "Sandia OpenSHMEM, sync tree of teams",
        section: "2.7",
        summary: Text {
            en: "a 4-ary heap: count the children, signal the parent, be signalled, signal the children",
            ru: "4-арная куча: сосчитать детей, сообщить родителю, дождаться его, отпустить детей",
        },
        guarantee: Guarantee::RENDEZVOUS,
        cost: Some(|p| cost(&RootedTree::heap(p, RADIX), p)),
        implementation: Implementation::Program(|config| {
            Ok(Box::new(SosTree(RootedTree::heap(config.size, config.radix_or(RADIX)?))))
        }),
    },
    BarrierEntry {
        name: "sos_tree_nomial",
        family: Family::OneSided,
        source: "Sandia OpenSHMEM, sync tree of the world team",
        section: "2.7",
        summary: Text {
            en: "a 4-nomial tree: count the children, signal the parent, be signalled, signal the children",
            ru: "4-номиальное дерево: сосчитать детей, сообщить родителю, дождаться его, отпустить детей",
        },
        guarantee: Guarantee::RENDEZVOUS,
        cost: Some(|p| cost(&RootedTree::nomial(p, RADIX), p)),
        implementation: Implementation::Program(|config| {
            Ok(Box::new(SosTree(RootedTree::nomial(config.size, config.radix_or(RADIX)?))))
        }),
    },
];
