//! Sandia OpenSHMEM's linear barrier: additions at the root, a put to each, slots set back to 0.
//!
//! Every PE adds 1 at PE 0, which waits for P - 1, sets its slot back and puts 1 into each PE's; they wait until it is
//! not 0 and set it back. (The source reads its own slot back after the store, because a processor may be slower than a
//! network card; here a store is immediate.)
//!
//! Signals 2 (P - 1), 2 hops, one cell. Right under any order: PE 0 sets its slot back before it releases a PE.
use wb_comm::{Memory, Result, Text, Until};

use crate::barriers::{BarrierCost, BarrierEntry, Family, Guarantee, Implementation};

const SLOT: usize = 0;

/// Sandia OpenSHMEM's linear barrier: 2 (P - 1) signals, 2 hops, one cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SosLinear;

impl crate::barriers::BarrierProgram for SosLinear {
    fn cells(&self, _size: usize) -> usize {
        1
    }

    #[inline]
    fn episode<M: Memory>(&self, m: &mut M, _epoch: i64) -> Result<()> {
        if m.rank() == 0 {
            m.wait(SLOT, Until::Equal(m.size() as i64 - 1))?;
            m.store(SLOT, 0)?;
            return (1..m.size()).try_for_each(|pe| m.put(pe, SLOT, 1));
        }
        m.add(0, SLOT, 1)?;
        m.wait(SLOT, Until::NotEqual(0))?;
        m.store(SLOT, 0)
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "sos_linear",
    family: Family::OneSided,
    source: "Sandia OpenSHMEM, sync linear",
    section: "2.7",
    summary: Text {
        en: "every PE counts up at PE 0, which resets its slot and puts 1 into each of the others",
        ru: "каждый увеличивает счётчик у PE 0, тот сбрасывает его и пишет 1 каждому",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(|p| BarrierCost {
        messages: 2 * (p - 1),
        rounds: Some(2 * (p - 1)),
        hops: Some(if p > 1 { 2 } else { 0 }),
    }),
    implementation: Implementation::Program(|_| Ok(Box::new(SosLinear))),
}];
