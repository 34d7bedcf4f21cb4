//! Functional tests: on MPI and on threads, every rank's output is compared with the input and with the reference's
//! output, and the rules of the assignment are checked against the messages that were sent.
//!
//! `cargo test -p nalitov_d_broadcast`, or `mpirun -n 4 cargo test -p nalitov_d_broadcast`.
use approx::abs_diff_eq;
use nalitov_d_broadcast::{
    Data, Input, Mpi, Seq,
    broadcast::{TAG, broadcast},
};
use rstest::rstest;
use workbench::{Communication, Error, Rooted, Task, Verdict, Wire, World, functional, threads};

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

/// The scenarios, each with every root of every number of ranks.
#[rstest]
#[case::int_positive(Data::Int(vec![1, 2, 3, i32::MAX]))]
#[case::int_negative(Data::Int(vec![-1, -2, -3, i32::MIN]))]
#[case::int_mixed(Data::Int(vec![-7, 0, 7, -1, 1]))]
#[case::int_empty(Data::Int(vec![]))]
#[case::int_one(Data::Int(vec![42]))]
#[case::int_thousand(Data::Int((-500..500).collect()))]
#[case::float_positive(Data::Float(vec![0.5, 1.25, 3e8, f32::MAX]))]
#[case::float_negative(Data::Float(vec![-0.5, -1.25, -3e8, f32::MIN]))]
#[case::float_mixed(Data::Float(vec![-1.5, 0.0, -0.0, 1.5, f32::MIN_POSITIVE]))]
#[case::float_empty(Data::Float(vec![]))]
#[case::float_one(Data::Float(vec![2.75]))]
#[case::float_thousand(Data::Float((-500_i16..500).map(|i| f32::from(i) / 8.0).collect()))]
#[case::double_positive(Data::Double(vec![0.1, 1.25, 3e80, f64::MAX]))]
#[case::double_negative(Data::Double(vec![-0.1, -1.25, -3e80, f64::MIN]))]
#[case::double_mixed(Data::Double(vec![-1.5, 0.0, -0.0, 1.5, f64::MIN_POSITIVE]))]
#[case::double_empty(Data::Double(vec![]))]
#[case::double_one(Data::Double(vec![2.75]))]
#[case::double_thousand(Data::Double((-500..500).map(|i| f64::from(i) / 7.0).collect()))]
// Too long for the eager protocol: every sender waits for its receiver.
#[case::double_longer_than_eager(Data::Double((0..5000).map(f64::from).collect()))]
fn reaches_everybody(#[case] data: Data) {
    reaches_every_thread(&data);
    functional(Seq).ranks([1]).check(|ranks| from_every_root(&data, ranks));
    functional(Mpi)
        .against_reference()
        .compare(alike)
        .ranks(1..=8)
        .point_to_point_only()
        .messages(messages)
        .check(|ranks| from_every_root(&data, ranks));
}

/// Tests the function alone on five threads, from every root. This takes milliseconds, so a wrong tree is found before
/// jobs are started, each of which would have to be terminated.
fn reaches_every_thread(data: &Data) {
    let data = data.clone();
    threads(5, move |world| {
        for root in 0..world.size() {
            match &data {
                Data::Int(numbers) => arrives(world, root, numbers.len(), |i| numbers[i]),
                Data::Float(numbers) => arrives(world, root, numbers.len(), |i| numbers[i]),
                Data::Double(numbers) => arrives(world, root, numbers.len(), |i| numbers[i]),
            }
        }
    });
}

fn from_every_root(data: &Data, ranks: usize) -> Vec<Input> {
    (0..ranks as i32).map(|root| Input { data: data.clone(), root }).collect()
}

/// Element by element, without a tolerance for floating-point numbers, because nothing is computed.
fn alike(got: &Data, expected: &Data) -> Verdict {
    match (got, expected) {
        (Data::Int(got), Data::Int(expected)) => Verdict::same(got, expected),
        (Data::Float(got), Data::Float(expected)) => {
            Verdict::each(got, expected, |g, e| abs_diff_eq!(g, e, epsilon = 0.0))
        }
        (Data::Double(got), Data::Double(expected)) => {
            Verdict::each(got, expected, |g, e| abs_diff_eq!(g, e, epsilon = 0.0))
        }
        _ => Verdict::Wrong("the types differ".into()),
    }
}

/// The number of messages of a run: the root's rank, the header, the data if there are any, each to every other rank;
/// and one from a root that is not rank 0.
fn messages(input: &Input, ranks: usize) -> u64 {
    let broadcasts = if input.data.count() == 0 { 2 } else { 3 };
    broadcasts * Mpi.messages(ranks) + u64::from(input.root != 0)
}

#[rstest]
#[case::negative(|_| -1)]
#[case::smallest(|_| i32::MIN)]
#[case::one_too_many(|ranks| ranks as i32)]
#[case::far_too_many(|ranks| ranks as i32 + 100)]
fn refuses_a_root_that_does_not_exist(#[case] root: fn(usize) -> i32) {
    functional(Seq).ranks([1]).refuses("is not one of the ranks", |ranks| {
        vec![Input { data: Data::Int(vec![1]), root: root(ranks) }]
    });
    functional(Mpi).ranks([1, 2, 4]).refuses("is not one of the ranks", |ranks| {
        vec![Input { data: Data::Int(vec![1]), root: root(ranks) }]
    });
}

/// Tests the function alone, from every root: the numbers of messages and rounds are those of the tree. Each root has
/// its own world, because rounds are counted from the world's creation.
#[rstest]
fn the_tree_is_binomial(#[values(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17)] size: usize) {
    for root in 0..size {
        let ranks = threads(size, move |world| {
            let mut buffer = [if world.rank() == root { 7 } else { 0 }];
            broadcast(&mut buffer, root as i32, world).expect("the root exists and the counts agree");
            assert_eq!(buffer, [7], "P = {size}, root {root}, rank {}", world.rank());
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
            for count in [0, 1, size - 1, size, size + 1, 1000] {
                arrives(world, root, count, |i| i as i32 - 3);
                arrives(world, root, count, |i| i as f32 / 4.0);
                arrives(world, root, count, |i| 1.0 / (i as f64 + 1.0));
            }
        }
    });
}

/// Only the root has the elements, every other rank has zeros; after the broadcast all ranks have the elements.
fn arrives<T: Wire>(world: &World, root: usize, count: usize, element: impl Fn(usize) -> T) {
    let expected: Vec<T> = (0..count).map(element).collect();
    let mut buffer = if world.rank() == root { expected.clone() } else { vec![T::default(); count] };
    broadcast(&mut buffer, root as i32, world).expect("the root exists and the counts agree");
    assert_eq!(buffer, expected, "P = {}, root {root}, rank {}", world.size(), world.rank());
}

/// A message that the caller sends to the same ranks earlier with its own tag remains for the caller.
#[rstest]
fn messages_of_the_caller_are_not_taken(#[values(2, 3, 5, 8)] size: usize) {
    const OTHER: i32 = TAG + 7;
    threads(size, move |world| {
        let rank = world.rank();
        let others = || (0..size).filter(|other| *other != rank);
        for root in 0..size {
            others().try_for_each(|to| world.send(&[-1], to, OTHER)).expect("sent");
            let mut buffer = [if rank == root { 7 } else { 0 }];
            broadcast(&mut buffer, root as i32, world).expect("the root exists and the counts agree");
            assert_eq!(buffer, [7], "P = {size}, root {root}, rank {rank}");
            for from in others() {
                let mut left = [0];
                world.recv(&mut left, from, OTHER).expect("it is still there");
                assert_eq!(left, [-1], "P = {size}, root {root}, from {from} to {rank}");
            }
        }
    });
}

/// The same for the agreement on the root, in which rank 0 receives from a rank that it does not know.
#[test]
fn a_message_that_is_not_the_root_s_does_not_say_who_the_root_is() {
    const OTHER: i32 = TAG + 7;
    threads(3, |world| {
        if world.rank() == 1 {
            world.send(&[1], 0, OTHER).expect("sent");
        }
        // Rank 1's message arrives before rank 2, the root, sends its own.
        world.barrier().expect("everybody comes");
        let input = Input { data: Data::Int(vec![5, 6]), root: 2 };
        let input = Rooted::on(world.rank() == 2, || input);
        let ready = Mpi.preprocessing(world, input).expect("the root is agreed");
        assert_eq!(Mpi.run(world, &ready), Ok(Data::Int(vec![5, 6])));
        if world.rank() == 0 {
            let mut left = [0];
            world.recv(&mut left, 1, OTHER).expect("it is still there");
            assert_eq!(left, [1]);
        }
    });
}

#[rstest]
#[case(1, 0)]
#[case(2, 1)]
#[case(3, 2)]
#[case(4, 2)]
#[case(5, 3)]
#[case(8, 3)]
#[case(9, 4)]
#[case(17, 5)]
fn rounds_are_the_logarithm_rounded_up(#[case] ranks: usize, #[case] rounds: u64) {
    assert_eq!(Mpi.rounds(ranks), rounds);
}

/// As `MPI_ERR_ROOT`: the error is on every rank, and no rank sends or waits, even with an empty buffer.
#[rstest]
fn a_bad_root_is_an_error_everywhere(#[values(-1, 3, i32::MAX)] root: i32, #[values(0, 5)] count: usize) {
    let ranks = threads(3, move |world| (broadcast(&mut vec![0; count], root, world), world.counts()));
    for (result, counts) in ranks {
        assert_eq!(result, Err(Error::Rank { role: "root", rank: root.into(), size: 3 }));
        assert!(counts.is_silent());
    }
}

/// As `MPI_ERR_TRUNCATE` and `MPI_ERR_COUNT`: ranks that disagree on the count get an error.
#[rstest]
#[case::shorter(2)]
#[case::longer(5)]
fn a_wrong_count_is_an_error(#[case] count: usize) {
    let results = threads(2, move |world| {
        let mut buffer = vec![1.5; if world.rank() == 0 { 3 } else { count }];
        broadcast(&mut buffer, 0, world)
    });
    let told = matches!(results[1], Err(Error::Truncated { .. } | Error::Count { got: 3, expected: 5, .. }));
    assert!(told, "{:?}", results[1]);
}
