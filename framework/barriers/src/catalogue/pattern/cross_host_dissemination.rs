//! Cross-host dissemination: one rank of each host disseminates by signals, its host follows down a binomial tree.
//!
//! Source: Ascend shmem, dissemination across hosts with signalling, by leaders only.
//!
//! On each host the members tell up the binomial tree of `tree` to the lowest of them; leaders, in the order of the
//! hosts, tell in round k the leader 2^k hosts further on; then down the tree. Slots are by *round*: the source takes
//! the sender's global number for the slot, while there are 40 lines, and shares slot 0 with another barrier.
//!
//! Messages N ceil(log2 N) across N hosts, and 2 (q - 1) on a host of q; hops 2 max over l < q of the bits set in l, and
//! ceil(log2 N). Where every host has one member it is plain dissemination. Safe back to back.
use wb_comm::Result;

use super::{
    dissemination::Dissemination,
    tree::{self, Tree},
};
use crate::{
    BarrierEntry, BilingualText, Family, GroupConfig, Guarantee, Implementation, Pattern, PlanBuilder,
    group::{GroupPartition, in_two_levels},
};

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossHostDissemination {
    hosts: GroupPartition,
}

impl CrossHostDissemination {
    /// With the hosts of `setting`.
    ///
    /// # Errors
    /// See [`GroupConfig::check`].
    pub fn for_group(setting: &GroupConfig) -> Result<Self> {
        GroupPartition::by_node(setting).map(|hosts| Self { hosts })
    }
}

impl Pattern for CrossHostDissemination {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        in_two_levels(
            &self.hosts,
            plan,
            |host| Tree.gather(host),
            |leaders| Dissemination.build(leaders),
            |host| Tree.release(host),
        )
    }
}

/// In the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "cross_host_dissemination",
    family: Family::Ascend,
    source: "Ascend shmem, dissemination across hosts with signalling",
    section: "3.4",
    summary: BilingualText {
        en: "one rank a host disseminates; each host follows along a binomial tree",
        ru: "по одному рангу от узла рассеивают, узел следует по биномиальному дереву",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(tree::cost),
    implementation: Implementation::Pattern(|setting| {
        Ok(Box::new(CrossHostDissemination::for_group(setting)?))
    }),
}];
