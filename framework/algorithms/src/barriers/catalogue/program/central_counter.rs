//! Central counter, never reset (the recommended form of OpenSHMEM's central counter).
//!
//! Every PE adds 1 to PE 0's counter. PE 0 waits for b (P - 1) in episode b and then adds 1 to each PE's release cell;
//! the others wait for their release cell to reach b.
//!
//! Signals 2 (P - 1), rounds 2 (P - 1), 2 hops. Unordered delivery, back to back and without quiet: both cells only
//! ever grow, and each wait says how far.
use wb_comm::{Memory, Result, Text, Until};

use crate::barriers::{BarrierCost, BarrierEntry, Family, Guarantee, Implementation};

const ARRIVED: usize = 0;
const RELEASED: usize = 1;

/// The central counter at PE 0, never reset: 2 (P - 1) signals, 2 cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CentralCounter;

impl crate::barriers::BarrierProgram for CentralCounter {
    fn cells(&self, _size: usize) -> usize {
        2
    }

    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        if m.rank() != 0 {
            m.add(0, ARRIVED, 1)?;
            return m.wait(RELEASED, Until::AtLeast(epoch));
        }
        m.wait(ARRIVED, Until::AtLeast(epoch * (m.size() as i64 - 1)))?;
        (1..m.size()).try_for_each(|pe| m.add(pe, RELEASED, 1))
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "central_counter",
    family: Family::OneSided,
    source: "Open MPI OSHMEM scoll/basic (central counter), recommended form",
    section: "2.1",
    summary: Text {
        en: "every PE counts up at PE 0, which then releases every PE",
        ru: "каждый увеличивает счётчик у PE 0, тот затем отпускает всех",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(|p| BarrierCost {
        messages: 2 * (p - 1),
        rounds: Some(2 * (p - 1)),
        hops: Some(if p > 1 { 2 } else { 0 }),
    }),
    implementation: Implementation::Program(|_| Ok(Box::new(CentralCounter))),
}];
