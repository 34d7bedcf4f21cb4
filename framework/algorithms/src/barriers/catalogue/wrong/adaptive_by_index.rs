//! Wrong: the adaptive barrier of a team that uses a member's index in the team as its PE number.
//!
//! The team is the upper half of a world whose lower half is on the first member's node. Each member tests whether all
//! members are on its node, but looks up the nodes of PEs 0 .. P - 1, which are not the team's: on that node the test
//! succeeds and the member takes the linear barrier, elsewhere it fails and the member takes recursive doubling. With
//! up to 3 members the two exchange the same signals by chance. (The source tests only from 32 members on.) Right: PE =
//! start + index; `adaptive` tests whether all members share *one* node, with the same result at all members.
use wb_comm::{Rank, Result, Text};

use crate::barriers::{
    BarrierEntry, Family, GroupConfig, Guarantee, Implementation, Pattern, PlanBuilder,
    catalogue::pattern::{linear::Linear, recursive_doubling::RecursiveDoubling},
};

/// A wrong adaptive barrier: it looks up the node of team index i as that of PE i of the world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdaptiveByIndex {
    /// The node of each PE of the world.
    world: Vec<usize>,
    /// The team's first PE.
    start: Rank,
}

impl AdaptiveByIndex {
    /// The team has the nodes of `config`.
    fn for_group(config: &GroupConfig) -> Self {
        let lower = config.nodes.first().map(|&node| vec![node; config.size]);
        Self { world: [lower.unwrap_or_default(), config.nodes.clone()].concat(), start: config.size }
    }
}

impl Pattern for AdaptiveByIndex {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        let mine = self.world[self.start + plan.rank()];
        let all_on_mine = (0..plan.size()).all(|index| self.world[index] == mine);
        if all_on_mine { Linear.build(plan) } else { RecursiveDoubling.build(plan) }
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "adaptive_by_index",
    family: Family::Wrong,
    source: "Open MPI OSHMEM scoll/basic, adaptive",
    section: "8, row 14",
    summary: Text {
        en: "linear or recursive doubling, by the nodes of PEs that are not the team's",
        ru: "линейный или рекурсивное удвоение — по узлам PE, не входящих в команду",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: None,
    implementation: Implementation::Pattern(|config| Ok(Box::new(AdaptiveByIndex::for_group(config)))),
}];
