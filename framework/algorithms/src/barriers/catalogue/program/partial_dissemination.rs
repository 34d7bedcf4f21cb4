//! Partial barrier by pairwise counters on the dissemination graph: any subset, only its members call.
//!
//! With n members sorted, i the own position: for d = 1, 2, 4, ... < n signal the member at (i + d) mod n and wait for one
//! more signal of the one at (i - d) mod n. The cells are those of `partial_pairwise`, one for each ordered pair and not
//! for each round, so subsets may overlap in any way, and both forms may be mixed.
//!
//! n ceil(log2 n) signals, ceil(log2 n) rounds and hops; 2 P cells. Right under any order.
use wb_comm::{Memory, Rank, Result, Text};

use super::partial_pairwise::{signal, wait_signal};
use crate::barriers::{
    BarrierEntry, Family, Guarantee, Implementation, Subset, catalogue::pattern::dissemination,
};

/// The partial barrier of a subset by pairwise counters on the dissemination graph: n ceil(log2 n) signals, 2 P cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialDissemination(pub Subset);

/// One barrier of `members`, of which the memory's PE is one.
///
/// # Errors
/// For a PE that is not a member; the errors of the memory.
#[inline]
pub fn barrier<M: Memory>(m: &mut M, members: &Subset) -> Result<()> {
    let (position, members) = (members.position(m.rank())?, members.members());
    let n = members.len();
    let mut distance = 1;
    while distance < n {
        signal(m, members[(position + distance) % n])?;
        wait_signal(m, members[(position + n - distance) % n])?;
        distance *= 2;
    }
    Ok(())
}

impl crate::barriers::BarrierProgram for PartialDissemination {
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
    name: "partial_dissemination",
    family: Family::Partial,
    source: "Ascend SHMEM, partial barrier, recommended form for large subsets",
    section: "3.7",
    summary: Text {
        en: "pairwise counters on the dissemination graph over the members of the subset",
        ru: "попарные счётчики на графе рассеивания по участникам подмножества",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(dissemination::cost),
    implementation: Implementation::Program(|config| {
        Ok(Box::new(PartialDissemination(Subset::all(config.size)?)))
    }),
}];
