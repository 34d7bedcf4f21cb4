//! Binomial tree with the wrong depth where the source text leaves it undefined.
//!
//! Right is the smallest power of two that is *not below* P. With floor, the largest up to P, the ranks beyond it take no
//! part: with 3 ranks, rank 2 leaves immediately. With ceil(log2 P), "the tree's depth", already 2 ranks do not meet, since the
//! loop for distances below 1 has no iteration.
use wb_comm::{Result, Text};

use crate::barriers::{
    BarrierEntry, Family, Guarantee, Implementation, PlanBuilder, catalogue::pattern::tree::partners,
    logarithm::ceil_log2,
};

/// The value that is used as the depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeDepth {
    /// The largest power of two up to P.
    Floor,
    /// ceil(log2 P).
    Log,
}

impl crate::barriers::Pattern for TreeDepth {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        let (r, p) = (plan.rank(), plan.size());
        let depth = match self {
            Self::Floor => 1 << p.ilog2(),
            Self::Log => ceil_log2(p),
        };
        partners(r, p, depth)
            .try_for_each(|peer| if peer > r { plan.wait_signal(peer, 0) } else { plan.signal(peer, 0) })?;
        partners(r, p, depth)
            .rev()
            .try_for_each(|peer| if peer > r { plan.signal(peer, 0) } else { plan.wait_signal(peer, 0) })
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[
    BarrierEntry {
        name: "tree_depth_floor",
        family: Family::Wrong,
        source: "an analysis of Open MPI's barriers, tree",
        section: "8, row 5",
        summary: Text {
            en: "binomial tree up to the largest power of two only",
            ru: "биномиальное дерево лишь до наибольшей степени двойки",
        },
        guarantee: Guarantee::RENDEZVOUS,
        cost: None,
        implementation: Implementation::Pattern(|_| Ok(Box::new(TreeDepth::Floor))),
    },
    BarrierEntry {
        name: "tree_depth_log",
        family: Family::Wrong,
        source: "an analysis of Open MPI's barriers, tree",
        section: "8, row 5",
        summary: Text {
            en: "binomial tree whose distances end at ceil(log2 P)",
            ru: "биномиальное дерево, расстояния которого не больше ceil(log2 P)",
        },
        guarantee: Guarantee::RENDEZVOUS,
        cost: None,
        implementation: Implementation::Pattern(|_| Ok(Box::new(TreeDepth::Log))),
    },
];
