//! The NICs of all nodes: messages between nodes pass the NIC of the sender's node and that of the receiver's node.
//!
//! A NIC processes messages in the order of time; of messages that arrive at the same time, the one from the lower
//! rank is first, and of one rank's, the one sent first. For this order to be the same in every executor, a message
//! must be created before it reaches a NIC, so the network's L and o must be at least 1.
use wb_comm::Rank;

use crate::sim::{Machine, Port};

/// The ports of all NICs; none on a machine whose ranks share no NICs.
#[derive(Clone, Debug, Default)]
pub(crate) struct NicPorts {
    outgoing: Vec<Port>,
    incoming: Vec<Port>,
}

impl NicPorts {
    /// The NICs of the nodes of `size` ranks.
    ///
    /// # Panics
    /// When the ranks share NICs on a network with an L or an o of 0.
    pub(crate) fn new(machine: &Machine, size: usize) -> Self {
        let Some(nics) = machine.nics else { return Self::default() };
        assert!(
            machine.network.has_positive_costs(),
            "{}: cards on a network with an L or an o of 0",
            machine.name
        );
        let nodes = size.checked_sub(1).map_or(0, |last| machine.node_of(last) + 1);
        let ports = vec![Port::default(); nodes * nics.per_node];
        Self { outgoing: ports.clone(), incoming: ports }
    }

    /// A message of `from` is at the NIC of its node `at`; returns when its first byte leaves the NIC.
    pub(crate) fn depart(&mut self, machine: &Machine, from: Rank, bytes: usize, at: u64) -> u64 {
        pass(&mut self.outgoing, machine, from, bytes, at)
    }

    /// The first byte of a message to `to` is at the NIC of its node `at`; returns when it leaves the NIC.
    pub(crate) fn arrive(&mut self, machine: &Machine, to: Rank, bytes: usize, at: u64) -> u64 {
        pass(&mut self.incoming, machine, to, bytes, at)
    }
}

fn pass(ports: &mut [Port], machine: &Machine, rank: Rank, bytes: usize, at: u64) -> u64 {
    let nics = machine.nics.expect("only where there are any does a message come to one");
    ports[nics.nic_of(machine, rank)].occupy(at, nics.gap, machine.network.serial(bytes))
}
