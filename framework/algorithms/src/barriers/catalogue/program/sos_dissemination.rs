//! Sandia OpenSHMEM's dissemination barrier: additions that each PE reverses itself.
//!
//! Round i: add 1 to slot i of (r + 2^i) mod P, wait until the own slot i is not 0, add -1 to it. A slot holds 0, 1 or,
//! when a fast neighbour is in the next episode, 2.
//!
//! P ceil(log2 P) signals to others and as many to itself, ceil(log2 P) rounds and hops. The quiet at the end is
//! necessary: with a -1 still in flight the next episode's wait accepts the old 1 (`sos_dissemination_without_quiet`
//! among the wrong ones).
use wb_comm::{Memory, Result, Text, Until};

use crate::barriers::{
    BarrierEntry, Family, Guarantee, Implementation, catalogue::pattern::dissemination, logarithm::ceil_log2,
};

/// Sandia OpenSHMEM's dissemination: each PE reverses the additions that it has waited for. Without `QUIET` it is wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SosDissemination<const QUIET: bool = true>;

impl<const QUIET: bool> crate::barriers::BarrierProgram for SosDissemination<QUIET> {
    fn cells(&self, size: usize) -> usize {
        ceil_log2(size)
    }

    #[inline]
    fn episode<M: Memory>(&self, m: &mut M, _epoch: i64) -> Result<()> {
        let (r, p) = (m.rank(), m.size());
        for round in 0..ceil_log2(p) {
            let ahead = r + (1 << round);
            m.add(if ahead < p { ahead } else { ahead - p }, round, 1)?;
            m.wait(round, Until::NotEqual(0))?;
            m.add(r, round, -1)?;
        }
        if QUIET { m.quiet() } else { Ok(()) }
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "sos_dissemination",
    family: Family::OneSided,
    source: "Sandia OpenSHMEM, sync dissem",
    section: "2.7",
    summary: Text {
        en: "dissemination by additions; each PE takes its own slot back by -1 and waits for that to arrive",
        ru: "рассеивание прибавлением 1; каждый PE сам вычитает 1 из своей ячейки и ждёт завершения",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(dissemination::cost),
    implementation: Implementation::Program(|_| Ok(Box::new(SosDissemination::<true>))),
}];
