//! A simulated machine: the placement of its ranks, the cost of a message between two of them and the cost of
//! computation.
//!
//! Ranks fill the cores in order: first a group of cores that share a cache, then the node, then the next node.
use crate::sim::{Link, Storage};

/// The distance of two ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Distance {
    /// Ranks on cores of one group, which share a cache.
    Core,
    /// Ranks on one node.
    Node,
    /// Ranks on different nodes.
    Network,
}

/// The NICs of a node, which its ranks share: the first cores share the first NIC, and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nics {
    /// The number of NICs of a node; at least 1.
    pub per_node: usize,
    /// The least time between two messages of one NIC, in each direction, nanoseconds.
    pub gap: u64,
}

impl Nics {
    /// The number of the NIC of `rank`, among those of all nodes.
    pub(crate) fn nic_of(&self, machine: &Machine, rank: usize) -> usize {
        let cores = machine.cores_per_group * machine.groups_per_node;
        // Equals the node's number times its NICs plus the number on the node, since nodes are filled in order.
        rank * self.per_node / cores
    }
}

/// A simulated machine; see the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The name of the machine, as given by users: `"cluster-ib"`.
    pub name: String,
    /// Cores that share a cache; at least 1.
    pub cores_per_group: usize,
    /// Groups of a node; at least 1.
    pub groups_per_node: usize,
    /// The link between cores of one group.
    pub core: Link,
    /// The link between groups of one node.
    pub node: Link,
    /// The link between nodes.
    pub network: Link,
    /// The NICs that the ranks of a node share; `None` where each rank has its own.
    pub nics: Option<Nics>,
    /// The storage of files.
    pub storage: Storage,
    /// Floating-point operations per second of one core, at least 1.
    pub flops_per_second: u64,
    /// Bytes per second between one core and memory, at least 1.
    pub bytes_per_second: u64,
    /// The cost of a failed poll, and of a reading of the clock with nothing before it that takes time, nanoseconds; at least 1.
    pub poll: u64,
}

impl Machine {
    /// A machine with one core per node, on which every message has the same costs; 10^9 operations and bytes per
    /// second.
    pub fn flat(name: &str, link: Link) -> Self {
        Self {
            name: name.to_owned(),
            cores_per_group: 1,
            groups_per_node: 1,
            core: link.clone(),
            node: link.clone(),
            network: link,
            nics: None,
            storage: Storage::DEFAULT,
            flops_per_second: 1_000_000_000,
            bytes_per_second: 1_000_000_000,
            poll: 10,
        }
    }

    /// The distance of `a` and `b`.
    pub fn distance(&self, a: usize, b: usize) -> Distance {
        if !self.is_on_one_node(a, b) {
            Distance::Network
        } else if a / self.cores_per_group == b / self.cores_per_group {
            Distance::Core
        } else {
            Distance::Node
        }
    }

    /// The link between `a` and `b`.
    pub fn link(&self, a: usize, b: usize) -> &Link {
        match self.distance(a, b) {
            Distance::Core => &self.core,
            Distance::Node => &self.node,
            Distance::Network => &self.network,
        }
    }

    /// Whether a message among this number of ranks can pass a shared NIC. On one node it cannot.
    pub fn has_shared_nics(&self, ranks: usize) -> bool {
        ranks > 1 && self.uses_shared_nics(0, ranks - 1)
    }

    /// Whether a message between `a` and `b` passes shared NICs.
    pub(crate) fn uses_shared_nics(&self, a: usize, b: usize) -> bool {
        self.nics.is_some() && !self.is_on_one_node(a, b)
    }

    /// The node of `rank`.
    pub fn node_of(&self, rank: usize) -> usize {
        rank / (self.cores_per_group * self.groups_per_node)
    }

    /// Ranks further apart than the cores of a node are not, which mostly avoids a division.
    fn is_on_one_node(&self, a: usize, b: usize) -> bool {
        a.abs_diff(b) < self.cores_per_group * self.groups_per_node && self.node_of(a) == self.node_of(b)
    }

    /// The nanoseconds that a core takes for `flops` operations and `bytes` bytes of memory traffic, the maximum of
    /// both (the roofline of Williams, Waterman and Patterson, CACM 2009); rounded up.
    pub fn work(&self, flops: u64, bytes: u64) -> u64 {
        let time = |amount: u64, per_second: u64| {
            u64::try_from((u128::from(amount) * 1_000_000_000).div_ceil(u128::from(per_second)))
                .unwrap_or(u64::MAX)
        };
        time(flops, self.flops_per_second).max(time(bytes, self.bytes_per_second))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine() -> Machine {
        let link = |latency| Link {
            latency,
            overhead: 1,
            gap: 1,
            per_byte: 0,
            processor_per_byte: 0,
            eager_limit: 0,
            segments: vec![],
        };
        Machine {
            name: "test".to_owned(),
            cores_per_group: 2,
            groups_per_node: 3,
            core: link(1),
            node: link(2),
            network: link(3),
            nics: None,
            storage: Storage::DEFAULT,
            flops_per_second: 2_000_000_000,
            bytes_per_second: 10_000_000_000,
            poll: 1,
        }
    }

    #[test]
    fn ranks_fill_groups_then_nodes() {
        let machine = machine();
        assert_eq!(machine.distance(0, 1), Distance::Core);
        assert_eq!(machine.distance(1, 2), Distance::Node);
        assert_eq!(machine.distance(5, 6), Distance::Network);
        assert_eq!(machine.link(6, 11).latency, 2);
        assert_eq!((machine.node_of(5), machine.node_of(6)), (0, 1));
    }

    #[test]
    fn ranks_share_cards_in_blocks() {
        let of = |per_node| {
            let (nics, machine) = (Nics { per_node, gap: 1 }, machine());
            (0..13).map(|rank| nics.nic_of(&machine, rank)).collect::<Vec<_>>()
        };
        assert_eq!(of(1), [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2]);
        assert_eq!(of(2), [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4]);
    }

    #[test]
    fn work_is_what_binds() {
        let machine = machine();
        assert_eq!(machine.work(2000, 0), 1000);
        assert_eq!(machine.work(2000, 100_000), 10_000);
        assert_eq!(machine.work(1, 1), 1);
        assert_eq!(machine.work(u64::MAX, 0), u64::MAX / 2 + 1);
    }
}
