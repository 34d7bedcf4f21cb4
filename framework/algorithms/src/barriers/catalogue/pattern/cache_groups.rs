//! Two levels by cache group: neighbours first, then the first of each group.
//!
//! Source: Open MPI's acoll (two levels by L3 group) and XHC (by NUMA domain and socket), main branch and 6.0.
//!
//! Ranks of a node form runs of at most k, which share a cache where ranks are bound in order. Members signal the first
//! of their run, the first members signal rank 0 of all; the release uses the same edges. So only one written line a
//! group crosses between caches.
//!
//! Messages 2 (P - 1), hops 4 where a group beside the first has more than one member, else 2. Safe back to back.
use wb_comm::{Result, Text};

use super::linear::Linear;
use crate::barriers::{
    BarrierCost, BarrierEntry, Family, GroupConfig, Guarantee, Implementation,
    group::{GroupPartition, TwoLevels},
};

/// The barrier in two levels by cache group: linear in each group, linear among the groups' first ranks.
pub type CacheGroups = TwoLevels<Linear, Linear>;

impl CacheGroups {
    /// Groups of the requested radix, else of `length`.
    ///
    /// # Errors
    /// See [`GroupConfig::check`] and [`GroupConfig::radix_or`].
    pub fn for_group(config: &GroupConfig, length: usize) -> Result<Self> {
        let length = config.radix_or(length)?;
        GroupPartition::by_node(config).map(|nodes| Self::new(nodes.split(length), Linear, Linear))
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

/// The first row; the others differ from it in a few fields.
const ROW: BarrierEntry = BarrierEntry {
    name: "cache_groups_2",
    family: Family::SharedMemory,
    source: "Open MPI acoll (L3 groups), XHC",
    section: "6",
    summary: Text {
        en: "pairs that share a cache first, then the first of each pair",
        ru: "сначала пары с общим кэшем, затем первые каждой пары",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(|p| cost(2, p)),
    implementation: Implementation::Pattern(|config| Ok(Box::new(CacheGroups::for_group(config, 2)?))),
};

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[
    ROW,
    BarrierEntry {
        name: "cache_groups_4",
        summary: Text {
            en: "groups of 4 that share a cache first, then the first of each group",
            ru: "сначала группы по 4 с общим кэшем, затем первые каждой группы",
        },
        cost: Some(|p| cost(4, p)),
        implementation: Implementation::Pattern(|config| Ok(Box::new(CacheGroups::for_group(config, 4)?))),
        ..ROW
    },
];
