//! Two levels by cache group: neighbours first, then the first of each group.
//!
//! Source: Open MPI's acoll (two levels by L3 group) and XHC (by NUMA domain and socket), main branch and 6.0.
//!
//! Ranks of a node stand in runs of at most k, which share a cache where ranks are bound in order. Members tell the
//! first of their run, the firsts tell rank 0 of all; back the same way. So of the lines that are written, only one a
//! group crosses between caches.
//!
//! Messages 2 (P - 1), hops 4 where a group beside the first has more than one member, else 2. Safe back to back.
use wb_comm::Result;

use super::linear::Linear;
use crate::{
    BarrierCost, BarrierEntry, BilingualText, Family, GroupConfig, Guarantee, Implementation, Pattern,
    PlanBuilder,
    group::{GroupPartition, in_two_levels},
};

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheGroups {
    groups: GroupPartition,
}

impl CacheGroups {
    /// Groups of the radix that is asked for, else of `length`.
    ///
    /// # Errors
    /// See [`GroupConfig::check`] and [`GroupConfig::radix_or`].
    pub fn for_group(setting: &GroupConfig, length: usize) -> Result<Self> {
        let length = setting.radix_or(length)?;
        GroupPartition::by_node(setting).map(|nodes| Self { groups: nodes.split(length) })
    }
}

impl Pattern for CacheGroups {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        in_two_levels(
            &self.groups,
            plan,
            |group| Linear.gather(group),
            |firsts| Linear.build(firsts),
            |group| Linear.release(group),
        )
    }
}

fn cost(length: usize, p: usize) -> BarrierCost {
    let hops = match p {
        1 => 0,
        _ if p < length + 2 => 2,
        _ => 4,
    };
    BarrierCost { messages: 2 * (p - 1), rounds: None, hops: Some(hops) }
}

const fn row(
    name: &'static str,
    summary: BilingualText,
    cost: fn(usize) -> BarrierCost,
    make: fn(&GroupConfig) -> Result<Box<dyn Pattern>>,
) -> BarrierEntry {
    BarrierEntry {
        name,
        family: Family::SharedMemory,
        source: "Open MPI acoll (L3 groups), XHC",
        section: "6",
        summary,
        guarantee: Guarantee::RENDEZVOUS,
        cost: Some(cost),
        implementation: Implementation::Pattern(make),
    }
}

/// In the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[
    row(
        "cache_groups_2",
        BilingualText {
            en: "pairs that share a cache first, then the first of each pair",
            ru: "сначала пары с общим кэшем, затем первые каждой пары",
        },
        |p| cost(2, p),
        |setting| Ok(Box::new(CacheGroups::for_group(setting, 2)?)),
    ),
    row(
        "cache_groups_4",
        BilingualText {
            en: "groups of 4 that share a cache first, then the first of each group",
            ru: "сначала группы по 4 с общим кэшем, затем первые каждой группы",
        },
        |p| cost(4, p),
        |setting| Ok(Box::new(CacheGroups::for_group(setting, 4)?)),
    ),
];
