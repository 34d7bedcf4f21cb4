//! Double ring: a token passes the ring twice; the first lap gathers, the second releases.
//!
//! Source: Open MPI coll/base barrier 2. left = (r - 1 + P) mod P, right = (r + 1) mod P. r = 0: signal right, wait for left,
//! signal right synchronously, wait for left. r > 0: wait for left, signal right, wait for left, signal right synchronously.
//!
//! Messages 2 P, rounds and hops 2 P: the maximum of all barriers here, and the only one in which a rank has only two
//! neighbours. The last message carries no information; it is kept so that every rank takes the same steps. It is
//! synchronous, so that no rank leaves with a message undelivered; it has the *same* tag, with another one the ranks
//! would hang. Rank 0 must wait too: the form in which it does not is `double_ring_printed` among the wrong ones. Safe
//! back to back.
use wb_comm::{Result, Text};

use crate::barriers::{BarrierCost, BarrierEntry, Family, Guarantee, Implementation, PlanBuilder, Slot};

/// The double ring: 2 P messages, 2 P hops.
///
/// The synchronous signals are on `SYNC_SLOT`, which is the slot of the waits, 0, in the right form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DoubleRing<const SYNC_SLOT: Slot = 0>;

impl<const SYNC_SLOT: Slot> crate::barriers::Pattern for DoubleRing<SYNC_SLOT> {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        let (r, p) = (plan.rank(), plan.size());
        let (left, right) = ((r + p - 1) % p, (r + 1) % p);
        match (r, p) {
            (_, 1) => Ok(()),
            (0, _) => {
                plan.signal(right, 0)?;
                plan.wait_signal(left, 0)?;
                plan.signal_synchronously(right, SYNC_SLOT)?;
                plan.wait_signal(left, 0)
            }
            _ => {
                plan.wait_signal(left, 0)?;
                plan.signal(right, 0)?;
                plan.wait_signal(left, 0)?;
                plan.signal_synchronously(right, SYNC_SLOT)
            }
        }
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "double_ring",
    family: Family::TwoSided,
    source: "Open MPI coll/base barrier 2 (\"double ring\")",
    section: "1.2",
    summary: Text {
        en: "a token goes round the ring twice: gather, then release",
        ru: "метка обходит кольцо дважды: сбор, затем отпускание",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(|p| {
        let steps = if p > 1 { 2 * p } else { 0 };
        BarrierCost { messages: steps, rounds: Some(steps), hops: Some(steps) }
    }),
    implementation: Implementation::Pattern(|_| Ok(Box::new(DoubleRing::<0>))),
}];
