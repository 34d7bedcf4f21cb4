//! Partial barrier by pairwise counters: any subset, only its members call, nothing is agreed beforehand.
//!
//! Cell j of PE i counts what j has signalled to i; cell P + j, which only i itself uses, how much of that i has waited
//! for. A member adds 1 to its cell at each of the other members, then waits for one more from each. Subsets may overlap
//! in any way as long as each pair of PEs calls those that both belong to in the same order: a counter belongs to the
//! pair, not to the subset.
//!
//! n (n - 1) signals among n members, n - 1 rounds, 1 hop; 2 P cells. Right under any order: counters only grow.
//! `partial_dissemination` is the same with fewer signals.
use wb_comm::{Memory, Rank, Result, Text, Until};

use crate::barriers::{BarrierCost, BarrierEntry, Family, Guarantee, Implementation, Subset};

/// The partial barrier of a subset by a counter for each pair: n (n - 1) signals, 2 P cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialPairwise(pub Subset);

/// One barrier of `members`, of which the memory's PE is one.
///
/// # Errors
/// For a PE that is not a member; the errors of the memory.
#[inline]
pub fn barrier<M: Memory>(m: &mut M, members: &Subset) -> Result<()> {
    let me = members.members()[members.position(m.rank())?];
    let others = || members.members().iter().copied().filter(|&peer| peer != me);
    others().try_for_each(|peer| signal(m, peer))?;
    others().try_for_each(|peer| wait_signal(m, peer))
}

/// Signals `peer` once more.
#[inline]
pub(crate) fn signal<M: Memory>(m: &mut M, peer: Rank) -> Result<()> {
    m.add(peer, m.rank(), 1)
}

/// Waits for one more signal of `peer`.
#[inline]
pub(crate) fn wait_signal<M: Memory>(m: &mut M, peer: Rank) -> Result<()> {
    let waited_for = m.size() + peer;
    let expected = m.load(waited_for)? + 1;
    m.store(waited_for, expected)?;
    m.wait(peer, Until::AtLeast(expected))
}

impl crate::barriers::BarrierProgram for PartialPairwise {
    fn cells(&self, size: usize) -> usize {
        2 * size
    }

    fn members(&self, _size: usize) -> Vec<Rank> {
        self.0.members().to_vec()
    }

    #[inline]
    fn episode<M: Memory>(&self, m: &mut M, _epoch: i64) -> Result<()> {
        barrier(m, &self.0)
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "partial_pairwise",
    family: Family::Partial,
    source: "Ascend SHMEM, partial barrier, recommended form",
    section: "3.7",
    summary: Text {
        en: "a counter for each ordered pair: any overlapping subsets, only members call",
        ru: "счётчик на каждую упорядоченную пару: любые пересекающиеся подмножества, вызывают только участники",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(|p| BarrierCost {
        messages: p * (p - 1),
        rounds: Some(p - 1),
        hops: Some(usize::from(p > 1)),
    }),
    implementation: Implementation::Program(|config| {
        Ok(Box::new(PartialPairwise(Subset::all(config.size)?)))
    }),
}];
