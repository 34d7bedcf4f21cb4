//! Barrier of the hosts: every rank signals the leader of its host, leaders disseminate, leaders release.
//!
//! Source: Ascend shmem's level 3, `barrier_sys`, which is an empty stub there; this is the specification's proposal.
//!
//! The leader of a host is its lowest *member*, from the nodes that all members know. Others signal it; leaders,
//! numbered in the order of the hosts, execute a dissemination: round k signals the leader 2^k hosts further on;
//! leaders signal their members.
//!
//! Messages 2 sum(q_h - 1) + N ceil(log2 N) for N hosts with q_h members each, of which only the second term crosses
//! the network; hops `2 [some q_h > 1] + ceil(log2 N)`. Hosts may have different numbers of members, and their members
//! any ranks. Safe back to back.
use wb_comm::{Result, Text};

use super::{
    dissemination::Dissemination,
    linear::{self, Linear},
};
use crate::barriers::{
    BarrierEntry, Family, GroupConfig, Guarantee, Implementation,
    group::{GroupPartition, TwoLevels},
};

/// The barrier of the hosts: linear on each host, dissemination among the hosts' leaders.
pub type BarrierSys = TwoLevels<Linear, Dissemination>;

impl BarrierSys {
    /// The barrier on the hosts of a group.
    ///
    /// # Errors
    /// See [`GroupConfig::check`].
    pub fn for_group(config: &GroupConfig) -> Result<Self> {
        GroupPartition::by_node(config).map(|hosts| Self::new(hosts, Linear, Dissemination))
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "barrier_sys",
    family: Family::Ascend,
    source: "Ascend shmem, level 3 (a stub there)",
    section: "3.5",
    summary: Text {
        en: "hosts: every rank signals its host's leader, leaders disseminate, leaders release",
        ru: "узлы: все сообщают лидеру узла, лидеры рассеивают, лидеры отпускают",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(linear::cost),
    implementation: Implementation::Pattern(|config| Ok(Box::new(BarrierSys::for_group(config)?))),
}];
