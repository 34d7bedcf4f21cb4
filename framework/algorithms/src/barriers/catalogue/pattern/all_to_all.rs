//! All to all: every rank signals every other rank and waits for a signal from each.
//!
//! Source: Ascend shmem's v3, "centralised pull": run by pulling, a rank stores into its own flag once and then reads
//! the flags of all others. In Open MPI's RMA it is post, start, complete, wait with all ranks.
//!
//! Signal (r + d) mod P for d = 1..P-1, then wait for (r - d) mod P for d = 1..P-1: pairwise, so that the ranks do not
//! all read the same flag at the same time.
//!
//! Messages P (P - 1), rounds P - 1, 1 hop: the fastest where a signal is cheap and waiting expensive. The own flag is
//! stored *first*. The source visits the ranks in order and stores its own flag at its own number; this is still a
//! barrier, but a chain of P hops. That form is included for measurements. Safe back to back.
use wb_comm::{Result, Text};

use crate::barriers::{BarrierCost, BarrierEntry, Family, Guarantee, Implementation, PlanBuilder};

/// The all-to-all barrier: P (P - 1) messages, 1 hop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AllToAll;

impl crate::barriers::Pattern for AllToAll {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        let (r, p) = (plan.rank(), plan.size());
        (1..p).try_for_each(|d| plan.signal((r + d) % p, 0))?;
        (1..p).try_for_each(|d| plan.wait_signal((r + p - d) % p, 0))
    }
}

/// The all-to-all barrier in the order of ranks, the own rank included: a chain of P hops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrderedAllToAll;

impl crate::barriers::Pattern for OrderedAllToAll {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        let (r, p) = (plan.rank(), plan.size());
        (0..r).try_for_each(|peer| plan.wait_signal(peer, 0))?;
        (1..p).try_for_each(|d| plan.signal((r + d) % p, 0))?;
        (r + 1..p).try_for_each(|peer| plan.wait_signal(peer, 0))
    }
}

/// The first row; the others differ from it in a few fields.
const ROW: BarrierEntry = BarrierEntry {
    name: "all_to_all",
    family: Family::Ascend,
    source: "Ascend shmem, NPU level v3 (pull)",
    section: "3.2",
    summary: Text {
        en: "every rank signals every rank: one store, then every other rank's flag is read",
        ru: "каждый сообщает каждому: одна запись, затем чтение флагов всех остальных",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(|p| BarrierCost {
        messages: p * (p - 1),
        rounds: Some(p - 1),
        hops: Some(usize::from(p > 1)),
    }),
    implementation: Implementation::Pattern(|_| Ok(Box::new(AllToAll))),
};

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[
    ROW,
    BarrierEntry {
        name: "all_to_all_in_turn",
        summary: Text {
            en: "every rank signals every rank, each in its turn: a chain of P hops, as the source has it",
            ru: "каждый сообщает каждому в порядке рангов: цепочка из P шагов, как в источнике",
        },
        cost: Some(|p| BarrierCost {
            messages: p * (p - 1),
            rounds: None,
            hops: Some(if p > 1 { p } else { 0 }),
        }),
        implementation: Implementation::Pattern(|_| Ok(Box::new(OrderedAllToAll))),
        ..ROW
    },
];
