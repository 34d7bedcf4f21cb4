//! Wrong: dissemination with flags that are put as 1 and set back by their reader (phase 2 of Sandia OpenSHMEM's pull
//! request 1229).
//!
//! A fast neighbour can put the next episode's 1 before the reader has set the last one back: the two merge, one signal
//! is lost, and a rank waits for ever. The quiet does not help, and neither do puts that arrive immediately. Right:
//! counters, as `dissemination`.
use wb_comm::{Memory, Result, Text, Until};

use crate::barriers::{BarrierEntry, Family, Guarantee, Implementation, logarithm::ceil_log2};

/// A wrong dissemination: flags of 1 that their reader resets, so that two signals can merge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BooleanRounds;

impl crate::barriers::BarrierProgram for BooleanRounds {
    fn cells(&self, size: usize) -> usize {
        ceil_log2(size)
    }

    fn episode<M: Memory>(&self, m: &mut M, _epoch: i64) -> Result<()> {
        let (r, p) = (m.rank(), m.size());
        for round in 0..ceil_log2(p) {
            m.put((r + (1 << round)) % p, round, 1)?;
            m.wait(round, Until::NotEqual(0))?;
            m.store(round, 0)?;
        }
        m.quiet()
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "boolean_rounds",
    family: Family::Wrong,
    source: "Sandia OpenSHMEM pull request 1229, phase 2",
    section: "8, row 26",
    summary: Text {
        en: "a flag is put as 1 and set back by its reader, without flow control",
        ru: "флаг пишут как 1, а читатель сбрасывает его, без управления потоком",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: None,
    implementation: Implementation::Program(|_| Ok(Box::new(BooleanRounds))),
}];
