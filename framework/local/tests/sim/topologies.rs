//! Ranks that may be reordered are placed by the nodes of the simulated machine.
use wb_comm::{CallSite, CartesianGrid, NewTopology, Rank, Verb};

use crate::sim::{Link, Machine};

/// Nodes of four cores.
fn machine() -> Machine {
    let link = Link {
        latency: 1000,
        overhead: 100,
        gap: 0,
        per_byte: 1000,
        processor_per_byte: 0,
        eager_limit: 1 << 20,
        segments: vec![],
    };
    Machine { cores_per_group: 4, ..Machine::flat("four cores", link) }
}

/// By rank, its number in a grid of 4 x 4 ranks.
fn numbers(reorder: bool) -> Vec<Rank> {
    let placed = crate::sim::run(machine(), 16, move |world| {
        let grid = CartesianGrid { dims: vec![4, 4], periods: vec![false; 2] };
        let site = CallSite::caller(Verb::CartCreate);
        let cart =
            world.create_topology(&NewTopology::Cartesian { grid, reorder }, site).expect("all call it");
        cart.expect("a place for every rank").rank()
    });
    placed.into_iter().map(|(number, _)| number).collect()
}

#[test]
fn the_ranks_of_a_node_get_a_square_of_the_grid() {
    assert_eq!(numbers(true), [0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15]);
}

#[test]
fn ranks_keep_their_order_unless_they_may_be_reordered() {
    assert_eq!(numbers(false), (0..16).collect::<Vec<_>>());
}

#[test]
fn nodes_are_numbered_in_the_order_of_the_ranks_of_each_communicator() {
    let seen = crate::sim::run(machine(), 6, |world| {
        let site = CallSite::caller(Verb::Nodes);
        let backwards = world.split(Some(0), -(world.rank() as i32), site).expect("split").expect("a colour");
        (world.nodes(site), backwards.nodes(site))
    });
    for (nodes, _) in seen {
        assert_eq!(nodes, (Ok(vec![0, 0, 0, 0, 1, 1]), Ok(vec![0, 0, 1, 1, 1, 1])));
    }
}
