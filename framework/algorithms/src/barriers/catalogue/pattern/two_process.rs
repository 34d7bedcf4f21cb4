//! Two-process barrier: exchange with the only other rank.
//!
//! Source: Open MPI coll/base barrier 5. Rank r signals 1 - r and waits for 1 - r. 2 messages, 1 round, 1 hop.
//!
//! Defined for 2 ranks, and for 1, where every barrier does nothing. For another size it is an error: it must never
//! hang.
use wb_comm::{Error, Result, Text, text};

use crate::barriers::{BarrierCost, BarrierEntry, Family, Guarantee, Implementation, PlanBuilder};

/// The barrier of 2 ranks: 2 messages, 1 hop; more than 2 ranks are an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TwoProcess;

impl crate::barriers::Pattern for TwoProcess {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        match (plan.rank(), plan.size()) {
            (_, 1) => Ok(()),
            (r, 2) => {
                plan.signal(1 - r, 0)?;
                plan.wait_signal(1 - r, 0)
            }
            (_, p) => Err(Error::Setup(text::barrier::size("two_process", "1..=2", p))),
        }
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "two_process",
    family: Family::TwoSided,
    source: "Open MPI coll/base barrier 5 (\"two proc\")",
    section: "1.5",
    summary: Text {
        en: "exchange with the only other rank; defined for 2 ranks",
        ru: "обмен с единственным другим рангом; определён для 2 рангов",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(|p| BarrierCost { messages: 2 * (p - 1), rounds: Some(p - 1), hops: Some(p - 1) }),
    implementation: Implementation::Pattern(|_| Ok(Box::new(TwoProcess))),
}];
