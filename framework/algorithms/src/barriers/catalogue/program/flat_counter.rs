//! Flat counter: every PE adds 1 to one cell, and the PE that is last publishes the episode in another.
//!
//! The addition returns the number of earlier arrivals, so the last PE knows that it is the last without a further
//! read: one transfer of the line less than a counter that a root watches. The others watch one word, which all read
//! and one writes.
//!
//! P read-modify-writes and 1 store; 2 hops. Two cells, at PE 0: packed they share a line, which for two participants
//! saves a transfer. Nothing is reset. (With a sense in place of the episode's number: `core_sync_all`.)
use wb_comm::{Memory, Result, Text, Until};

use crate::barriers::{BarrierCost, BarrierEntry, Family, Guarantee, Implementation};

const ARRIVED: usize = 0;
const RELEASED: usize = 1;

/// The flat counter: P fetch-and-adds on one cell of PE 0; the last PE publishes the episode in another cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlatCounter;

impl crate::barriers::BarrierProgram for FlatCounter {
    fn cells(&self, _size: usize) -> usize {
        2
    }

    #[inline]
    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        let size = m.size() as i64;
        if size == 1 {
            return Ok(());
        }
        if m.fetch_add(0, ARRIVED, 1)? + 1 == size * epoch {
            return m.put(0, RELEASED, epoch);
        }
        m.poll(0, RELEASED, Until::AtLeast(epoch))
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "flat_counter",
    family: Family::SharedMemory,
    source: "textbook; OpenMP and pthread barriers",
    section: "6",
    summary: Text {
        en: "every PE counts up one cell; the last one, which the addition shows, publishes the episode",
        ru: "все увеличивают один счётчик; последний узнаёт это по результату и публикует номер эпизода",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(|p| BarrierCost {
        messages: if p > 1 { p + 1 } else { 0 },
        rounds: None,
        hops: Some(if p > 1 { 2 } else { 0 }),
    }),
    implementation: Implementation::Program(|_| Ok(Box::new(FlatCounter))),
}];
