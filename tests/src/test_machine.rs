//! A machine for laws: what it costs does not matter, that it costs something does.

use wb_local::sim::{Link, Machine, Simulator};

/// Ranks in virtual time; a message longer than `eager` bytes asks first.
pub fn simulator(eager: usize) -> Simulator {
    let link = |latency| Link {
        latency,
        overhead: 100,
        gap: 20,
        per_byte: 100,
        processor_per_byte: 10,
        eager_limit: eager,
        segments: Vec::new(),
    };
    let machine = Machine {
        cores_per_group: 2,
        groups_per_node: 2,
        core: link(100),
        node: link(300),
        poll: 50,
        ..Machine::flat("for laws", link(1500))
    };
    Simulator::from(machine)
}
