//! Wrong: Ascend's composition that reads the PE's counter after the first core barrier.
//!
//! Two PEs of two cores. A fast core finishes its part of the level between PEs and stores the new counter; a slow core
//! of the same PE reads it only then, and waits for an epoch that no rank enters. Right: read before the core barrier,
//! as `three_level` does.
use wb_comm::{Error, Memory, Rank, Result, Text, Until, text};

use crate::barriers::{BarrierEntry, ErasedProgram, Family, GroupConfig, Guarantee, Implementation};

const CORES: usize = 2;
const COUNTER: usize = 0;
const FLAG: usize = 1;
const BARRIERS: usize = 2;

/// A wrong composition: cores read the PE's counter after the first core barrier. Ranks are cores; a PE's cells are those of its first one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CounterAfterMeeting;

impl crate::barriers::BarrierProgram for CounterAfterMeeting {
    fn cells(&self, _size: usize) -> usize {
        3
    }

    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        let (core, leader) = (m.rank() % CORES, m.rank() / CORES * CORES);
        core_barrier(m, leader, 2 * epoch - 1)?;
        let count = m.get(leader, COUNTER)? + 1;
        // Core j reads the flag of PE j.
        if core * CORES == leader {
            m.swap(leader, FLAG, count)?;
        } else {
            m.poll(core * CORES, FLAG, Until::Either(count, count + 1))?;
        }
        m.swap(leader, COUNTER, count)?;
        core_barrier(m, leader, 2 * epoch)
    }
}

fn build(config: &GroupConfig) -> Result<Box<dyn ErasedProgram>> {
    match config.size {
        4 => Ok(Box::new(CounterAfterMeeting)),
        size => Err(Error::Setup(text::barrier::size("counter_after_meeting", CORES * CORES, size))),
    }
}

/// The `nth` barrier of the cores of one PE.
fn core_barrier<M: Memory>(m: &mut M, leader: Rank, nth: i64) -> Result<()> {
    m.add(leader, BARRIERS, 1)?;
    m.poll(leader, BARRIERS, Until::AtLeast(nth * CORES as i64))
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "counter_after_meeting",
    family: Family::Wrong,
    source: "Ascend SHMEM, older source",
    section: "8, row 18",
    summary: Text {
        en: "cores read their PE's counter after they have met, when a fast one may have stored the next",
        ru: "ядра читают счётчик PE после встречи, когда быстрое ядро могло записать следующий",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: None,
    implementation: Implementation::Program(build),
}];
