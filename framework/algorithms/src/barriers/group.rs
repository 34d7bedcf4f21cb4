//! Groups within a group: the members of each node, and signals among some of the ranks only.
//!
//! Everything here follows from data that all members share (the [`GroupConfig`]), so all compute the same groups, the
//! same leaders and the same order. A leader is the lowest *member* of its node, not the node's lowest process, which
//! need not take part.
use std::collections::BTreeMap;

use wb_comm::{Error, Rank, Result, text};

use crate::barriers::{GatherRelease, GroupConfig, Pattern, PlanBuilder};

/// Disjoint groups that every rank belongs to, each with its members in ascending order; the first member leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupPartition {
    members: Vec<Vec<Rank>>,
    leaders: Vec<Rank>,
    /// The group of each rank.
    group_of: Vec<usize>,
}

impl GroupPartition {
    /// One group a node, in the order of the nodes' numbers.
    ///
    /// # Errors
    /// The errors of [`GroupConfig::check`].
    pub fn by_node(config: &GroupConfig) -> Result<Self> {
        config.check()?;
        let mut nodes: BTreeMap<usize, Vec<Rank>> = BTreeMap::new();
        for (rank, &node) in config.nodes.iter().enumerate() {
            nodes.entry(node).or_default().push(rank);
        }
        Ok(Self::from_members(nodes.into_values().collect(), config.size))
    }

    /// Each group divided into runs of at most `length` members.
    ///
    /// # Panics
    /// For a length of 0.
    pub fn split(&self, length: usize) -> Self {
        let runs = self.members.iter().flat_map(|members| members.chunks(length)).map(<[_]>::to_vec);
        Self::from_members(runs.collect(), self.group_of.len())
    }

    fn from_members(members: Vec<Vec<Rank>>, size: usize) -> Self {
        let mut of = vec![0; size];
        for (group, members) in members.iter().enumerate() {
            members.iter().for_each(|&rank| of[rank] = group);
        }
        Self { leaders: members.iter().map(|members| members[0]).collect(), members, group_of: of }
    }

    /// The members of the group of `rank`.
    pub fn members_of(&self, rank: Rank) -> &[Rank] {
        &self.members[self.group_of[rank]]
    }

    /// The lowest member of each group, in the order of the groups.
    pub fn leaders(&self) -> &[Rank] {
        &self.leaders
    }
}

/// A barrier of two levels: a gather in each group, another pattern among the leaders, a release in each group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TwoLevels<L, A> {
    groups: GroupPartition,
    within: L,
    among: A,
}

impl<L, A> TwoLevels<L, A> {
    /// The pattern `within` each group, the pattern `among` the leaders.
    pub fn new(groups: GroupPartition, within: L, among: A) -> Self {
        Self { groups, within, among }
    }
}

impl<L: GatherRelease, A: Pattern> Pattern for TwoLevels<L, A> {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        let (known, size) = (self.groups.group_of.len(), plan.size());
        if known != size {
            return Err(Error::Setup(text::barrier::made_for_others(known, size)));
        }
        let own = self.groups.members_of(plan.rank());
        plan.subgroup(own).map_or(Ok(()), |mut group| self.within.gather(&mut group))?;
        plan.subgroup(self.groups.leaders()).map_or(Ok(()), |mut leaders| self.among.build(&mut leaders))?;
        plan.subgroup(own).map_or(Ok(()), |mut group| self.within.release(&mut group))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaders_are_the_lowest_members_in_the_order_of_the_nodes() {
        let config = GroupConfig { nodes: vec![7, 2, 7, 5, 2, 7], ..GroupConfig::new(6) };
        let groups = GroupPartition::by_node(&config).expect("sound");
        assert_eq!(groups.leaders(), [1, 3, 0]);
        assert_eq!(groups.members_of(5), [0, 2, 5]);
        assert_eq!(groups.split(2).leaders(), [1, 3, 0, 5]);
    }

    #[test]
    fn nodes_of_others_are_refused() {
        let config = GroupConfig { nodes: vec![0; 3], ..GroupConfig::new(4) };
        let message = GroupPartition::by_node(&config).expect_err("one node too few").to_string();
        assert_eq!(message, "4 participants, but the nodes of 3");
        let nobody = GroupPartition::by_node(&GroupConfig::new(0));
        assert_eq!(nobody, Err(Error::Setup(text::barrier::nobody())));
    }
}
