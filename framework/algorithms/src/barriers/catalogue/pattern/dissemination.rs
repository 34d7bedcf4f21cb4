//! Dissemination barrier (Hensgen, Finkel and Manber, "Two algorithms for barrier synchronization", 1988; the same
//! schedule as Bruck's).
//!
//! Round k: signal (r + 2^k) mod P, wait for (r - 2^k) mod P, for 2^k < P. After round k rank r knows, directly or not,
//! of the 2^(k+1) - 1 ranks before it.
//!
//! Messages P ceil(log2 P), rounds ceil(log2 P) for every P: the minimum of rounds for a barrier with one port. Safe
//! back to back: a slot is a round, and no source signals the same rank in two rounds of one episode.
use wb_comm::{Result, Text};

use crate::barriers::{
    BarrierCost, BarrierEntry, Family, Guarantee, Implementation, PlanBuilder, logarithm::ceil_log2,
};

/// The dissemination barrier: P ceil(log2 P) messages in ceil(log2 P) rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dissemination;

impl crate::barriers::Pattern for Dissemination {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        let (r, p) = (plan.rank(), plan.size());
        let distances = std::iter::successors(Some(1), |d| Some(2 * d)).take_while(|d| *d < p);
        for (k, d) in (0..).zip(distances) {
            plan.signal((r + d) % p, k)?;
            plan.wait_signal((r + p - d) % p, k)?;
        }
        Ok(())
    }
}

/// P ceil(log2 P) messages in ceil(log2 P) rounds.
pub(crate) fn cost(p: usize) -> BarrierCost {
    let rounds = ceil_log2(p);
    BarrierCost { messages: p * rounds, rounds: Some(rounds), hops: Some(rounds) }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "dissemination",
    family: Family::TwoSided,
    source: "Hensgen, Finkel, Manber 1988; Open MPI coll/base barrier 4 (\"bruck\")",
    section: "1.4",
    summary: Text {
        en: "in round k signal the rank 2^k further on, wait for the one 2^k back",
        ru: "на шаге k сообщить рангу через 2^k вперёд, услышать ранг за 2^k назад",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(cost),
    implementation: Implementation::Pattern(|_| Ok(Box::new(Dissemination))),
}];
