//! Open MPI's coll/sm barrier: a 4-ary tree with two sets of words, used in turn.
//!
//! Set b mod 2 of a process has *in*, which counts its children, and *out*, by which it is released. Wait until in is the
//! number of children and set it to 0; add 1 to the parent's in; wait until out is 1 and set it to 0; put 1 into each
//! child's out. Alternation takes the place of episode numbers.
//!
//! Signals 2 (P - 1), hops 2 depth, four cells. Right under any order: a word is set back before its next writer is
//! released.
use wb_comm::{Memory, Result, Text, Until};

use crate::barriers::{BarrierCost, BarrierEntry, Family, Guarantee, Implementation, RootedTree};

const RADIX: usize = 4;

/// The barrier on a 4-ary tree with two sets of words, used in turn: 2 (P - 1) signals, 4 cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlternatingTree(RootedTree);

impl crate::barriers::BarrierProgram for AlternatingTree {
    fn cells(&self, _size: usize) -> usize {
        4
    }

    #[inline]
    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        let set = 2 * (epoch & 1) as usize;
        let (arrived, released) = (set, set + 1);
        let (r, tree) = (m.rank(), &self.0);
        let children = tree.children(r);
        if !children.is_empty() {
            m.wait(arrived, Until::Equal(children.len() as i64))?;
            m.store(arrived, 0)?;
        }
        if r != 0 {
            m.add(tree.parent(r), arrived, 1)?;
            m.wait(released, Until::Equal(1))?;
            m.store(released, 0)?;
        }
        children.iter().try_for_each(|&child| m.put(child, released, 1))
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "alternating_tree",
    family: Family::SharedMemory,
    source: "Open MPI coll/sm barrier",
    section: "6",
    summary: Text {
        en: "a 4-ary tree with two sets of counters and flags in turn, each set back after use",
        ru: "4-арное дерево с двумя чередующимися наборами счётчиков и флагов, сбрасываемых после чтения",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(|p| BarrierCost {
        messages: 2 * (p - 1),
        rounds: None,
        hops: Some(2 * RootedTree::heap(p, RADIX).depth()),
    }),
    implementation: Implementation::Program(|config| {
        Ok(Box::new(AlternatingTree(RootedTree::heap(config.size, RADIX))))
    }),
}];
