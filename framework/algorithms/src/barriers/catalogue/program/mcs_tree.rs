//! Mellor-Crummey and Scott's tree barrier (1991): arrive on a 4-ary heap, wake up on a binary one.
//!
//! Children 4 r + 1 .. 4 r + 4 put their mark into a slot of their own at the parent, which waits for those it has and
//! then signals its parent. Back: the children 2 r + 1 and 2 r + 2 get the mark into their wake-up cell. Every PE waits on
//! its own cells only, and each of them has one writer.
//!
//! Signals 2 (P - 1), hops at most depth_4(P) + floor(log2 P), five cells: packed they are one line, as in the paper,
//! where the four slots are the bytes of a word. Mark: the episode's number, or the paper's sense. Right under any order:
//! no PE can write a slot again before it has been released.
use wb_comm::{Memory, Result, Text};

use crate::barriers::{
    BarrierCost, BarrierEntry, Family, Guarantee, Implementation, RootedTree, epoch_flag::epoch_flag,
};

const FAN_IN: usize = 4;
const WAKE_UP: usize = FAN_IN;

/// The MCS tree barrier in memory: 2 (P - 1) signals, 5 cells. With `SENSE` they hold the sense, else the episode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct McsTreeProgram<const SENSE: bool> {
    arrival: RootedTree,
    wake_up: RootedTree,
}

impl<const SENSE: bool> McsTreeProgram<SENSE> {
    /// For a group of `size`.
    pub fn new(size: usize) -> Self {
        Self { arrival: RootedTree::heap(size, FAN_IN), wake_up: RootedTree::heap(size, 2) }
    }
}

impl<const SENSE: bool> crate::barriers::BarrierProgram for McsTreeProgram<SENSE> {
    fn cells(&self, _size: usize) -> usize {
        FAN_IN + 1
    }

    #[inline]
    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        let (r, (value, until)) = (m.rank(), epoch_flag::<SENSE>(epoch));
        (0..self.arrival.children(r).len()).try_for_each(|slot| m.wait(slot, until))?;
        if r != 0 {
            m.put(self.arrival.parent(r), (r - 1) % FAN_IN, value)?;
            m.wait(WAKE_UP, until)?;
        }
        self.wake_up.children(r).iter().try_for_each(|&child| m.put(child, WAKE_UP, value))
    }
}

fn cost(p: usize) -> BarrierCost {
    BarrierCost { messages: 2 * (p - 1), rounds: None, hops: None }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[
    BarrierEntry {
        name: "mcs_tree_epoch",
        family: Family::SharedMemory,
        source: "Mellor-Crummey and Scott 1991, tree barrier, with epochs",
        section: "2.8",
        summary: Text {
            en: "arrive on a 4-ary heap, wake up on a binary one; every PE waits on cells of its own",
            ru: "сбор по 4-арной куче, пробуждение по двоичной; каждый ждёт только на своих ячейках",
        },
        guarantee: Guarantee::RENDEZVOUS,
        cost: Some(cost),
        implementation: Implementation::Program(|config| {
            Ok(Box::new(McsTreeProgram::<false>::new(config.size)))
        }),
    },
    BarrierEntry {
        name: "mcs_tree_sense",
        family: Family::SharedMemory,
        source: "Mellor-Crummey and Scott 1991, tree barrier",
        section: "2.8",
        summary: Text {
            en: "as mcs_tree_epoch, with one bit that turns in place of the episode number",
            ru: "как mcs_tree_epoch, но вместо номера эпизода один переключаемый бит",
        },
        guarantee: Guarantee::RENDEZVOUS,
        cost: Some(cost),
        implementation: Implementation::Program(|config| {
            Ok(Box::new(McsTreeProgram::<true>::new(config.size)))
        }),
    },
];
