//! The cards of all nodes while messages between nodes go through them: out of the sender's node, into the receiver's.
//!
//! The order at a card is the order of time; of messages that come to it at the same time, the one from the lower rank is first,
//! of one rank's the one that was sent first. That this is the same for whoever executes needs a message to be made before it
//! comes to a card, which is why the network's L and o are at least 1.
use wb_comm::Rank;

use crate::{Machine, Port};

/// See the module. There are none on a machine whose ranks share no cards.
#[derive(Clone, Debug, Default)]
pub(crate) struct NicPorts {
    outgoing: Vec<Port>,
    incoming: Vec<Port>,
}

impl NicPorts {
    /// Of the nodes of so many ranks.
    ///
    /// # Panics
    /// When the ranks share cards on a network with an L or an o of 0.
    pub(crate) fn new(machine: &Machine, size: usize) -> Self {
        let Some(cards) = machine.nics else { return Self::default() };
        assert!(
            machine.network.has_positive_costs(),
            "{}: cards on a network with an L or an o of 0",
            machine.name
        );
        let nodes = size.checked_sub(1).map_or(0, |last| machine.node_of(last) + 1);
        let ports = vec![Port::default(); nodes * cards.per_node];
        Self { outgoing: ports.clone(), incoming: ports }
    }

    /// A message of `from` is at the card of its node `at`; when its first byte leaves that.
    pub(crate) fn depart(&mut self, machine: &Machine, from: Rank, bytes: usize, at: u64) -> u64 {
        pass(&mut self.outgoing, machine, from, bytes, at)
    }

    /// The first byte of a message to `to` is at the card of its node `at`; when it comes out of that.
    pub(crate) fn arrive(&mut self, machine: &Machine, to: Rank, bytes: usize, at: u64) -> u64 {
        pass(&mut self.incoming, machine, to, bytes, at)
    }
}

fn pass(ports: &mut [Port], machine: &Machine, rank: Rank, bytes: usize, at: u64) -> u64 {
    let cards = machine.nics.expect("only where there are any does a message come to one");
    ports[cards.nic_of(machine, rank)].occupy(at, cards.gap, machine.network.serial(bytes))
}
