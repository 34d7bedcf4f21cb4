//! One call of every verb of topologies and neighbourhoods; `docs/world.md` shows them.
use wb_world::{Rank, Result, World, dims_create};

use super::Law;

pub(super) const LAWS: &[Law] = &[
    ("the examples of topologies", |world| topologies(world).expect("topologies")),
    ("the examples of neighbourhoods", |world| neighborhoods(world).expect("neighbourhoods")),
];

pub(super) const NONBLOCKING_LAWS: &[Law] = &[("the examples of started neighbourhoods", |world| {
    started_neighborhoods(world).expect("started neighbourhoods");
})];

fn topologies(world: &World) -> Result<()> {
    let (rank, size) = (world.rank(), world.size());
    let dims = dims_create(size, &[0, 0])?;
    // World::cart_create
    let Some(cart) = world.cart_create(&dims, &[false, true], false)? else { return Ok(()) };
    // CartesianWorld::grid
    let rows = cart.grid().dims[0];
    // CartesianWorld::cart_coords
    let coords: Vec<usize> = cart.cart_coords(rank)?;
    // CartesianWorld::cart_rank
    let first_of_row = cart.cart_rank(&[coords[0] as isize, 0])?;
    // CartesianWorld::cart_shift
    let (above, below): (Rank, Rank) = cart.cart_shift(0, 1)?;
    // CartesianWorld::cart_sub
    let column = cart.cart_sub(&[true, false])?;
    assert_eq!((first_of_row, column.size()), (rank - coords[1], rows));
    // GraphWorld::neighbours
    let neighbours = cart.neighbours();
    assert_eq!(neighbours.destinations[..2], [above, below]);
    // CartesianWorld::dup
    let copy = cart.dup()?;
    assert_eq!(copy.grid(), cart.grid());
    // World::graph_create
    let pair = world.graph_create(&if size > 1 { vec![vec![1], vec![0]] } else { vec![vec![]] }, false)?;
    assert_eq!(pair.is_some(), rank < 2);
    // World::dist_graph_create_adjacent
    let ring = world.dist_graph_create_adjacent(&[(rank + size - 1) % size], &[(rank + 1) % size], false)?;
    assert_eq!(ring.neighbours().destinations, [(rank + 1) % size]);
    // GraphWorld::dup
    let copy = ring.dup()?;
    assert_eq!(copy.neighbours(), ring.neighbours());
    Ok(())
}

fn neighborhoods(world: &World) -> Result<()> {
    let Some(ring) = world.cart_create(&[world.size()], &[true], false)? else { return Ok(()) };
    let (rank, mut recv) = (ring.rank(), [0; 2]);
    // GraphWorld::neighbor_allgather
    ring.neighbor_allgather(&[rank], &mut recv)?;
    assert_eq!(recv[..], ring.neighbours().sources);
    // GraphWorld::neighbor_allgatherv
    ring.neighbor_allgatherv(&[rank], &mut recv, &[1, 1])?;
    // GraphWorld::neighbor_alltoall
    ring.neighbor_alltoall(&[rank, rank], &mut recv)?;
    // GraphWorld::neighbor_alltoallv
    ring.neighbor_alltoallv(&[rank, rank], &[1, 1], &mut recv, &[1, 1])?;
    assert_eq!(recv[..], ring.neighbours().sources);
    Ok(())
}

fn started_neighborhoods(world: &World) -> Result<()> {
    let Some(ring) = world.cart_create(&[world.size()], &[true], false)? else { return Ok(()) };
    let (rank, expected) = (ring.rank(), &ring.neighbours().sources);
    // GraphWorld::ineighbor_allgather
    let blocks = ring.ineighbor_allgather(vec![rank])?;
    assert_eq!(blocks.wait()?, *expected);
    // GraphWorld::ineighbor_allgatherv
    let blocks = ring.ineighbor_allgatherv(vec![rank], &[1, 1])?;
    assert_eq!(blocks.wait()?, *expected);
    // GraphWorld::ineighbor_alltoall
    let blocks = ring.ineighbor_alltoall(vec![rank, rank], 1)?;
    assert_eq!(blocks.wait()?, *expected);
    // GraphWorld::ineighbor_alltoallv
    let blocks = ring.ineighbor_alltoallv(vec![rank, rank], &[1, 1], &[1, 1])?;
    assert_eq!(blocks.wait()?, *expected);
    // GraphWorld::neighbor_allgather_init
    let gather = ring.neighbor_allgather_init(vec![rank])?;
    // GraphWorld::neighbor_allgatherv_init
    let gather_v = ring.neighbor_allgatherv_init(vec![rank], &[1, 1])?;
    // GraphWorld::neighbor_alltoall_init
    let exchange = ring.neighbor_alltoall_init(vec![rank, rank], 1)?;
    // GraphWorld::neighbor_alltoallv_init
    let exchange_v = ring.neighbor_alltoallv_init(vec![rank, rank], &[1, 1], &[1, 1])?;
    for mut operation in [gather, gather_v, exchange, exchange_v] {
        operation.start()?;
        operation.wait()?;
        assert_eq!(operation.result_mut()?, *expected);
    }
    Ok(())
}
