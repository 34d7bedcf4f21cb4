//! Dissemination on one slot, as OpenSHMEM libraries have it.
//!
//! Own slot 0. Round k = 0, 1, ... while 2^k < P: get the slot of (r + 2^k) mod P until it is k, put k + 1 into it, wait
//! until the own one is at least k + 1. At the end the slot is set back.
//!
//! P ceil(log2 P) puts and at least as many gets; each round costs a get's round trip and a put: three times the
//! counters' form. (Libraries make floor(log2 P) + 1 rounds; for powers of two the last one is with themselves.) As in
//! recursive doubling a put must not outlive the episode, so it ends with a quiet. Without the store at the beginning
//! every PE waits for ever from the beginning (`dissemination_without_store` among the wrong ones).
use wb_comm::{Memory, Result, Text, Until};

use crate::barriers::{
    BarrierCost, BarrierEntry, Family, Guarantee, Implementation,
    logarithm::ceil_log2,
    slot::{SLOT, UNUSED},
};

/// Dissemination on one slot a PE. Without `QUIET` (at the end) or `STORE` (at the beginning) it is wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DisseminationSlot<const QUIET: bool = true, const STORE: bool = true>;

impl<const QUIET: bool, const STORE: bool> crate::barriers::BarrierProgram
    for DisseminationSlot<QUIET, STORE>
{
    fn cells(&self, _size: usize) -> usize {
        1
    }

    fn initial(&self) -> i64 {
        UNUSED
    }

    #[inline]
    fn episode<M: Memory>(&self, m: &mut M, _epoch: i64) -> Result<()> {
        let (r, p) = (m.rank(), m.size());
        if STORE {
            m.store(SLOT, 0)?;
        }
        for k in 0..ceil_log2(p) {
            let ahead = r + (1 << k);
            let (peer, k) = (if ahead < p { ahead } else { ahead - p }, k as i64);
            m.poll(peer, SLOT, Until::Equal(k))?;
            m.put(peer, SLOT, k + 1)?;
            m.wait(SLOT, Until::AtLeast(k + 1))?;
        }
        m.store(SLOT, UNUSED)?;
        if QUIET { m.quiet() } else { Ok(()) }
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "dissemination_slot",
    family: Family::OneSided,
    source: "Open MPI OSHMEM scoll/basic, dissemination (one slot)",
    section: "2.4",
    summary: Text {
        en: "in round k, signal the PE 2^k further on once it is as far; all in one slot",
        ru: "на шаге k сообщить PE через 2^k вперёд, когда он дошёл до того же шага; одна ячейка",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(|p| BarrierCost { messages: p * ceil_log2(p), rounds: None, hops: None }),
    implementation: Implementation::Program(|_| Ok(Box::new(DisseminationSlot::<true, true>))),
}];
