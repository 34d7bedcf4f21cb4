//! Wrong: the central counter whose root counts reads, not PEs.
//!
//! The root subtracts 1 whenever it sees WAIT anywhere, so a waiting PE is counted at every read, and after enough
//! reads the root releases although a rank has not entered. Right: `central_slot`, one mark for each PE.
use wb_comm::{Memory, Result, Text, Until};

use crate::barriers::{
    BarrierEntry, Family, Guarantee, Implementation,
    slot::{RELEASED, SLOT, UNUSED, WAITING},
};

/// A wrong central barrier: the root counts reads, and so one PE several times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CentralWithoutMarks;

impl crate::barriers::BarrierProgram for CentralWithoutMarks {
    fn cells(&self, _size: usize) -> usize {
        1
    }

    fn initial(&self) -> i64 {
        UNUSED
    }

    fn episode<M: Memory>(&self, m: &mut M, _epoch: i64) -> Result<()> {
        if m.rank() != 0 {
            m.store(SLOT, WAITING)?;
            m.wait(SLOT, Until::Equal(RELEASED))?;
            return m.store(SLOT, UNUSED);
        }
        let mut left = m.size() - 1;
        while left > 0 {
            for pe in 1..m.size() {
                if left > 0 && m.get(pe, SLOT)? == WAITING {
                    left -= 1;
                }
            }
        }
        (1..m.size()).try_for_each(|pe| m.put(pe, SLOT, RELEASED))?;
        m.quiet()
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "central_without_marks",
    family: Family::Wrong,
    source: "source text on OpenSHMEM, central counter",
    section: "8, row 8",
    summary: Text {
        en: "the root counts how often it has seen a rank waiting, not whom",
        ru: "корень считает, сколько раз видел ждущего, а не кого именно",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: None,
    implementation: Implementation::Program(|_| Ok(Box::new(CentralWithoutMarks))),
}];
