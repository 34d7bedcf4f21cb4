//! Recursive doubling on one slot, as OpenSHMEM libraries have it (Gupta et al., CLUSTER 2002).
//!
//! p2 = 2^floor(log2 P), e = P - p2. r >= p2 puts WAIT into the slot of r - p2 and waits for RUN. r < e first waits for
//! WAIT. Then all r < p2 set their slot to 0; round k = 1, 2, ...: get the slot of r XOR 2^(k-1) until it is k - 1, put k
//! into it, wait until the own one is at least k. At the end the slot is set back and r < e puts RUN into r + p2.
//!
//! Puts p2 log2 p2 + 2 e, at least p2 log2 p2 gets; each round costs a get's round trip and a put. One slot is enough
//! because a PE first reads the partner's progress. A put of round k must not arrive after its target has set the slot
//! back: this needs a transport that orders a put before a later get to the same PE, or the quiet at the end that is
//! here (`recursive_doubling_without_quiet` among the wrong ones).
use wb_comm::{Memory, Result, Text, Until};

use crate::barriers::{
    BarrierCost, BarrierEntry, Family, Guarantee, Implementation,
    slot::{RELEASED, SLOT, UNUSED, WAITING},
};

/// Recursive doubling on one slot a PE. Without `QUIET` (at the end) it is wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecursiveDoublingSlot<const QUIET: bool = true>;

impl<const QUIET: bool> crate::barriers::BarrierProgram for RecursiveDoublingSlot<QUIET> {
    fn cells(&self, _size: usize) -> usize {
        1
    }

    fn initial(&self) -> i64 {
        UNUSED
    }

    #[inline]
    fn episode<M: Memory>(&self, m: &mut M, _epoch: i64) -> Result<()> {
        let (r, rounds) = (m.rank(), m.size().ilog2());
        let power = 1 << rounds;
        if r >= power {
            m.put(r - power, SLOT, WAITING)?;
            m.wait(SLOT, Until::Equal(RELEASED))?;
            m.store(SLOT, UNUSED)?;
        } else {
            self.cube(m, power, rounds)?;
        }
        if QUIET { m.quiet() } else { Ok(()) }
    }
}

impl<const QUIET: bool> RecursiveDoublingSlot<QUIET> {
    /// Among the PEs below `power`; the others are extra ranks.
    #[inline]
    fn cube<M: Memory>(self, m: &mut M, power: usize, rounds: u32) -> Result<()> {
        let (r, extras) = (m.rank(), m.size() - power);
        if r < extras {
            m.wait(SLOT, Until::Equal(WAITING))?;
        }
        m.store(SLOT, 0)?;
        for round in 1..=rounds {
            let (peer, round) = (r ^ 1 << (round - 1), i64::from(round));
            m.poll(peer, SLOT, Until::Equal(round - 1))?;
            m.put(peer, SLOT, round)?;
            m.wait(SLOT, Until::AtLeast(round))?;
        }
        m.store(SLOT, UNUSED)?;
        if r < extras { m.put(r + power, SLOT, RELEASED) } else { Ok(()) }
    }
}

fn cost(p: usize) -> BarrierCost {
    let rounds = p.ilog2() as usize;
    let extras = p - (1 << rounds);
    BarrierCost { messages: (rounds << rounds) + 2 * extras, rounds: None, hops: None }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "recursive_doubling_slot",
    family: Family::OneSided,
    source: "Gupta et al., CLUSTER 2002; Open MPI OSHMEM scoll/basic, recursive doubling (one slot)",
    section: "2.3",
    summary: Text {
        en: "exchange with the PE that differs in bit k once it is as far, all in one slot",
        ru: "обмен с PE, отличающимся битом k, когда он дошёл до того же шага; одна ячейка",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(cost),
    implementation: Implementation::Program(|_| Ok(Box::new(RecursiveDoublingSlot::<true>))),
}];
