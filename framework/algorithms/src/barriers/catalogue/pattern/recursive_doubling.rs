//! Recursive doubling: a hypercube of the largest power of two, and extra ranks outside of it.
//!
//! Source: Open MPI coll/base barrier 3; Gupta, Tipparaju, Nieplocha, Panda, "Efficient barrier using remote memory
//! operations on VIA-based clusters", CLUSTER 2002.
//!
//! p2 = 2^floor(log2 P), e = P - p2. An extra rank r >= p2 signals r - p2 and waits for its answer. Rank r < e first waits for
//! its extra r + p2. Then for r < p2, round k: exchange with r XOR 2^k, for 2^k < p2. At last r < e releases its extra,
//! synchronously, so that it does not leave with the message undelivered.
//!
//! Messages p2 log2 p2 + 2 e, rounds `log2 p2 + 2 [e > 0]`. Hops log2 p2, with extras max(log2 p2 + 1,
//! ceil(log2 e) + 2): a chain through all dimensions need not begin and end at an extra. Without the release every extra waits for ever, and
//! without waiting for the extra first the hypercube leaves too early: both are among the wrong ones. Safe back to back.
use wb_comm::{Result, Text};

use crate::barriers::{
    BarrierCost, BarrierEntry, Family, Guarantee, Implementation, PlanBuilder, logarithm::ceil_log2,
};

/// The barrier by recursive doubling: p2 log2 p2 + 2 e messages for P = p2 + e, where p2 is the largest power of two up to P.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecursiveDoubling;

/// The largest power of two up to `p`, its logarithm, and the remainder.
pub(crate) fn hypercube(p: usize) -> (usize, u32, usize) {
    let power = p.ilog2();
    (1 << power, power, p - (1 << power))
}

impl crate::barriers::Pattern for RecursiveDoubling {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        let (r, (p2, rounds, extras)) = (plan.rank(), hypercube(plan.size()));
        if r >= p2 {
            plan.signal(r - p2, 0)?;
            return plan.wait_signal(r - p2, 0);
        }
        if r < extras {
            plan.wait_signal(r + p2, 0)?;
        }
        for k in 0..rounds {
            plan.signal(r ^ 1 << k, k)?;
            plan.wait_signal(r ^ 1 << k, k)?;
        }
        if r < extras { plan.signal_synchronously(r + p2, 0) } else { Ok(()) }
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "recursive_doubling",
    family: Family::TwoSided,
    source: "Open MPI coll/base barrier 3; Gupta et al., CLUSTER 2002",
    section: "1.3, 2.3",
    summary: Text {
        en: "in round k exchange with the rank that differs in bit k; ranks beyond a power of two are guests",
        ru: "на шаге k обмен с рангом, отличающимся битом k; ранги сверх степени двойки — гости",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(cost),
    implementation: Implementation::Pattern(|_| Ok(Box::new(RecursiveDoubling))),
}];

fn cost(p: usize) -> BarrierCost {
    let (p2, power, extras) = hypercube(p);
    let power = power as usize;
    let rounds = power + if extras > 0 { 2 } else { 0 };
    let hops = if extras > 0 { (power + 1).max(ceil_log2(extras) + 2) } else { power };
    BarrierCost { messages: p2 * power + 2 * extras, rounds: Some(rounds), hops: Some(hops) }
}
