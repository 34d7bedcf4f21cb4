//! Flat flags: each PE has a flag of its own, the root reads all of them and then releases every PE.
//!
//! No PE writes a word that another writes, and an arrival is one plain store to an own word. The root's reads overlap
//! in the processor, so for a small number of participants on a core each this is faster than trees. The root releases
//! by one word that all watch, whose line passes from reader to reader; or (EACH) it puts into a cell of each, so that
//! each watches its own line, at the cost of P - 1 stores.
//!
//! P - 1 stores to arrive and 1 or P - 1 to release, 2 hops, two cells. Right under any order: the root cannot put the
//! next mark before the last one has been seen.
use wb_comm::{Memory, Result, Text};

use crate::barriers::{BarrierCost, BarrierEntry, Family, Guarantee, Implementation, epoch_flag::epoch_flag};

const ARRIVED: usize = 0;
const RELEASED: usize = 1;

/// The barrier by one flag a PE. With `SENSE` flags hold the sense, else the episode; with `EACH` every PE has a release cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlatFlags<const SENSE: bool, const EACH: bool>;

impl<const SENSE: bool, const EACH: bool> crate::barriers::BarrierProgram for FlatFlags<SENSE, EACH> {
    fn cells(&self, _size: usize) -> usize {
        2
    }

    #[inline]
    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        let (value, until) = epoch_flag::<SENSE>(epoch);
        if m.rank() != 0 {
            m.store(ARRIVED, value)?;
            return if EACH { m.wait(RELEASED, until) } else { m.poll(0, RELEASED, until) };
        }
        let mut others = 1..m.size();
        others.clone().try_for_each(|pe| m.poll(pe, ARRIVED, until))?;
        match (EACH, others.is_empty()) {
            (true, _) => others.try_for_each(|pe| m.put(pe, RELEASED, value)),
            (false, true) => Ok(()),
            (false, false) => m.store(RELEASED, value),
        }
    }
}

fn cost(release: fn(usize) -> usize, p: usize) -> BarrierCost {
    let messages = if p > 1 { p - 1 + release(p) } else { 0 };
    BarrierCost { messages, rounds: None, hops: Some(if p > 1 { 2 } else { 0 }) }
}

const EPOCHS: &str = "MPICH release-gather and XHC, one level";
const SENSES: &str = "MPICH release-gather and XHC, one level, with a sense";

/// The first row; the others differ from it in a few fields.
const ROW: BarrierEntry = BarrierEntry {
    name: "flat_flags",
    family: Family::SharedMemory,
    source: EPOCHS,
    section: "6",
    summary: Text {
        en: "each raises its own flag, the root looks at all and stores one word that all watch",
        ru: "каждый поднимает свой флаг, корень смотрит на все и пишет одно слово, которое читают все",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(|p| cost(|_| 1, p)),
    implementation: Implementation::Program(|_| Ok(Box::new(FlatFlags::<false, false>))),
};

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[
    ROW,
    BarrierEntry {
        name: "flat_flags_sense",
        source: SENSES,
        summary: Text {
            en: "as flat_flags, with one bit that turns in place of the episode number",
            ru: "как flat_flags, но вместо номера эпизода один переключаемый бит",
        },
        cost: Some(|p| cost(|_| 1, p)),
        implementation: Implementation::Program(|_| Ok(Box::new(FlatFlags::<true, false>))),
        ..ROW
    },
    BarrierEntry {
        name: "flat_flags_each",
        source: EPOCHS,
        summary: Text {
            en: "each raises its own flag, the root looks at all and stores into a cell of each",
            ru: "каждый поднимает свой флаг, корень смотрит на все и пишет в ячейку каждого",
        },
        cost: Some(|p| cost(|p| p - 1, p)),
        implementation: Implementation::Program(|_| Ok(Box::new(FlatFlags::<false, true>))),
        ..ROW
    },
    BarrierEntry {
        name: "flat_flags_each_sense",
        source: SENSES,
        summary: Text {
            en: "as flat_flags_each, with one bit that turns in place of the episode number",
            ru: "как flat_flags_each, но вместо номера эпизода один переключаемый бит",
        },
        cost: Some(|p| cost(|p| p - 1, p)),
        implementation: Implementation::Program(|_| Ok(Box::new(FlatFlags::<true, true>))),
        ..ROW
    },
];
