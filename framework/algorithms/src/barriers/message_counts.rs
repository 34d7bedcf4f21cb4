//! The messages of one episode, within nodes and between nodes.
//!
//! A message between two ranks of one node passes memory, one between nodes passes the network. On many nodes the second number
//! decides, which is why hierarchical barriers exist.
use std::ops::AddAssign;

use crate::barriers::{Plan, PlanStep};

/// The numbers of messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MessageCounts {
    /// The messages between ranks of one node.
    pub within_node: u64,
    /// The messages between ranks of different nodes.
    pub between_nodes: u64,
}

impl MessageCounts {
    /// One message from a rank of the node `from` to one of the node `to`.
    pub fn one(from: usize, to: usize) -> Self {
        let is_within = from == to;
        Self { within_node: u64::from(is_within), between_nodes: u64::from(!is_within) }
    }

    /// The messages of an episode by the plans of all ranks; `nodes` has the node of each rank.
    ///
    /// ```
    /// use wb_algorithms::barriers::{GroupConfig, MessageCounts, catalogue};
    ///
    /// let config = GroupConfig { nodes: vec![0, 0, 1, 1], ..GroupConfig::new(4) };
    /// let plans = catalogue::find("dissemination")?.plans(&config).expect("a pattern")?;
    /// let counts = MessageCounts::of_plans(&plans, &config.nodes);
    /// assert_eq!((counts.within_node, counts.between_nodes), (2, 6));
    /// # Ok::<(), wb_comm::Error>(())
    /// ```
    ///
    /// # Panics
    /// When a plan names a rank without a node.
    pub fn of_plans(plans: &[Plan], nodes: &[usize]) -> Self {
        let mut counts = Self::default();
        for plan in plans {
            for step in &plan.steps {
                if let PlanStep::Signal { to, .. } = step {
                    counts += Self::one(nodes[plan.rank], nodes[*to]);
                }
            }
        }
        counts
    }
}

impl AddAssign for MessageCounts {
    fn add_assign(&mut self, other: Self) {
        self.within_node += other.within_node;
        self.between_nodes += other.between_nodes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::barriers::{GroupConfig, catalogue};

    fn counts(name: &str, nodes: &[usize]) -> (u64, u64) {
        let config = GroupConfig { nodes: nodes.to_vec(), ..GroupConfig::new(nodes.len()) };
        let entry = catalogue::find(name).expect("in the catalogue");
        let plans = entry.plans(&config).expect("a pattern").expect("defined");
        let MessageCounts { within_node, between_nodes } = MessageCounts::of_plans(&plans, nodes);
        (within_node, between_nodes)
    }

    #[test]
    fn messages_are_counted_by_the_nodes_of_their_ranks() {
        // Round 1: 0 -> 1 and 2 -> 3 stay on a node; round 2: all four cross.
        assert_eq!(counts("dissemination", &[0, 0, 1, 1]), (2, 6));
        assert_eq!(counts("dissemination", &[0, 1, 0, 1]), (4, 4));
        assert_eq!(counts("dissemination", &[0; 4]), (8, 0));
        // Two members signal their leaders and are released; the leaders exchange.
        assert_eq!(counts("hierarchical", &[0, 0, 1, 1]), (4, 2));
    }

    #[test]
    fn a_hierarchical_barrier_sends_no_more_between_nodes_than_any_flat_one() {
        let nodes: Vec<usize> = (0..12).map(|rank| rank / 4).collect();
        let (_, hierarchical) = counts("hierarchical", &nodes);
        // Dissemination among three leaders.
        assert_eq!(hierarchical, 6);
        for flat in ["dissemination", "linear", "recursive_doubling", "double_ring", "k_ary_tree_4"] {
            assert!(counts(flat, &nodes).1 >= hierarchical, "{flat}: {:?}", counts(flat, &nodes));
        }
    }
}
