//! Hierarchical barrier where each member's own node has at least two members, dissemination elsewhere.
//!
//! Each PE compares its own node with the threshold of `SHMEM_HIER_BARRIER_THRESHOLD`. With uneven nodes some members
//! choose one algorithm and some the other: with 2 ranks on one node and 1 on another they wait for ever. A selector
//! may use only data that is the same at all members, here the smallest node of the whole group.
use wb_comm::{Result, Text};

use crate::barriers::{
    BarrierEntry, Family, GroupConfig, Guarantee, Implementation, Pattern, PlanBuilder,
    catalogue::pattern::{dissemination::Dissemination, hierarchical::Hierarchical},
    group::GroupPartition,
};

/// A wrong selection: each rank chooses hierarchical or dissemination by the size of its own node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HierarchicalByOwnNode {
    hierarchical: Hierarchical,
    nodes: GroupPartition,
}

impl HierarchicalByOwnNode {
    fn for_group(config: &GroupConfig) -> Result<Self> {
        Ok(Self { hierarchical: Hierarchical::for_group(config)?, nodes: GroupPartition::by_node(config)? })
    }
}

impl Pattern for HierarchicalByOwnNode {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        match self.nodes.members_of(plan.rank()).len() {
            1 => Dissemination.build(plan),
            _ => self.hierarchical.build(plan),
        }
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "hierarchical_by_own_node",
    family: Family::Wrong,
    source: "Sandia OpenSHMEM, pull request 1229, AUTO",
    section: "8, row 29",
    summary: Text {
        en: "hierarchical or not, as each member's own node has it",
        ru: "иерархический или нет — каждый решает по своему узлу",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: None,
    implementation: Implementation::Pattern(|config| Ok(Box::new(HierarchicalByOwnNode::for_group(config)?))),
}];
