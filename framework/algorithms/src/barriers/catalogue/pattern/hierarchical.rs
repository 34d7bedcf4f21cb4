//! Hierarchical barrier: gather on each node, dissemination among the nodes' roots, fan-out on each node.
//!
//! Source: Sandia OpenSHMEM, pull request 1229, in the form that is correct.
//!
//! The root of a node is its lowest *member*; roots are ordered by node. On a node, number l waits for k l + 1 .. k l +
//! k and signals floor((l - 1) / k); root n signals in round i root (n + 2^i) mod N and waits for (n - 2^i) mod N; then
//! down the heap. Radix 4 unless another is requested.
//!
//! Messages 2 sum(q_n - 1) on the nodes and N ceil(log2 N) between them; hops 2 depth_k(max q) + ceil(log2 N). Nodes may
//! have different numbers of members with any ranks. Whether to take this barrier must not be decided by each member's
//! own node (`hierarchical_by_own_node` among the wrong ones). Safe back to back.
use wb_comm::{Result, Text};

use super::{
    dissemination::Dissemination,
    k_ary_tree::{self, KAryTree},
};
use crate::barriers::{
    BarrierEntry, Family, GroupConfig, Guarantee, Implementation,
    group::{GroupPartition, TwoLevels},
};

/// The hierarchical barrier: a k-ary tree on each node, dissemination among the nodes' roots.
pub type Hierarchical = TwoLevels<KAryTree, Dissemination>;

impl Hierarchical {
    /// The barrier on the nodes of a group, with its radix.
    ///
    /// # Errors
    /// See [`GroupConfig::check`] and [`GroupConfig::radix_or`].
    pub fn for_group(config: &GroupConfig) -> Result<Self> {
        let tree = KAryTree::for_group(config, 4)?;
        GroupPartition::by_node(config).map(|nodes| Self::new(nodes, tree, Dissemination))
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "hierarchical",
    family: Family::Hierarchical,
    source: "Sandia OpenSHMEM, pull request 1229, corrected",
    section: "4",
    summary: Text {
        en: "gather on each node, dissemination among the nodes' roots, fan-out",
        ru: "сбор на каждом узле, рассеивание между корнями узлов, отпускание",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(|p| k_ary_tree::cost(4, p)),
    implementation: Implementation::Pattern(|config| Ok(Box::new(Hierarchical::for_group(config)?))),
}];
