//! Group dissemination of radix 8 that takes the remainder of a negative number.
//!
//! `(r + P - i * shift) % P` is right while i * shift <= P + r. The old loop runs i up to k - 1 without this check, and
//! the remainder of a negative number is negative in C and in Rust, so it is not a rank. The fault begins at the first
//! size with a second phase, 9.
use wb_comm::{Rank, Result, Text};

use crate::barriers::{BarrierEntry, Family, Guarantee, Implementation, PlanBuilder};

/// A wrong group dissemination of radix 8: the remainder of a negative number is used as a rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupDisseminationNegative;

impl crate::barriers::Pattern for GroupDisseminationNegative {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        let (r, p) = (plan.rank() as i64, plan.size() as i64);
        let k = p.clamp(2, 8);
        let mut shift = 1;
        while shift < p {
            (1..k).try_for_each(|i| plan.signal(((r + i * shift) % p) as Rank, 0))?;
            (1..k).try_for_each(|i| plan.wait_signal(((r + p - i * shift) % p) as Rank, 0))?;
            shift *= k;
        }
        Ok(())
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "group_dissemination_negative",
    family: Family::Wrong,
    source: "Ascend shmem, NPU level v2, an old version",
    section: "8, row 19",
    summary: Text {
        en: "group dissemination that takes the remainder of a negative number",
        ru: "групповое рассеивание с остатком от отрицательного числа",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: None,
    implementation: Implementation::Pattern(|_| Ok(Box::new(GroupDisseminationNegative))),
}];
