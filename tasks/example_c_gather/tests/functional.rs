//! Functional tests: on MPI and on threads, the root's output is compared with the input and with the sequential
//! version's output, and the rules of the assignment are checked against the messages that were sent.
//!
//! `cargo test -p example_c_gather`, or `mpirun -n 4 cargo test -p example_c_gather`.
use example_c_gather::{
    Gathering, Mpi, Parts, Seq,
    gather::{TAG, gather},
};
use rstest::rstest;
use workbench::{Communication, Error, Problem, TypedVec, Verdict, Wire, World, functional, threads};

/// Parts of `count` elements of this type, one for each rank, with each rank as the root.
fn to_every_root(name: &str, count: usize, ranks: usize) -> Vec<Parts> {
    let part = |rank| TypedVec::random(name, count, rank as u64).expect("one of the three types");
    let parts: Vec<TypedVec> = (0..ranks).map(part).collect();
    (0..ranks as i32).map(|root| Parts { parts: parts.clone(), root }).collect()
}

/// Each type with each root of each number of ranks.
#[rstest]
#[case::int("int", 7)]
#[case::float("float", 5)]
#[case::double("double", 3)]
#[case::one_element("int", 1)]
#[case::empty_int("int", 0)]
#[case::empty_float("float", 0)]
#[case::empty_double("double", 0)]
// Too long for the eager protocol: every sender waits for its receiver.
#[case::longer_than_eager("double", 1000)]
fn gathers(#[case] name: &'static str, #[case] count: usize) {
    functional(Seq).ranks([1]).check(|_ranks| to_every_root(name, count, 3));
    functional(Mpi)
        .against(Seq)
        .compare(TypedVec::same_bits)
        .ranks((1..=5).chain([8]))
        .point_to_point_only()
        .messages(|input, ranks| {
            let is_empty = input.parts[0].count() == 0;
            (if is_empty { 2 } else { 3 }) * (ranks as u64 - 1)
        })
        .check(|ranks| to_every_root(name, count, ranks));
}

/// Numbers whose bits could change on the way: extremes, negative zero, subnormal numbers.
#[test]
fn special_numbers_arrive_bit_by_bit() {
    let doubles = [-0.0, f64::MAX, f64::MIN_POSITIVE, 5e-324, f64::NEG_INFINITY];
    let ints = [i32::MIN, i32::MAX, 0, -1, 1];
    functional(Mpi).against(Seq).compare(TypedVec::same_bits).ranks([2, 3]).check(|ranks| {
        let part = |kind: usize| match kind {
            0 => TypedVec::Double(doubles.to_vec()),
            1 => TypedVec::Float(doubles.map(|number| number as f32).to_vec()),
            _ => TypedVec::Int(ints.to_vec()),
        };
        (0..3).map(move |kind| Parts { parts: vec![part(kind); ranks], root: ranks as i32 - 1 })
    });
}

#[rstest]
#[case::negative(|_| -1)]
#[case::smallest(|_| i32::MIN)]
#[case::one_too_many(|ranks| ranks as i32)]
fn refuses_a_root_that_does_not_exist(#[case] root: fn(usize) -> i32) {
    functional(Mpi).ranks([1, 3]).refuses("is not one of the ranks", |ranks| {
        vec![Parts { parts: vec![TypedVec::Int(vec![1]); ranks], root: root(ranks) }]
    });
}

#[test]
fn refuses_parts_that_do_not_fit() {
    let one = TypedVec::Int(vec![1]);
    let parts = |ranks: usize, last: TypedVec| {
        let mut parts = vec![one.clone(); ranks - 1];
        parts.push(last);
        vec![Parts { parts, root: 0 }]
    };
    functional(Mpi).ranks([1, 3]).refuses("parts for", |_ranks| vec![Parts { parts: vec![], root: 0 }]);
    functional(Mpi).ranks([1, 3]).refuses("parts for", |ranks| parts(ranks + 1, one.clone()));
    functional(Mpi).ranks([2, 3]).refuses("different", |ranks| parts(ranks, TypedVec::Int(vec![1, 2])));
    functional(Mpi).ranks([2, 3]).refuses("different", |ranks| parts(ranks, TypedVec::Float(vec![1.0])));
    functional(Seq).ranks([1]).refuses("no part", |_ranks| vec![Parts { parts: vec![], root: 0 }]);
}

/// Tests the function alone, to every root: the numbers of messages and rounds are those of the tree. Each root has its
/// own world, because rounds are counted from the world's creation.
#[rstest]
fn the_tree_is_binomial(#[values(1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 17)] size: usize) {
    for root in 0..size {
        let ranks = threads(size, move |world| {
            arrives(world, root, 3, |i| i as i32 - 4);
            (world.counts().sends, world.rounds())
        });
        let messages: u64 = ranks.iter().map(|(sends, _)| sends).sum();
        assert_eq!(messages, Mpi.messages(size), "P = {size}, root {root}");
        let rounds = ranks.iter().map(|(_, rounds)| *rounds).max();
        assert_eq!(rounds, Some(Some(Mpi.rounds(size))), "P = {size}, root {root}");
    }
}

/// Tests the function alone, with several calls in one world: every root, every type, counts around P.
#[rstest]
fn any_root_type_and_count(#[values(1, 2, 3, 5, 8, 13)] size: usize) {
    threads(size, move |world| {
        for root in 0..size {
            for count in [0, 1, size, 1000] {
                arrives(world, root, count, |i| i as i32 - 3);
                arrives(world, root, count, |i| i as f32 / 4.0);
                arrives(world, root, count, |i| 1.0 / (i as f64 + 1.0));
            }
        }
    });
}

/// Each rank has `count` consecutive elements; after the gather the root has all of them.
fn arrives<T: Wire>(world: &World, root: usize, count: usize, element: impl Fn(usize) -> T) {
    let (size, rank) = (world.size(), world.rank());
    let mine: Vec<T> = (rank * count..(rank + 1) * count).map(&element).collect();
    let mut all = (rank == root).then(|| vec![T::default(); size * count]);
    gather(&mine, all.as_deref_mut(), root as i32, world).expect("the root exists and the counts agree");
    if let Some(all) = all {
        let expected: Vec<T> = (0..size * count).map(element).collect();
        assert_eq!(all, expected, "P = {size}, root {root}");
    }
}

/// A message that the caller sends to the same ranks earlier with its own tag remains for the caller.
#[test]
fn messages_of_the_caller_are_not_taken() {
    const OTHER: i32 = TAG + 7;
    threads(4, |world| {
        let (rank, size) = (world.rank(), world.size());
        world.send(&[-1], (rank + 1) % size, OTHER).expect("sent");
        arrives(world, 2, 3, |i| i as i32);
        let mut left = [0];
        world.recv(&mut left, (rank + size - 1) % size, OTHER).expect("it is still there");
        assert_eq!(left, [-1]);
    });
}

/// As `MPI_ERR_ROOT`: the error is on every rank, and no rank sends or waits.
#[rstest]
fn a_bad_root_is_an_error_everywhere(#[values(-1, 3, i32::MAX)] root: i32) {
    let ranks = threads(3, move |world| (gather(&[1, 2], None, root, world), world.counts()));
    for (result, counts) in ranks {
        assert_eq!(result, Err(Error::Rank { role: "root", rank: root.into(), size: 3 }));
        assert!(counts.is_silent());
    }
}

/// As `MPI_ERR_COUNT`: a root without room, and ranks that disagree on the count, get an error.
#[test]
fn a_wrong_count_is_an_error() {
    let results = threads(1, |world| gather(&[1, 2], Some(&mut [0; 3]), 0, world));
    assert!(matches!(results[0], Err(Error::Blocks { got: 3, each: 2, ranks: 1, .. })), "{results:?}");
    let results = threads(2, |world| {
        let is_root = world.rank() == 0;
        let mut room = [0; 6];
        let send = if is_root { &[1, 2, 3][..] } else { &[1, 2] };
        gather(send, is_root.then_some(&mut room), 0, world)
    });
    assert!(matches!(results[0], Err(Error::Count { got: 2, expected: 3, .. })), "{results:?}");
}

#[test]
fn the_oracle_finds_wrong_parts() {
    let input = Parts { parts: vec![TypedVec::Int(vec![1, 2]), TypedVec::Int(vec![3, 4])], root: 0 };
    assert_eq!(Gathering::check(&input, &TypedVec::Int(vec![1, 2, 3, 4])), Verdict::Right);
    for wrong in [vec![3, 4, 1, 2], vec![1, 2, 3], vec![1, 2, 3, 5], vec![]] {
        assert_ne!(Gathering::check(&input, &TypedVec::Int(wrong.clone())), Verdict::Right, "{wrong:?}");
    }
    let floats = TypedVec::Float(vec![1.0, 2.0, 3.0, 4.0]);
    assert_ne!(Gathering::check(&input, &floats), Verdict::Right);
}
