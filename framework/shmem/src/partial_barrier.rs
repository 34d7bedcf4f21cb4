//! Barriers of some PEs: only the listed PEs call them, and no team is made.
//!
//! One cell for each *pair*: cell j of a PE is written by PE j alone and only grows. In a barrier of the set S, a PE
//! adds 1 to its own cell at some others and waits until their cells have reached the number of barriers of the pair.
//! So no number is shared with PEs outside the list, overlapping sets do not disturb each other, and no cell is reset
//! or wraps. The callers must obey one rule: any two of them call the barriers that contain both in the same order.
//!
//! Two graphs, by the number n of listed PEs: every PE with every PE, n (n - 1) signals and 1 hop, up to
//! [`MAX_ALL_TO_ALL`]; dissemination above, n ceil(log2 n) signals and ceil(log2 n) hops. The same cells serve both.
//!
//! The source's form with 64 slots is here too, corrected: see [`SlotFlags`].
use wb_comm::{CellIndex, Memory, Until};

use crate::{Error, Result};

/// Up to this number of PEs, every PE signals every PE.
pub const MAX_ALL_TO_ALL: usize = 8;

/// A validated list of PEs and its caller's place in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeList {
    /// Ascending.
    pes: Vec<usize>,
    index: usize,
}

impl PeList {
    /// `pes` in any order, among `0..n_pes`, as `caller` sees it.
    ///
    /// # Errors
    /// [`Error::Empty`], [`Error::Pe`] for one that does not exist, [`Error::Duplicate`], [`Error::NotListed`] when the
    /// caller is not among them.
    pub fn new(pes: &[usize], caller: usize, n_pes: usize) -> Result<Self> {
        if pes.is_empty() {
            return Err(Error::Empty);
        }
        let mut sorted = pes.to_vec();
        sorted.sort_unstable();
        if let Some(&pe) = sorted.iter().find(|pe| **pe >= n_pes) {
            return Err(Error::Pe { pe: i64::try_from(pe).unwrap_or(i64::MAX), n_pes });
        }
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::Duplicate { pe: pair[0] });
        }
        match sorted.binary_search(&caller) {
            Ok(at) => Ok(Self { pes: sorted, index: at }),
            Err(_) => Err(Error::NotListed { pe: caller, pes: pes.to_vec() }),
        }
    }

    /// The listed PEs, ascending.
    pub fn pes(&self) -> &[usize] {
        &self.pes
    }

    /// Every PE but the caller.
    fn others(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        self.pes.iter().enumerate().filter(|(at, _)| *at != self.index).map(|(_, pe)| *pe)
    }
}

/// The number of barriers of this PE with each other one; the cells are in the memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairCounters {
    /// The cell of PE 0; that of PE j is j further on.
    first: CellIndex,
    /// The value that each cell must have reached.
    expected: Vec<i64>,
}

impl PairCounters {
    /// On cells `first .. first + n_pes` of every PE, which hold 0.
    pub fn new(first: CellIndex, n_pes: usize) -> Self {
        Self { first, expected: vec![0; n_pes] }
    }

    /// Returns once all listed PEs have called it with the same list the same number of times.
    ///
    /// # Errors
    /// The errors of the memory.
    pub fn barrier<M: Memory>(&mut self, m: &mut M, listed: &PeList) -> wb_comm::Result<()> {
        match listed.pes.len() {
            ..=MAX_ALL_TO_ALL => self.all_to_all(m, listed),
            _ => self.dissemination(m, listed),
        }
    }

    /// As [`meet`](Self::barrier), in one hop for any number of PEs.
    ///
    /// # Errors
    /// The errors of the memory.
    pub fn all_to_all<M: Memory>(&mut self, m: &mut M, listed: &PeList) -> wb_comm::Result<()> {
        for pe in listed.others() {
            self.signal(m, pe)?;
        }
        listed.others().try_for_each(|pe| self.wait_signal(m, pe))
    }

    /// As [`meet`](Self::barrier), in ceil(log2 n) hops: in round k a PE signals the listed PE 2^k further on.
    ///
    /// # Errors
    /// The errors of the memory.
    pub fn dissemination<M: Memory>(&mut self, m: &mut M, listed: &PeList) -> wb_comm::Result<()> {
        let (pes, at, n) = (&listed.pes, listed.index, listed.pes.len());
        let mut distance = 1;
        while distance < n {
            self.signal(m, pes[(at + distance) % n])?;
            self.wait_signal(m, pes[(at + n - distance) % n])?;
            distance *= 2;
        }
        Ok(())
    }

    fn signal<M: Memory>(&self, m: &mut M, pe: usize) -> wb_comm::Result<()> {
        m.add(pe, self.first + m.rank(), 1)
    }

    fn wait_signal<M: Memory>(&mut self, m: &mut M, pe: usize) -> wb_comm::Result<()> {
        self.expected[pe] += 1;
        m.wait(self.first + pe, Until::AtLeast(self.expected[pe]))
    }
}

/// The number of slots in the source.
const FLAGS: usize = 64;

/// The source's form: call number c uses slot c mod 64, in which each listed PE raises a flag that the others read.
///
/// There are two differences from the source. The flag *is* the call number and is never cleared, and readers wait for
/// at least it: when the source clears at the wrap, a fast PE lowers a flag that a slow one has not yet read. The
/// number belongs to one team, not to the process. A restriction remains: *all members of the team must call*, listed
/// or not, or the numbers differ; [`PairCounters`] has no such restriction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotFlags {
    first: CellIndex,
    calls: i64,
}

impl SlotFlags {
    /// Cells that each PE needs.
    pub const CELLS: usize = FLAGS;

    /// On cells `first ..` of every member, which hold 0.
    pub fn new(first: CellIndex) -> Self {
        Self { first, calls: 0 }
    }

    /// For a listed member: returns once all listed members have made this call.
    ///
    /// # Errors
    /// The errors of the memory.
    pub fn barrier<M: Memory>(&mut self, m: &mut M, listed: &PeList) -> wb_comm::Result<()> {
        self.skip();
        let slot = self.first + usize::try_from(self.calls).expect("it counts up from 0") % FLAGS;
        m.store(slot, self.calls)?;
        listed.others().try_for_each(|pe| m.poll(pe, slot, Until::AtLeast(self.calls)))
    }

    /// For a member that is not listed: only counts the call.
    pub fn skip(&mut self) {
        self.calls += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bad_list_is_named() {
        let refusal = |pes: &[usize]| PeList::new(pes, 1, 4).expect_err("bad").to_string();
        assert_eq!(refusal(&[]), "a barrier needs at least 1 participant");
        assert_eq!(refusal(&[1, 4]), "PE 4 does not exist: there are 4, numbered from 0");
        assert_eq!(refusal(&[1, 3, 1]), "PE 1 is listed twice");
        assert_eq!(refusal(&[0, 2]), "PE 1 calls a partial barrier of [0, 2], to which it does not belong");
    }

    #[test]
    fn a_list_may_be_in_any_order() {
        let listed = PeList::new(&[3, 0, 1], 1, 4).expect("sound");
        assert_eq!((listed.pes(), listed.index), (&[0, 1, 3][..], 1));
        assert_eq!(listed.others().collect::<Vec<_>>(), [0, 3]);
    }
}
