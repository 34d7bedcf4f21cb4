//! Functional tests: on MPI and on threads, every pair of ranks, and the laws of the topology.
//!
//! `cargo test -p example_e_torus`, or `mpirun -n 4 cargo test -p example_e_torus`.
use example_e_torus::{Delivery, Letter, Mpi, Routing, Seq, Torus};
use rstest::rstest;
use workbench::{Communication, Problem, Verdict, functional, noise, threads};

/// A vector of `count` numbers from every rank to every rank.
fn every_pair(count: usize, ranks: usize) -> Vec<Letter> {
    let data: Vec<f64> = noise::reals(5).take(count).collect();
    let pairs = (0..ranks).flat_map(|from| (0..ranks).map(move |to| [from as i32, to as i32]));
    pairs.map(|[from, to]| Letter { data: data.clone(), from, to, ranks }).collect()
}

#[rstest]
#[case::short(3, vec![1, 2, 3, 4, 5, 6])]
#[case::empty(0, vec![1, 2, 4])]
// Too long for the eager protocol: every sender waits for its receiver.
#[case::longer_than_eager(5000, vec![2, 3, 4])]
fn every_rank_reaches_every_rank(#[case] count: usize, #[case] ranks: Vec<usize>) {
    functional(Seq).ranks([1]).check(|_ranks| every_pair(count, 6));
    functional(Mpi)
        .against(Seq)
        .ranks(ranks)
        .messages(|input, ranks| {
            let [from, to] = [input.from, input.to].map(|rank| rank.unsigned_abs() as usize);
            4 * Torus::of(ranks).distance(from, to) as u64
        })
        .check(|ranks| every_pair(count, ranks));
}

#[test]
fn special_numbers_arrive_bit_by_bit() {
    let data = vec![-0.0, f64::MAX, f64::MIN_POSITIVE, 5e-324, f64::INFINITY];
    functional(Mpi).ranks([4]).check(|ranks| vec![Letter { data: data.clone(), from: 0, to: 3, ranks }]);
}

#[rstest]
#[case::negative_sender(|_| -1, |_| 0)]
#[case::negative_receiver(|_| 0, |_| -1)]
#[case::sender_beyond_the_last(|ranks| ranks as i32, |_| 0)]
#[case::receiver_beyond_the_last(|_| 0, |ranks| ranks as i32)]
fn refuses_ranks_that_do_not_exist(#[case] from: fn(usize) -> i32, #[case] to: fn(usize) -> i32) {
    functional(Mpi).ranks([1, 3]).refuses("is not one of the ranks", |ranks| {
        vec![Letter { data: vec![1.0], from: from(ranks), to: to(ranks), ranks }]
    });
}

#[test]
fn refuses_a_torus_of_another_size() {
    functional(Mpi)
        .ranks([1, 3])
        .refuses("a torus of", |ranks| vec![Letter { data: vec![1.0], from: 0, to: 0, ranks: ranks + 1 }]);
}

#[rstest]
#[case(1, 1, 1)]
#[case(2, 1, 2)]
#[case(7, 1, 7)]
#[case(12, 3, 4)]
#[case(16, 4, 4)]
#[case(30, 5, 6)]
fn the_grid_is_nearly_square(#[case] ranks: usize, #[case] rows: usize, #[case] columns: usize) {
    assert_eq!(Torus::of(ranks), Torus { rows, columns });
}

/// A route is as long as the distance and goes from neighbour to neighbour.
#[test]
fn routes_are_shortest_ways_of_neighbours() {
    for ranks in 1..=30 {
        let torus = Torus::of(ranks);
        for (from, to) in (0..ranks).flat_map(|from| (0..ranks).map(move |to| (from, to))) {
            let route = torus.route(from, to);
            assert_eq!((route[0], route[route.len() - 1]), (from, to), "P = {ranks}");
            assert_eq!(route.len(), torus.distance(from, to) + 1, "P = {ranks}: {route:?}");
            assert!(route.windows(2).all(|pair| torus.distance(pair[0], pair[1]) == 1), "{route:?}");
            assert!(torus.distance(from, to) <= torus.distance(from, torus.opposite(from)), "P = {ranks}");
        }
    }
}

/// The picture of the crate's documentation.
#[test]
fn columns_are_rings() {
    assert_eq!(Torus::of(12).route(1, 10), [1, 2, 10]);
    assert_eq!(Torus::of(12).route(0, 7), [0, 3, 7]);
    assert_eq!(Torus::of(16).route(0, 10), [0, 1, 2, 6, 10]);
}

/// The measured verb: its messages and rounds are those of the formula.
#[rstest]
fn counts_follow_the_formula(#[values(1, 2, 3, 4, 6, 9, 12)] size: usize) {
    for root in 0..size {
        let ranks = threads(size, move |world| {
            let mut data = vec![if world.rank() == root { 7.5 } else { 0.0 }; 3];
            Mpi.own(world, &mut data, root).expect("the root exists");
            let is_end = [root, Torus::of(size).opposite(root)].contains(&world.rank());
            assert_eq!(data, vec![if is_end { 7.5 } else { 0.0 }; 3]);
            (world.counts().sends, world.rounds())
        });
        let messages: u64 = ranks.iter().map(|(sends, _)| sends).sum();
        assert_eq!(messages, Mpi.messages(size), "P = {size}, root {root}");
        let rounds = ranks.iter().map(|(_, rounds)| *rounds).max();
        assert_eq!(rounds, Some(Some(Mpi.rounds(size))), "P = {size}, root {root}");
    }
}

#[test]
fn the_oracle_finds_wrong_routes() {
    let input = Letter { data: vec![0.0], from: 1, to: 10, ranks: 12 };
    let check = |data: f64, route: &[i32]| {
        Routing::check(&input, &Delivery { data: vec![data], route: route.to_vec() })
    };
    assert_eq!(check(0.0, &[1, 2, 10]), Verdict::Right);
    assert_eq!(check(0.0, &[1, 9, 10]), Verdict::Right);
    assert_ne!(check(-0.0, &[1, 2, 10]), Verdict::Right);
    for wrong in [&[][..], &[1], &[1, 10], &[1, 2, 6, 10], &[1, 22, 10], &[1, -2, 10], &[2, 10]] {
        assert_ne!(check(0.0, wrong), Verdict::Right, "{wrong:?}");
    }
}
