//! Laws of communicators with a topology.
use wb_world::{CartesianWorld, Operation, PROC_NULL, Rank, World, dims_create};

use super::Law;

pub(super) const LAWS: &[Law] = &[
    ("cart_create: coordinates and ranks are inverse, in row-major order", coordinates),
    ("cart_create: ranks beyond the grid get no communicator", beyond_the_grid),
    ("cart_shift: what is sent along a dimension comes from the source of the shift", shifts),
    ("cart_shift: a border is the null process, and a periodic dimension has none", borders),
    ("cart_sub: a part has the ranks that differ in the kept dimensions only", parts),
    ("cart_create: reordering moves ranks, not coordinates", reordering),
    ("graph_create: the first ranks, each with its neighbours as sources and destinations", whole_graphs),
    ("dist_graph_create_adjacent: a communicator of its own that knows the neighbours", graphs),
    ("a topology that cannot be is an error on its rank, and the next one is made", refusals),
];

/// Grids of all ranks in 1, 2 and 3 dimensions, with all combinations of periods.
fn grids(world: &World) -> Vec<CartesianWorld> {
    let kinds =
        (1..=3usize).flat_map(|dimensions| (0..1usize << dimensions).map(move |kind| (dimensions, kind)));
    kinds
        .map(|(dimensions, kind)| {
            let dims = dims_create(world.size(), &vec![0; dimensions]).expect("all are free");
            let periods: Vec<bool> = (0..dimensions).map(|at| kind >> at & 1 == 1).collect();
            world.cart_create(&dims, &periods, false).expect("cart_create").expect("a place for every rank")
        })
        .collect()
}

fn signed(coords: &[usize]) -> Vec<isize> {
    coords.iter().map(|coord| *coord as isize).collect()
}

fn coordinates(world: &World) {
    for cart in grids(world) {
        assert_eq!((cart.rank(), cart.size()), (world.rank(), world.size()));
        let dims = cart.grid().dims.clone();
        for rank in 0..cart.size() {
            let coords = cart.cart_coords(rank).expect("cart_coords");
            assert_eq!(
                coords.iter().zip(&dims).fold(0, |number, (coord, extent)| number * extent + coord),
                rank
            );
            assert_eq!(cart.cart_rank(&signed(&coords)), Ok(rank));
        }
        assert!(cart.cart_coords(cart.size()).is_err());
        let mut sum = [0];
        cart.allreduce(&[cart.rank()], &mut sum, Operation::Sum).expect("it is a communicator");
        assert_eq!(sum[0], world.size() * (world.size() - 1) / 2);
    }
}

fn beyond_the_grid(world: &World) {
    let row = world.size().div_ceil(2);
    let cart = world.cart_create(&[row], &[true], false).expect("cart_create");
    assert_eq!(
        cart.map(|cart| (cart.rank(), cart.size())),
        (world.rank() < row).then_some((world.rank(), row))
    );
}

fn shifts(world: &World) {
    for cart in grids(world) {
        for (dimension, displacement) in
            (0..cart.grid().dims.len()).flat_map(|at| [-2, -1, 1, 3].map(|by| (at, by)))
        {
            let (source, dest) = cart.cart_shift(dimension, displacement).expect("cart_shift");
            let mut received = [PROC_NULL];
            let status = cart.sendrecv(&[cart.rank()], dest, 6, &mut received, source, 6).expect("sendrecv");
            assert_eq!(
                (status.source, received[0]),
                (source, source),
                "{:?}, {dimension}, {displacement}",
                cart.grid()
            );
        }
        assert!(cart.cart_shift(cart.grid().dims.len(), 1).is_err());
    }
}

fn borders(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let row = world.cart_create(&[size], &[false], false).expect("cart_create").expect("a place");
    let expected =
        (if rank == 0 { PROC_NULL } else { rank - 1 }, if rank + 1 == size { PROC_NULL } else { rank + 1 });
    assert_eq!(row.cart_shift(0, 1), Ok(expected));
    let ring = world.cart_create(&[size], &[true], false).expect("cart_create").expect("a place");
    assert_eq!(ring.cart_shift(0, 1), Ok(((rank + size - 1) % size, (rank + 1) % size)));
    assert_eq!(ring.cart_rank(&[-1]), Ok(size - 1));
    let outside = row.cart_rank(&[size as isize]).expect_err("beyond the border").to_string();
    assert!(
        outside.contains(&format!("dimension 0 is not periodic, 0..={} is allowed", size - 1)),
        "{outside}"
    );
}

fn parts(world: &World) {
    for cart in grids(world) {
        let dimensions = cart.grid().dims.len();
        for kind in 0..1usize << dimensions {
            let keep: Vec<bool> = (0..dimensions).map(|at| kind >> at & 1 == 1).collect();
            let part = cart.cart_sub(&keep).expect("cart_sub");
            let coords = cart.cart_coords(cart.rank()).expect("cart_coords");
            let agrees = |rank: &Rank| {
                let other = cart.cart_coords(*rank).expect("cart_coords");
                (0..dimensions).all(|at| keep[at] || other[at] == coords[at])
            };
            let members: Vec<Rank> = (0..cart.size()).filter(agrees).collect();
            let mut received = vec![PROC_NULL; part.size()];
            part.allgather(&[cart.rank()], &mut received).expect("allgather");
            assert_eq!(received, members, "keep {keep:?}");
            let kept: Vec<usize> = (0..dimensions).filter(|at| keep[*at]).map(|at| coords[at]).collect();
            assert_eq!(part.cart_coords(part.rank()), Ok(kept));
        }
    }
}

fn reordering(world: &World) {
    let dims = dims_create(world.size(), &[0, 0]).expect("all are free");
    let cart = world.cart_create(&dims, &[false, true], true).expect("cart_create").expect("a place");
    let mut ranks = vec![PROC_NULL; world.size()];
    cart.allgather(&[world.rank()], &mut ranks).expect("allgather");
    ranks.sort_unstable();
    assert_eq!(ranks, (0..world.size()).collect::<Vec<_>>(), "every rank has one place");
    assert_eq!(
        cart.cart_coords(cart.rank()).and_then(|coords| cart.cart_rank(&signed(&coords))),
        Ok(cart.rank())
    );
}

/// Every rank sends to the next one twice, and to rank 0.
fn graphs(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let (next, before) = ((rank + 1) % size, (rank + size - 1) % size);
    let mut sources = vec![before, before];
    sources.extend((0..size).filter(|_| rank == 0));
    let graph = world.dist_graph_create_adjacent(&sources, &[next, 0, next], false);
    let graph = graph.expect("dist_graph_create_adjacent");
    assert_eq!((graph.rank(), graph.size()), (rank, size));
    assert_eq!(
        (&graph.neighbours().sources, &graph.neighbours().destinations),
        (&sources, &vec![next, 0, next])
    );
    let outer = world.isend(vec![1], next, 3).expect("isend");
    let inner = graph.isend(vec![2], next, 3).expect("isend");
    let mut received = [0];
    graph.recv(&mut received, before, 3).expect("recv");
    assert_eq!(received, [2], "a message crossed from one communicator to the other");
    world.recv(&mut received, before, 3).expect("recv");
    outer.wait().expect("wait");
    inner.wait().expect("wait");
}

/// All ranks but the last one, each with an edge to the next one and one to rank 0; rank 0 has two of some.
fn whole_graphs(world: &World) {
    let size = world.size();
    let neighbours = star_and_path(size - 1);
    let made = world.graph_create(&neighbours, false).expect("graph_create");
    assert_eq!(made.is_some(), world.rank() + 1 < size);
    if let Some(graph) = made {
        assert_eq!((graph.rank(), graph.size()), (world.rank(), size - 1));
        let own = &neighbours[graph.rank()];
        assert_eq!((&graph.neighbours().sources, &graph.neighbours().destinations), (own, own));
        let mut ranks = vec![PROC_NULL; own.len()];
        graph.neighbor_allgather(&[world.rank()], &mut ranks).expect("neighbor_allgather");
        assert_eq!(&ranks, own);
    }
    let reordered = world.graph_create(&star_and_path(size), true).expect("graph_create").expect("a place");
    let own = &star_and_path(size)[reordered.rank()];
    assert_eq!(&reordered.neighbours().sources, own);
    let mut ranks = vec![PROC_NULL; own.len()];
    let mine = [reordered.rank()];
    reordered.neighbor_allgather(&mine, &mut ranks).expect("neighbor_allgather");
    assert_eq!(&ranks, own);
    assert!(world.graph_create(&[], false).expect("graph_create").is_none(), "a graph without ranks");
}

/// Every rank has an edge to rank 0, and one to each of its neighbours on a path.
fn star_and_path(size: usize) -> Vec<Vec<Rank>> {
    let mut neighbours = vec![vec![]; size];
    for rank in 1..size {
        for other in [0, rank - 1] {
            neighbours[rank].push(other);
            neighbours[other].push(rank);
        }
    }
    neighbours
}

fn refusals(world: &World) {
    let size = world.size();
    let refused = world.graph_create(&vec![vec![]; size + 1], false).map(|made| made.is_some());
    assert!(refused.is_err(), "too many ranks");
    assert!(world.graph_create(&[vec![1]], false).is_err(), "a neighbour that does not exist");
    if size > 1 {
        let error = world.graph_create(&[vec![1, 1], vec![0]], false).map(|made| made.is_some());
        let error = error.expect_err("an edge is missing").to_string();
        assert!(error.contains("rank 0 names rank 1 2 time(s), rank 1 names rank 0 1 time(s)"), "{error}");
    }
    assert!(world.cart_create(&[size + 1], &[false], false).is_err(), "too many places");
    assert!(world.cart_create(&[size, 0], &[false, false], false).is_err(), "no place");
    assert!(world.cart_create(&[], &[], false).is_err(), "no dimension");
    assert!(world.cart_create(&[size], &[false, true], false).is_err(), "a period too many");
    assert!(world.dist_graph_create_adjacent(&[size], &[], false).is_err(), "a source that does not exist");
    assert!(world.dist_graph_create_adjacent(&[], &[PROC_NULL], false).is_err(), "no neighbour");
    let cart = world.cart_create(&[size], &[false], false).expect("cart_create").expect("a place");
    assert!(cart.cart_sub(&[true, true]).is_err() && cart.cart_rank(&[0, 0]).is_err());
    assert_eq!(cart.cart_sub(&[true]).expect("cart_sub").size(), size);
}
