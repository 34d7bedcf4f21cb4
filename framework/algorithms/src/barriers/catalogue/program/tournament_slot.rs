//! Tournament on one slot, as in OpenSHMEM libraries: winners are fixed, the champion releases all.
//!
//! Own slot WAIT. Round k: the opponent is r XOR 2^k; without one the round is skipped. The smaller number wins: it writes
//! the opponent's number into its own slot ("I expect you") and waits until its own number is written there. The loser
//! gets the winner's slot until it is expected, puts the winner's number into it, and waits for RUN. At the end every PE
//! sets its slot back; only *then* the champion, PE 0, puts RUN into all others.
//!
//! Puts P - 1 to arrive and P - 1 to release, at least P - 1 gets; ceil(log2 P) rounds up, but P - 1 down: the release is
//! serial. Right under any order of delivery. A release down the same bracket is the catalogue's tournament in signals.
use wb_comm::{Memory, Result, Text, Until};

use crate::barriers::{
    BarrierCost, BarrierEntry, Family, Guarantee, Implementation,
    logarithm::ceil_log2,
    slot::{RELEASED, SLOT, UNUSED, WAITING},
};

/// The tournament on one slot a PE, released by the champion. Without `RELEASE` it is wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TournamentSlot<const RELEASE: bool = true>;

impl<const RELEASE: bool> crate::barriers::BarrierProgram for TournamentSlot<RELEASE> {
    fn cells(&self, _size: usize) -> usize {
        1
    }

    fn initial(&self) -> i64 {
        UNUSED
    }

    #[inline]
    fn episode<M: Memory>(&self, m: &mut M, _epoch: i64) -> Result<()> {
        let (r, p) = (m.rank(), m.size());
        m.store(SLOT, WAITING)?;
        for opponent in (0..ceil_log2(p)).map(|k| r ^ 1 << k).filter(|opponent| *opponent < p) {
            if r > opponent {
                m.poll(opponent, SLOT, Until::Equal(r as i64))?;
                m.put(opponent, SLOT, opponent as i64)?;
                m.wait(SLOT, Until::Equal(RELEASED))?;
                break;
            }
            m.store(SLOT, opponent as i64)?;
            m.wait(SLOT, Until::Equal(r as i64))?;
        }
        m.store(SLOT, UNUSED)?;
        match r {
            0 if RELEASE => (1..p).try_for_each(|pe| m.put(pe, SLOT, RELEASED)),
            _ => Ok(()),
        }
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "tournament_slot",
    family: Family::OneSided,
    source: "Open MPI OSHMEM scoll/basic, tournament (one slot)",
    section: "2.2",
    summary: Text {
        en: "losers report to winners round by round; the champion, PE 0, releases every PE",
        ru: "проигравшие раунд за раундом докладывают победителям; чемпион, PE 0, отпускает всех",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(|p| BarrierCost {
        messages: 2 * (p - 1),
        rounds: Some(if p > 1 { ceil_log2(p) + p - 1 } else { 0 }),
        hops: None,
    }),
    implementation: Implementation::Program(|_| Ok(Box::new(TournamentSlot::<true>))),
}];
