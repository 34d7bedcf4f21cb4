//! Flat flags with a release for each: the root looks at all flags, then stores into a cell of everybody's.
//!
//! Against one shared word: each watches its own line, and the root pays for P - 1 stores.
//!
//! P - 1 stores to arrive and P - 1 to release, 2 hops, two cells. Right under any order: the root cannot put the next
//! mark before the last one has been seen.
use wb_comm::{Memory, Result};

use crate::{
    catalogue::{Cost, Entry, Family, Form, Promise, Text},
    mark::mark,
};

const ARRIVED: usize = 0;
const RELEASED: usize = 1;

/// See the module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlatFlagsEach<const SENSE: bool>;

impl<const SENSE: bool> crate::Program for FlatFlagsEach<SENSE> {
    fn cells(&self, _size: usize) -> usize {
        2
    }

    #[inline]
    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        let (value, until) = mark::<SENSE>(epoch);
        if m.rank() != 0 {
            m.store(ARRIVED, value)?;
            return m.wait(RELEASED, until);
        }
        (1..m.size()).try_for_each(|pe| m.poll(pe, ARRIVED, until))?;
        (1..m.size()).try_for_each(|pe| m.put(pe, RELEASED, value))
    }
}

fn cost(p: usize) -> Cost {
    Cost { messages: 2 * (p - 1), rounds: None, hops: Some(if p > 1 { 2 } else { 0 }) }
}

/// In the catalogue.
pub static ENTRIES: &[Entry] = &[
    Entry {
        name: "flat_flags_each",
        family: Family::SharedMemory,
        source: "MPICH release-gather and XHC, one level",
        section: "6",
        summary: Text {
            en: "each raises its own flag, the root looks at all and stores into a cell of each",
            ru: "каждый поднимает свой флаг, корень смотрит на все и пишет в ячейку каждого",
        },
        promise: Promise::RENDEZVOUS,
        cost: Some(cost),
        form: Form::Program(|_| Ok(Box::new(FlatFlagsEach::<false>))),
    },
    Entry {
        name: "flat_flags_each_sense",
        family: Family::SharedMemory,
        source: "MPICH release-gather and XHC, one level, with a sense",
        section: "6",
        summary: Text {
            en: "as flat_flags_each, with one bit that turns in place of the episode number",
            ru: "как flat_flags_each, но вместо номера эпизода один переключаемый бит",
        },
        promise: Promise::RENDEZVOUS,
        cost: Some(cost),
        form: Form::Program(|_| Ok(Box::new(FlatFlagsEach::<true>))),
    },
];
