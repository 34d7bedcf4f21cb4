//! Gather and release on a tree of own lines (MPICH's release-gather without data).
//!
//! Every PE has two words that only it writes. Up: wait until the gather words of all children say this episode, then
//! store the own one. Down: wait until the parent's release word says it, then store the own one, if there are children.
//!
//! P - 1 stores up and one down for each that has children, hops 2 depth, two cells. The radix is 64 as in MPICH, flat
//! for most nodes; the row with radix 4 is a real tree. Right under any order: nothing is put.
use wb_comm::{Memory, Result, Text, Until};

use crate::barriers::{
    BarrierCost, BarrierEntry, ErasedProgram, Family, GroupConfig, Guarantee, Implementation, RootedTree,
};

const GATHERED: usize = 0;
const RELEASED: usize = 1;

/// The release-gather barrier: each PE writes only its own 2 cells, and its tree neighbours read them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleaseGather(RootedTree);

impl crate::barriers::BarrierProgram for ReleaseGather {
    fn cells(&self, _size: usize) -> usize {
        2
    }

    #[inline]
    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        let (r, tree, reached) = (m.rank(), &self.0, Until::AtLeast(epoch));
        let children = tree.children(r);
        children.iter().try_for_each(|&child| m.poll(child, GATHERED, reached))?;
        if r != 0 {
            m.store(GATHERED, epoch)?;
            m.poll(tree.parent(r), RELEASED, reached)?;
        }
        if children.is_empty() { Ok(()) } else { m.store(RELEASED, epoch) }
    }
}

fn build(config: &GroupConfig, radix: usize) -> Result<Box<dyn ErasedProgram>> {
    Ok(Box::new(ReleaseGather(RootedTree::heap(config.size, config.radix_or(radix)?))))
}

fn cost(p: usize, radix: usize) -> BarrierCost {
    let inner = (p - 1).div_ceil(radix);
    BarrierCost { messages: p - 1 + inner, rounds: None, hops: Some(2 * RootedTree::heap(p, radix).depth()) }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[
    BarrierEntry {
        name: "release_gather",
        family: Family::SharedMemory,
        source: "MPICH, release-gather (Jain et al., SC 2018)",
        section: "6",
        summary: Text {
            en: "gather and release on a 64-ary tree of words that only their owners write",
            ru: "сбор и отпускание по 64-арному дереву слов, в каждое пишет только владелец",
        },
        guarantee: Guarantee::RENDEZVOUS,
        cost: Some(|p| cost(p, 64)),
        implementation: Implementation::Program(|config| build(config, 64)),
    },
    BarrierEntry {
        name: "release_gather_4",
        family: Family::SharedMemory,
        source: "MPICH, release-gather (Jain et al., SC 2018), radix 4",
        section: "6",
        summary: Text {
            en: "gather and release on a 4-ary tree of words that only their owners write",
            ru: "сбор и отпускание по 4-арному дереву слов, в каждое пишет только владелец",
        },
        guarantee: Guarantee::RENDEZVOUS,
        cost: Some(|p| cost(p, 4)),
        implementation: Implementation::Program(|config| build(config, 4)),
    },
];
