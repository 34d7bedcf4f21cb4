//! Cross-host dissemination: one rank of each host disseminates by signals, its host follows down a binomial tree.
//!
//! Source: Ascend shmem, dissemination across hosts with signalling, by leaders only.
//!
//! On each host the members signal up the binomial tree of `tree` to the lowest of them; leaders, in the order of the
//! hosts, signal in round k the leader 2^k hosts further on; then down the tree. Slots are by *round*: the source uses
//! the sender's global number as the slot, although there are 40 lines, and shares slot 0 with another barrier.
//!
//! Messages N ceil(log2 N) across N hosts, and 2 (q - 1) on a host of q; hops 2 max over l < q of the bits set in l, and
//! ceil(log2 N). Where every host has one member it is plain dissemination. Safe back to back.

use wb_comm::Text;

use super::{
    dissemination::Dissemination,
    tree::{self, Tree},
};
use crate::barriers::{
    BarrierEntry, Family, Guarantee, Implementation,
    group::{GroupPartition, TwoLevels},
};

/// The cross-host dissemination: a binomial tree on each host, dissemination among the hosts' leaders.
pub type CrossHostDissemination = TwoLevels<Tree, Dissemination>;

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "cross_host_dissemination",
    family: Family::Ascend,
    source: "Ascend shmem, dissemination across hosts with signalling",
    section: "3.4",
    summary: Text {
        en: "one rank a host disseminates; each host follows along a binomial tree",
        ru: "по одному рангу от узла рассеивают, узел следует по биномиальному дереву",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(tree::cost),
    implementation: Implementation::Pattern(|config| {
        Ok(Box::new(CrossHostDissemination::new(GroupPartition::by_node(config)?, Tree, Dissemination)))
    }),
}];
