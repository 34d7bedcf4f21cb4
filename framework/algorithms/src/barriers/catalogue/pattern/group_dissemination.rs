//! Group dissemination: k-dissemination whose radix is chosen by the size.
//!
//! Source: Ascend shmem, NPU level v2 ("group dissemination") and v4. The signals are those of `k_dissemination`.
//!
//! v2: k = min(8, P). v4: a cap by size (below 32 the largest power of two up to P, up to 320: 32, up to 2816: 16, else
//! 8) gives the fewest rounds; k is the smallest power of two that needs no more. A slot is round (k - 1) + i - 1: the
//! caps keep these within 40 lines of 64 bytes. How the vector cores of a PE share the k - 1 signals of a round, and
//! the flags of the source, cannot be expressed as a pattern: `npu_group` is the program that runs this plan in that
//! way.
//!
//! Messages and hops as with that k. Two mistakes of the sources are excluded by a radix of at least 2 and one rule for
//! the preceding rank: k = 1 where there is one vector core, so that the distance never grows and the loop never ends;
//! and `%` of a negative number for distances beyond P. Safe back to back.
use wb_comm::{Result, Text};

use super::k_dissemination::{self, KDissemination};
use crate::barriers::{
    BarrierEntry, Family, Guarantee, Implementation, Pattern, PlanBuilder, logarithm::ceil_log,
};

/// The rule for the radix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupDissemination {
    /// min(8, P).
    V2,
    /// The radix with as few rounds as the slots allow.
    V4,
}

impl GroupDissemination {
    /// The number of ranks that know of each other after a round; at least 2.
    pub fn radix(self, p: usize) -> usize {
        match self {
            Self::V2 => p.clamp(2, 8),
            Self::V4 => {
                let cap = match p {
                    0..32 => 1 << p.max(2).ilog2(),
                    32..=320 => 32,
                    321..=2816 => 16,
                    _ => 8,
                };
                let enough = |k: &usize| ceil_log(*k, p) <= ceil_log(cap, p);
                (1..).map(|power| 1 << power).find(enough).expect("the cap is enough")
            }
        }
    }
}

impl Pattern for GroupDissemination {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        KDissemination::new(self.radix(plan.size())).build(plan)
    }
}

/// The first row; the others differ from it in a few fields.
const ROW: BarrierEntry = BarrierEntry {
    name: "group_dissemination_v2",
    family: Family::Ascend,
    source: "Ascend shmem, NPU level (group dissemination)",
    section: "3.2",
    summary: Text {
        en: "dissemination that signals min(8, P) - 1 ranks a round",
        ru: "рассеивание с min(8, P) - 1 получателями за шаг",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(|p| k_dissemination::cost(GroupDissemination::V2.radix(p), p)),
    implementation: Implementation::Pattern(|_| Ok(Box::new(GroupDissemination::V2))),
};

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[
    ROW,
    BarrierEntry {
        name: "group_dissemination_v4",
        summary: Text {
            en: "dissemination with the smallest radix that reaches the fewest rounds 40 slots allow",
            ru: "рассеивание с наименьшим основанием, дающим наименьшее число шагов при 40 ячейках",
        },
        cost: Some(|p| k_dissemination::cost(GroupDissemination::V4.radix(p), p)),
        implementation: Implementation::Pattern(|_| Ok(Box::new(GroupDissemination::V4))),
        ..ROW
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::barriers::PlanStep;

    #[test]
    fn the_newest_rule_picks_the_smallest_radix_of_the_fewest_rounds() {
        let radix = |p| GroupDissemination::V4.radix(p);
        assert_eq!([1, 2, 3, 4, 5, 8, 16, 31, 32, 33].map(radix), [2, 2, 2, 4, 4, 8, 16, 8, 32, 8]);
        assert_eq!([64, 65, 257, 320, 321, 2816, 2817].map(radix), [8, 16, 32, 32, 8, 16, 8]);
    }

    /// The plan of one rank is enough: all have the same slots.
    fn slots(pattern: impl Pattern, size: usize) -> u32 {
        let plan = pattern.plan(0, size).expect("defined for every size");
        let slots = plan.steps.iter().map(|step| match *step {
            PlanStep::Signal { slot, .. } | PlanStep::Wait { slot, .. } => slot + 1,
        });
        slots.max().unwrap_or_default()
    }

    #[test]
    fn forty_slots_are_enough_for_every_size_that_is_promised() {
        let most = (1..=16384).map(|size| slots(GroupDissemination::V4, size)).max();
        assert_eq!(most, Some(40));
        assert!(slots(KDissemination::new(32), 321) > 40, "a larger radix would not do");
    }
}
