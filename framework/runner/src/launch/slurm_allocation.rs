//! The nodes and processors that Slurm has allocated to this process's job.

use wb_config::RankMap;

/// An allocation, as far as its variables tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SlurmAllocation {
    pub(super) nodes: Option<usize>,
    pub(super) ranks_per_node: Option<usize>,
    /// The processors of all nodes.
    pub(super) cores: Option<usize>,
}

impl SlurmAllocation {
    pub(super) fn from_environment() -> Self {
        let number = |name: &str| std::env::var(name).ok()?.parse().ok().filter(|&number| number > 0);
        Self {
            nodes: number("SLURM_JOB_NUM_NODES"),
            ranks_per_node: number("SLURM_NTASKS_PER_NODE"),
            cores: std::env::var("SLURM_JOB_CPUS_PER_NODE").ok().and_then(|list| sum(&list)),
        }
    }

    /// The number of nodes that ranks in this order need: the fewest on which each has at most the ranks that it was allocated for,
    /// or all if ranks take nodes in turn. `srun` alone spreads ranks over all nodes of the allocation, so two ranks would never
    /// share a node. `None` leaves the choice to `srun`.
    pub(super) fn nodes_for(&self, ranks: usize, map: Option<RankMap>) -> Option<usize> {
        match map {
            Some(RankMap::Node) => Some(ranks.min(self.nodes?)),
            _ => Some(ranks.div_ceil(self.ranks_per_node?).min(self.nodes?)),
        }
    }
}

/// The sum of numbers by node: `8(x2),4` is 20.
fn sum(list: &str) -> Option<usize> {
    let of_item = |item: &str| match item.trim_end_matches(')').split_once("(x") {
        Some((number, times)) => number.parse::<usize>().ok()?.checked_mul(times.parse().ok()?),
        None => item.parse().ok(),
    };
    list.split(',').map(of_item).sum::<Option<usize>>().filter(|&sum| sum > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_fill_a_node_before_they_use_the_next_one_or_take_nodes_in_turn() {
        let allocation = SlurmAllocation { nodes: Some(2), ranks_per_node: Some(4), cores: Some(8) };
        let nodes = |map| [1, 2, 4, 5, 8, 17].map(|ranks| allocation.nodes_for(ranks, map));
        assert_eq!(nodes(None), [Some(1), Some(1), Some(1), Some(2), Some(2), Some(2)]);
        assert_eq!(nodes(Some(RankMap::Socket)), nodes(None));
        assert_eq!(nodes(Some(RankMap::Node)), [Some(1), Some(2), Some(2), Some(2), Some(2), Some(2)]);
        assert_eq!(SlurmAllocation::default().nodes_for(4, None), None);
    }

    #[test]
    fn the_processors_of_nodes_of_different_sizes_are_added() {
        for (list, expected) in [("8(x2),4", Some(20)), ("2", Some(2)), ("", None), ("x", None), ("0", None)]
        {
            assert_eq!(sum(list), expected, "{list}");
        }
    }
}
