//! A machine for laws: what it costs does not matter, that it costs something does.

use wb_sim::{Link, Machine, Simulator};

/// Ranks in virtual time; a message longer than `eager` bytes asks first.
pub fn simulator(eager: usize) -> Simulator {
    let link = |latency| Link {
        latency,
        overhead: 100,
        gap: 20,
        per_byte: 100,
        copy: 10,
        eager,
        pieces: Vec::new(),
    };
    let machine = Machine {
        name: "for laws".to_owned(),
        cores_per_group: 2,
        groups_per_node: 2,
        core: link(100),
        node: link(300),
        network: link(1500),
        cards: None,
        flops_per_second: 1_000_000_000,
        bytes_per_second: 1_000_000_000,
        poll: 50,
    };
    Simulator::from(machine)
}
