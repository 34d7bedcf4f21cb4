//! Group dissemination whose radix is cut to the number of vector cores, and there is one core.
//!
//! k = 1 makes the distance shift := shift * 1: it never reaches P, and the loop never ends. A radix is at least 2,
//! whatever the number of cores that share its signals.
use wb_comm::{Result, Text};

use crate::barriers::{BarrierEntry, Family, Guarantee, Implementation, PlanBuilder};

/// A wrong group dissemination of radix 1: the distance never grows, so the loop never ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupDisseminationOfOne;

impl crate::barriers::Pattern for GroupDisseminationOfOne {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        let (r, p, k) = (plan.rank(), plan.size(), 1);
        let mut shift = 1;
        while shift < p {
            plan.signal((r + shift) % p, 0)?;
            plan.wait_signal((r + p - shift) % p, 0)?;
            shift *= k;
        }
        Ok(())
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "group_dissemination_of_one",
    family: Family::Wrong,
    source: "Ascend shmem, NPU level v2, one vector core",
    section: "8, row 19",
    summary: Text {
        en: "group dissemination of radix 1: the distance never grows",
        ru: "групповое рассеивание с основанием 1: расстояние не растёт",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: None,
    implementation: Implementation::Pattern(|_| Ok(Box::new(GroupDisseminationOfOne))),
}];
