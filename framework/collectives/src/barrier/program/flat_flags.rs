//! Flat flags: each has a flag of its own, the root looks at all of them and then stores one word that all watch.
//!
//! Nobody writes what another writes, and all that is stored is the writer's own: the root's looks overlap in the
//! processor, so for a handful of participants on a core each this beats trees. Watched from afar by many, the one word
//! is handed out reader by reader.
//!
//! P - 1 stores to arrive and 1 to release, 2 hops, two cells. Right under any order (nothing is put).
use wb_comm::{Memory, Result};

use crate::{
    catalogue::{Cost, Entry, Family, Form, Promise, Text},
    mark::mark,
};

const ARRIVED: usize = 0;
const RELEASED: usize = 1;

/// See the module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlatFlags<const SENSE: bool>;

impl<const SENSE: bool> crate::Program for FlatFlags<SENSE> {
    fn cells(&self, _size: usize) -> usize {
        2
    }

    #[inline]
    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        let (value, until) = mark::<SENSE>(epoch);
        if m.rank() != 0 {
            m.store(ARRIVED, value)?;
            return m.poll(0, RELEASED, until);
        }
        (1..m.size()).try_for_each(|pe| m.poll(pe, ARRIVED, until))?;
        if m.size() > 1 { m.store(RELEASED, value) } else { Ok(()) }
    }
}

fn cost(p: usize) -> Cost {
    Cost { messages: if p > 1 { p } else { 0 }, rounds: None, hops: Some(if p > 1 { 2 } else { 0 }) }
}

/// In the catalogue.
pub static ENTRIES: &[Entry] = &[
    Entry {
        name: "flat_flags",
        family: Family::SharedMemory,
        source: "MPICH release-gather and XHC, one level",
        section: "6",
        summary: Text {
            en: "each raises its own flag, the root looks at all and stores one word that all watch",
            ru: "каждый поднимает свой флаг, корень смотрит на все и пишет одно слово, которое читают все",
        },
        promise: Promise::RENDEZVOUS,
        cost: Some(cost),
        form: Form::Program(|_| Ok(Box::new(FlatFlags::<false>))),
    },
    Entry {
        name: "flat_flags_sense",
        family: Family::SharedMemory,
        source: "MPICH release-gather and XHC, one level, with a sense",
        section: "6",
        summary: Text {
            en: "as flat_flags, with one bit that turns in place of the episode number",
            ru: "как flat_flags, но вместо номера эпизода один переключаемый бит",
        },
        promise: Promise::RENDEZVOUS,
        cost: Some(cost),
        form: Form::Program(|_| Ok(Box::new(FlatFlags::<true>))),
    },
];
