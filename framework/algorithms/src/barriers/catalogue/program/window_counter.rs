//! One counter that every PE adds to and polls (MPI-3: `lock_all` once, `MPI_Fetch_and_op` for both).
//!
//! Every PE adds 1 to the counter of PE 0. The PE whose addition makes it b P is the last of episode b and continues
//! immediately; the others poll the counter until it has this value. No PE releases another, so there is one hop less
//! than in the central counter, at the cost of remote reads of one cell by all.
//!
//! Read-modify-writes P, and an unbounded number of remote reads. Safe back to back, whatever the order of delivery:
//! the counter only grows, an addition is complete when it returns, and no PE adds to episode b + 1 before b P is
//! reached.
use wb_comm::{Memory, Result, Text, Until};

use crate::barriers::{BarrierCost, BarrierEntry, Family, Guarantee, Implementation};

/// One counter at PE 0 to which every PE adds 1 and which every PE polls: P fetch-and-adds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WindowCounter;

impl crate::barriers::BarrierProgram for WindowCounter {
    fn cells(&self, _size: usize) -> usize {
        1
    }

    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        let all = epoch * m.size() as i64;
        if m.size() == 1 || m.fetch_add(0, 0, 1)? + 1 >= all {
            return Ok(());
        }
        m.poll(0, 0, Until::AtLeast(all))
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "window_counter",
    family: Family::Rma,
    source: "MPI 3.1, 11.5.3: MPI_Win_lock_all, MPI_Fetch_and_op",
    section: "5.1",
    summary: Text {
        en: "every PE adds 1 to one counter of PE 0 and looks at it until all have",
        ru: "каждый прибавляет 1 к счётчику PE 0 и смотрит на него, пока не прибавят все",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(|p| BarrierCost { messages: if p > 1 { p } else { 0 }, rounds: None, hops: None }),
    implementation: Implementation::Program(|_| Ok(Box::new(WindowCounter))),
}];
