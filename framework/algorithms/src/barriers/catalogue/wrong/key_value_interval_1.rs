//! Wrong: the barrier over a key-value store that removes the keys of the last episode, not of the one before it.
//!
//! Episode b: add 1 to the key of b; the first member removes the keys of b - interval; the last member sets the word
//! of b, for which all wait. With interval 1 a slow rank still waits for the word that is removed. With 2 no rank does:
//! the first member in b has left b - 1, so every member has entered b - 1 and left b - 2.
//!
//! Here the store's keys are cells of PE 0, used in turn, as the memory of a real store is reused.
use wb_comm::{Memory, Result, Text, Until};

use crate::barriers::{BarrierEntry, Family, Guarantee, Implementation};

/// The number of generations of keys, more than any exploration has episodes.
const GENERATIONS: i64 = 8;

/// The barrier over a key-value store; with an interval of 1 it is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyValue {
    /// The age in episodes at which keys are removed.
    pub interval: i64,
}

fn count(epoch: i64) -> usize {
    2 * (epoch % GENERATIONS) as usize
}

fn word(epoch: i64) -> usize {
    count(epoch) + 1
}

impl crate::barriers::BarrierProgram for KeyValue {
    fn cells(&self, _size: usize) -> usize {
        2 * GENERATIONS as usize
    }

    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        let arrived = m.fetch_add(0, count(epoch), 1)? + 1;
        if arrived == 1 && epoch > self.interval {
            m.swap(0, count(epoch - self.interval), 0)?;
            m.swap(0, word(epoch - self.interval), 0)?;
        }
        if arrived == m.size() as i64 {
            m.swap(0, word(epoch), 1)?;
        }
        m.poll(0, word(epoch), Until::Equal(1))
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "key_value_interval_1",
    family: Family::Wrong,
    source: "control network barrier with clean-up after one episode",
    section: "3.6",
    summary: Text {
        en: "the first to come removes the keys of the last episode, for which a slow rank may still wait",
        ru: "первый пришедший удаляет ключи прошлого эпизода, которых медленный ранг может ещё ждать",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: None,
    implementation: Implementation::Program(|_| Ok(Box::new(KeyValue { interval: 1 }))),
}];
