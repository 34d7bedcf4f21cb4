//! Dissemination by parity and sense (Mellor-Crummey and Scott 1991): flags of one bit, right under any order.
//!
//! Two sets of slots, used in turn (parity); the sense changes after every second episode. Round k: put the sense into
//! slot k of this parity of (r + 2^k) mod P, wait until the own one is equal to it.
//!
//! P ceil(log2 P) puts, ceil(log2 P) rounds and hops, 2 ceil(log2 P) cells. Nothing is reset: a slot is written again only
//! two episodes later, and by then every PE has left the one before, so what was put into it has been seen.
use wb_comm::{Memory, Result, Text, Until};

use crate::barriers::{
    BarrierEntry, Family, Guarantee, Implementation, catalogue::pattern::dissemination, logarithm::ceil_log2,
};

/// Dissemination by parity and sense: P ceil(log2 P) puts, which may arrive in any order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DisseminationParity;

impl crate::barriers::BarrierProgram for DisseminationParity {
    fn cells(&self, size: usize) -> usize {
        2 * ceil_log2(size)
    }

    #[inline]
    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        let (r, p) = (m.rank(), m.size());
        let sense = i64::from((epoch - 1) & 2 == 0);
        let (mut cell, mut distance) = ((epoch & 1) as usize, 1);
        while distance < p {
            let ahead = r + distance;
            m.put(if ahead < p { ahead } else { ahead - p }, cell, sense)?;
            m.wait(cell, Until::Equal(sense))?;
            (cell, distance) = (cell + 2, 2 * distance);
        }
        Ok(())
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "dissemination_parity",
    family: Family::SharedMemory,
    source: "Mellor-Crummey and Scott 1991, dissemination barrier",
    section: "2.9",
    summary: Text {
        en: "dissemination with two sets of one-bit flags in turn; their sense turns every second time",
        ru: "рассеивание с двумя чередующимися наборами однобитных флагов; признак меняется через раз",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(dissemination::cost),
    implementation: Implementation::Program(|_| Ok(Box::new(DisseminationParity))),
}];
