//! Laws of neighbourhood collectives: a block comes from the source that sent it in this direction, and from no other.
use wb_world::{CartesianWorld, GraphWorld, PROC_NULL, Rank, Result, World, dims_create};

use super::{Law, element, elements, ragged};

/// The laws of the blocking ones.
pub(super) const LAWS: &[Law] = &[
    ("neighbor_allgather(v): block i is what source i sends to all", gathers),
    ("neighbor_alltoall(v): block i is what source i sends in this direction", exchanges),
    ("neighbourhood collectives on a graph with several edges to one rank keep their order", edges),
    ("neighbourhood collectives on a star: ranks have other numbers of sources than of destinations", star),
    ("neighbourhood collectives with wrong lengths are refused", refusals),
];

/// The laws of the nonblocking ones.
pub(super) const NONBLOCKING_LAWS: &[Law] = &[
    ("ineighbor_allgather(v), ineighbor_alltoall(v): as the blocking ones", nonblocking),
    ("neighbor_allgather(v)_init, neighbor_alltoall(v)_init: at each start as the blocking ones", persistent),
    ("neighbourhood collectives that are active together do not disturb each other", several),
];

/// Grids in 1, 2 and 3 dimensions with all combinations of periods, and grids of rings with one or two ranks.
fn grids(world: &World) -> Vec<CartesianWorld> {
    let mut shapes = vec![];
    for dimensions in 1..=3usize {
        let dims = dims_create(world.size(), &vec![0; dimensions]).expect("all are free");
        let periods =
            (0..1usize << dimensions).map(|kind| (0..dimensions).map(|at| kind >> at & 1 == 1).collect());
        shapes.extend(periods.map(|periods: Vec<bool>| (dims.clone(), periods)));
    }
    for extent in [1, 2] {
        shapes.push((vec![extent, 1], vec![true; 2]));
    }
    let shapes = shapes.into_iter().filter(|(dims, _)| dims.iter().product::<usize>() <= world.size());
    shapes
        .filter_map(|(dims, periods)| world.cart_create(&dims, &periods, false).expect("cart_create"))
        .collect()
}

/// What `rank` sends in the direction of its destination `at`.
fn block(rank: Rank, at: usize, count: usize) -> Vec<i64> {
    (0..count).map(|position| element(rank, 100 * at + position)).collect()
}

/// What comes from source `at`: it sends in the opposite direction; from the null process nothing comes.
fn expected_of(cart: &CartesianWorld, at: usize, count: usize) -> Vec<i64> {
    match cart.neighbours().sources[at] {
        PROC_NULL => vec![-1; count],
        source => block(source, at ^ 1, count),
    }
}

fn gathers(world: &World) {
    for cart in grids(world) {
        let sources = cart.neighbours().sources.clone();
        for count in [0, 1, 3] {
            let mut recv = vec![-1; count * sources.len()];
            cart.neighbor_allgather(&elements(cart.rank(), count), &mut recv).expect("neighbor_allgather");
            let of =
                |source: &Rank| if *source == PROC_NULL { vec![-1; count] } else { elements(*source, count) };
            assert_eq!(recv, sources.iter().flat_map(of).collect::<Vec<_>>(), "{:?}", cart.grid());
        }
        let buffer = |source: &Rank| if *source == PROC_NULL { 1 } else { ragged(*source) };
        let counts: Vec<usize> = sources.iter().map(buffer).collect();
        let mut recv = vec![-1; counts.iter().sum()];
        let mine = elements(cart.rank(), ragged(cart.rank()));
        cart.neighbor_allgatherv(&mine, &mut recv, &counts).expect("neighbor_allgatherv");
        let of =
            |source: &Rank| if *source == PROC_NULL { vec![-1] } else { elements(*source, ragged(*source)) };
        assert_eq!(recv, sources.iter().flat_map(of).collect::<Vec<_>>(), "{:?}", cart.grid());
    }
}

fn exchanges(world: &World) {
    for cart in grids(world) {
        let (rank, degree) = (cart.rank(), cart.neighbours().sources.len());
        for count in [0, 1, 3] {
            let send: Vec<i64> = (0..degree).flat_map(|at| block(rank, at, count)).collect();
            let mut recv = vec![-1; send.len()];
            cart.neighbor_alltoall(&send, &mut recv).expect("neighbor_alltoall");
            let expected: Vec<i64> = (0..degree).flat_map(|at| expected_of(&cart, at, count)).collect();
            assert_eq!(recv, expected, "rank {rank} of {:?}", cart.grid());
        }
        // Two elements in each first direction, one in each second one.
        let sent: Vec<usize> = (0..degree).map(|at| 2 - at % 2).collect();
        let received: Vec<usize> = (0..degree).map(|at| 1 + at % 2).collect();
        let send: Vec<i64> = (0..degree).flat_map(|at| block(rank, at, sent[at])).collect();
        let mut recv = vec![-1; received.iter().sum()];
        cart.neighbor_alltoallv(&send, &sent, &mut recv, &received).expect("neighbor_alltoallv");
        let expected: Vec<i64> = (0..degree).flat_map(|at| expected_of(&cart, at, received[at])).collect();
        assert_eq!(recv, expected, "rank {rank} of {:?}", cart.grid());
    }
}

/// Two edges to the next rank, one to rank 0.
fn graph(world: &World) -> GraphWorld {
    let (rank, size) = (world.rank(), world.size());
    let (next, before) = ((rank + 1) % size, (rank + size - 1) % size);
    let mut sources = vec![before, before];
    sources.extend((0..size).filter(|_| rank == 0));
    world.dist_graph_create_adjacent(&sources, &[next, next, 0], false).expect("dist_graph_create_adjacent")
}

/// By source, the number of the edge among those of that rank.
fn edge_numbers(graph: &GraphWorld) -> Vec<(Rank, usize)> {
    let sources = &graph.neighbours().sources;
    let to_next = |at: usize| if at < 2 { at } else { 2 };
    sources.iter().enumerate().map(|(at, source)| (*source, to_next(at))).collect()
}

fn edges(world: &World) {
    let graph = graph(world);
    let send: Vec<i64> = (0..3).flat_map(|at| block(world.rank(), at, 2)).collect();
    let expected: Vec<i64> =
        edge_numbers(&graph).into_iter().flat_map(|(source, at)| block(source, at, 2)).collect();
    let mut recv = vec![-1; expected.len()];
    graph.neighbor_alltoall(&send, &mut recv).expect("neighbor_alltoall");
    assert_eq!(recv, expected);
    let mut ranks = vec![PROC_NULL; graph.neighbours().sources.len()];
    graph.neighbor_allgather(&[world.rank()], &mut ranks).expect("neighbor_allgather");
    assert_eq!(ranks, graph.neighbours().sources);
}

/// Rank 0 sends to all others, which send to none.
fn star(world: &World) {
    let (rank, others) = (world.rank(), (1..world.size()).collect::<Vec<_>>());
    let (from, to) = if rank == 0 { (vec![], others) } else { (vec![0], vec![]) };
    let star = world.dist_graph_create_adjacent(&from, &to, false).expect("dist_graph_create_adjacent");
    let (send, counts) = (elements(rank, 2), vec![2; from.len()]);
    let mut recv = vec![-1; 2 * from.len()];
    star.neighbor_allgatherv(&send, &mut recv, &counts).expect("neighbor_allgatherv");
    assert_eq!(recv, from.iter().flat_map(|from| elements(*from, 2)).collect::<Vec<_>>());
    let (send, send_counts) = (elements(rank, 2).repeat(to.len()), vec![2; to.len()]);
    recv.fill(-1);
    star.neighbor_alltoallv(&send, &send_counts, &mut recv, &counts).expect("neighbor_alltoallv");
    assert_eq!(recv, from.iter().flat_map(|from| elements(*from, 2)).collect::<Vec<_>>());
}

fn refusals(world: &World) {
    let ring = world.cart_create(&[world.size()], &[true], false).expect("cart_create").expect("a place");
    let says = |result: Result<()>, reason: &str| {
        let error = result.expect_err(reason).to_string();
        assert!(error.contains(reason), "{error}");
    };
    says(ring.neighbor_allgather(&[1], &mut [0; 3]), "recv has 3 element(s), expected 1 x 2 neighbours = 2");
    says(ring.neighbor_allgatherv(&[1], &mut [0; 3], &[1, 1, 1]), "counts has 3 element(s), 2 needed");
    says(
        ring.neighbor_alltoall(&[1; 4], &mut [0; 2]),
        "recv has 2 element(s), expected 2 x 2 neighbours = 4",
    );
    let odd = "send has 3 element(s), expected 1 x 2 neighbours = 2; 3 elements in 2 equal blocks leave 1 over: neighbor_alltoallv";
    says(ring.neighbor_alltoall(&[1; 3], &mut [0; 2]), odd);
    let both_odd = "send has 3 element(s), expected 2 x 2 neighbours = 4";
    says(ring.neighbor_alltoall(&[1; 3], &mut [0; 3]), both_odd);
    let few = ring.neighbor_alltoallv(&[1; 2], &[1, 2], &mut [0; 2], &[1, 1]);
    says(few, "send has 2 element(s), 3 needed");
    let mut both = [0; 2];
    ring.neighbor_allgather(&[ring.rank()], &mut both).expect("the next operation is in order");
    assert_eq!(both[..], ring.neighbours().sources);
}

fn nonblocking(world: &World) {
    for cart in grids(world) {
        let degree = cart.neighbours().sources.len();
        let counts: Vec<usize> = (0..degree).map(|at| 2 - at % 2).collect();
        let flipped: Vec<usize> = (0..degree).map(|at| 1 + at % 2).collect();
        let send: Vec<i64> = (0..degree).flat_map(|at| block(cart.rank(), at, 2)).collect();
        let ragged: Vec<i64> = (0..degree).flat_map(|at| block(cart.rank(), at, counts[at])).collect();
        let gathered = cart.ineighbor_allgather(send.clone()).expect("ineighbor_allgather");
        let lengths = vec![send.len(); degree];
        let gathered_v = cart.ineighbor_allgatherv(send.clone(), &lengths).expect("ineighbor_allgatherv");
        let exchanged = cart.ineighbor_alltoall(send.clone(), 2).expect("ineighbor_alltoall");
        let exchanged_v = cart.ineighbor_alltoallv(ragged.clone(), &counts, &flipped);
        let exchanged_v = exchanged_v.expect("ineighbor_alltoallv");
        let mut recv = vec![0; send.len() * degree];
        cart.neighbor_allgather(&send, &mut recv).expect("neighbor_allgather");
        assert_eq!(gathered.wait().expect("wait"), recv);
        assert_eq!(gathered_v.wait().expect("wait"), recv);
        recv = vec![0; send.len()];
        cart.neighbor_alltoall(&send, &mut recv).expect("neighbor_alltoall");
        assert_eq!(exchanged.wait().expect("wait"), recv);
        recv = vec![0; flipped.iter().sum()];
        cart.neighbor_alltoallv(&ragged, &counts, &mut recv, &flipped).expect("neighbor_alltoallv");
        assert_eq!(exchanged_v.wait().expect("wait"), recv);
    }
    let (from, to) =
        if world.rank() == 0 { (vec![], (1..world.size()).collect()) } else { (vec![0], vec![]) };
    let star = world.dist_graph_create_adjacent(&from, &to, false).expect("dist_graph_create_adjacent");
    let started = star.ineighbor_alltoallv(vec![7; to.len()], &vec![1; to.len()], &vec![1; from.len()]);
    assert_eq!(started.expect("ineighbor_alltoallv").wait().expect("wait"), vec![7; from.len()]);
}

/// On a copy of the communicator, which has the same neighbours.
fn persistent(world: &World) {
    for cart in grids(world) {
        let copy = cart.dup().expect("dup");
        assert_eq!((copy.neighbours(), copy.grid()), (cart.neighbours(), cart.grid()));
        let degree = copy.neighbours().sources.len();
        let counts: Vec<usize> = (0..degree).map(|at| 2 - at % 2).collect();
        let flipped: Vec<usize> = (0..degree).map(|at| 1 + at % 2).collect();
        let at_turn = |turn: usize, counts: &[usize]| -> Vec<i64> {
            (0..degree).flat_map(|at| block(copy.rank() + 20 * turn, at, counts[at])).collect()
        };
        let (both, sizes) = (vec![2; degree], vec![2 * degree; degree]);
        let (equal, ragged) = (at_turn(0, &both), at_turn(0, &counts));
        let mut operations = [
            copy.neighbor_allgather_init(equal.clone()).expect("neighbor_allgather_init"),
            copy.neighbor_allgatherv_init(equal.clone(), &sizes).expect("neighbor_allgatherv_init"),
            copy.neighbor_alltoall_init(equal, 2).expect("neighbor_alltoall_init"),
            copy.neighbor_alltoallv_init(ragged, &counts, &flipped).expect("neighbor_alltoallv_init"),
        ];
        for turn in 0..3 {
            let (equal, ragged) = (at_turn(turn, &both), at_turn(turn, &counts));
            for (operation, send) in operations.iter_mut().zip([&equal, &equal, &equal, &ragged]) {
                operation.send_mut().expect("inactive").copy_from_slice(send);
                operation.start().expect("start");
            }
            let mut gathered = vec![0; equal.len() * degree];
            cart.neighbor_allgather(&equal, &mut gathered).expect("neighbor_allgather");
            let mut exchanged = vec![0; equal.len()];
            cart.neighbor_alltoall(&equal, &mut exchanged).expect("neighbor_alltoall");
            let mut exchanged_v = vec![0; flipped.iter().sum()];
            cart.neighbor_alltoallv(&ragged, &counts, &mut exchanged_v, &flipped)
                .expect("neighbor_alltoallv");
            let expected = [&gathered, &gathered, &exchanged, &exchanged_v];
            for (operation, expected) in operations.iter_mut().zip(expected) {
                operation.wait().expect("wait");
                assert_eq!(operation.result_mut().expect("inactive"), &expected[..], "turn {turn}");
            }
        }
    }
}

fn several(world: &World) {
    let graph = graph(world);
    let started: Vec<_> = (0..4)
        .map(|number| graph.ineighbor_alltoall(elements(world.rank() + 20 * number, 3), 1).expect("started"))
        .collect();
    for (number, request) in started.into_iter().enumerate().rev() {
        let of = |(source, at): (Rank, usize)| element(source + 20 * number, at);
        let expected: Vec<i64> = edge_numbers(&graph).into_iter().map(of).collect();
        assert_eq!(request.wait().expect("wait"), expected, "operation {number}");
    }
}
