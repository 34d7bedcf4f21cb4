//! Functional tests: the assignment's inputs, on MPI and on threads, and the tree alone: its messages, its rounds, every
//! root, every type, and its errors.
//!
//! `cargo test -p example_d_reduce`, or `mpirun -n 4 cargo test -p example_d_reduce`.
use example_d_reduce::{
    Combine, Element, Mpi, Operands, Seq,
    element::combined,
    reduce::{TAG, reduce},
};
use rstest::rstest;
use workbench::{Communication, Error, TypedVec, World, functional, threads};

/// The sequential version: it needs one rank only.
#[test]
fn seq_answers_the_assignment() {
    functional(Seq).against_reference().ranks([1]).graded();
}

/// The graded inputs of the assignment: with its oracle, its reference and the rules of the course.
#[test]
fn answers_the_assignment() {
    functional(Mpi).against_reference().graded();
}

/// Each operation and type, with fewer and more vectors than ranks, to every root.
#[rstest]
#[case::one_vector(1, 3)]
#[case::more_vectors_than_ranks(7, 2)]
#[case::empty(3, 0)]
fn reduces(#[case] vectors: usize, #[case] count: usize) {
    functional(Mpi)
        .against_reference()
        .ranks(1..=4)
        .point_to_point_only()
        .messages(|input, ranks| {
            let is_empty = input.vectors[0].count() == 0;
            (if is_empty { 2 } else { 3 }) * (ranks as u64 - 1)
        })
        .check(|ranks| {
            let kinds = TypedVec::TYPES.into_iter().zip(Combine::ALL);
            let inputs = kinds.flat_map(move |(name, combine)| {
                let vector = move |i| TypedVec::random(name, count, i as u64).expect("one of the types");
                let vectors: Vec<TypedVec> = (0..vectors).map(vector).collect();
                (0..ranks as i32).map(move |root| Operands { vectors: vectors.clone(), combine, root })
            });
            inputs.collect::<Vec<_>>()
        });
}

#[rstest]
#[case::negative(|_| -1)]
#[case::one_too_many(|ranks| ranks as i32)]
fn refuses_a_root_that_does_not_exist(#[case] root: fn(usize) -> i32) {
    functional(Mpi).ranks([1, 3]).refuses("is not one of the ranks", |ranks| {
        vec![Operands { vectors: vec![TypedVec::Int(vec![1])], combine: Combine::Sum, root: root(ranks) }]
    });
}

#[rstest]
#[case::none(vec![], "no vector")]
#[case::lengths(vec![TypedVec::Int(vec![1]), TypedVec::Int(vec![])], "different")]
#[case::types(vec![TypedVec::Int(vec![1]), TypedVec::Float(vec![1.0])], "different")]
fn refuses_vectors_that_do_not_fit(#[case] vectors: Vec<TypedVec>, #[case] reason: &str) {
    let input = Operands { vectors, combine: Combine::Sum, root: 0 };
    functional(Mpi).ranks([1, 3]).refuses(reason, |_ranks| vec![input.clone()]);
}

/// Tests the function alone, to every root: the numbers of messages and rounds are those of the tree. Each root has its
/// own world, because rounds are counted from the world's creation.
#[rstest]
fn the_tree_is_binomial(#[values(1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 17)] size: usize) {
    for root in 0..size {
        let ranks = threads(size, move |world| {
            sums(world, root, 3, |i| i as i32 - 4);
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
                sums(world, root, count, |i| i as i32 - 3);
                // Numbers with few bits, whose sum is exact in any order.
                sums(world, root, count, |i| i as f32 / 4.0);
                sums(world, root, count, |i| i as f64 / 8.0);
            }
        }
    });
}

/// Rank r has the elements r, r + 1, ...; after the reduction the root has their sums.
fn sums<T: Element>(world: &World, root: usize, count: usize, element: impl Fn(usize) -> T) {
    let (size, rank) = (world.size(), world.rank());
    let of = |rank: usize| (rank..rank + count).map(&element).collect::<Vec<T>>();
    let mut got = (rank == root).then(|| vec![T::default(); count]);
    reduce(&of(rank), got.as_deref_mut(), Combine::Sum, root as i32, world).expect("the ranks agree");
    if let Some(got) = got {
        let all: Vec<T> = (0..size).flat_map(of).collect();
        assert_eq!(got, combined(&all, count, Combine::Sum), "P = {size}, root {root}");
    }
}

/// The neutral elements change no result.
#[test]
fn no_vector_combines_to_the_neutral_element() {
    for (combine, expected) in
        Combine::ALL.into_iter().zip([[0.0; 2], [f64::INFINITY; 2], [f64::NEG_INFINITY; 2]])
    {
        assert_eq!(combined::<f64>(&[], 2, combine), expected);
        assert_eq!(combined(&[-3.5, 2.0], 2, combine), [-3.5, 2.0]);
        assert_eq!(combined(&[-3, 2], 2, combine), [-3, 2]);
        assert_eq!(combined(&[-3.5f32, 2.0], 2, combine), [-3.5, 2.0]);
    }
}

/// A message that the caller sends to the same ranks earlier with its own tag remains for the caller.
#[test]
fn messages_of_the_caller_are_not_taken() {
    const OTHER: i32 = TAG + 7;
    threads(4, |world| {
        let (rank, size) = (world.rank(), world.size());
        world.send(&[-1], (rank + 1) % size, OTHER).expect("sent");
        sums(world, 2, 3, |i| i as i32);
        let mut left = [0];
        world.recv(&mut left, (rank + size - 1) % size, OTHER).expect("it is still there");
        assert_eq!(left, [-1]);
    });
}

/// As `MPI_ERR_ROOT`: the error is on every rank, and no rank sends or waits.
#[rstest]
fn a_bad_root_is_an_error_everywhere(#[values(-1, 3, i32::MAX)] root: i32) {
    let ranks = threads(3, move |world| (reduce(&[1, 2], None, Combine::Sum, root, world), world.counts()));
    for (result, counts) in ranks {
        assert_eq!(result, Err(Error::Rank { role: "root", rank: root.into(), size: 3 }));
        assert!(counts.is_silent());
    }
}

/// As `MPI_ERR_COUNT`: a root without room, and ranks that disagree on the count, get an error.
#[test]
fn a_wrong_count_is_an_error() {
    let results = threads(1, |world| reduce(&[1, 2], None, Combine::Sum, 0, world));
    assert!(matches!(results[0], Err(Error::Count { got: 0, expected: 2, .. })), "{results:?}");
    let results = threads(2, |world| {
        let is_root = world.rank() == 0;
        let mut room = [0; 3];
        let send = if is_root { &[1, 2, 3][..] } else { &[1, 2] };
        reduce(send, is_root.then_some(&mut room), Combine::Sum, 0, world)
    });
    assert!(matches!(results[0], Err(Error::Count { got: 2, expected: 3, .. })), "{results:?}");
}
