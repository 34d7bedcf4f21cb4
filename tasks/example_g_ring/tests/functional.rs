//! Functional tests: the assignment's inputs, on MPI and on threads, and the messages of a circle.
//!
//! `cargo test -p example_g_ring`, or `mpirun -n 4 cargo test -p example_g_ring`.
use example_g_ring::{Letter, Mpi, Seq};
use rstest::rstest;
use workbench::{Communication, functional, threads};

/// The sequential version: it needs one rank only.
#[test]
fn seq_answers_the_assignment() {
    functional(Seq).against_reference().ranks([1]).graded();
}

/// The graded inputs of the assignment, with every pair of ranks: with its oracle, its reference and the rules of the course.
#[test]
fn answers_the_assignment() {
    functional(Mpi).against_reference().graded();
}

/// A vector makes one circle, wherever it goes: twice P messages.
#[rstest]
#[case::empty(0)]
#[case::short(5)]
// Too long for the eager protocol: every sender waits for its receiver.
#[case::longer_than_eager(5000)]
fn makes_one_circle(#[case] count: usize) {
    functional(Mpi)
        .against_reference()
        .ranks([1, 2, 4, 7])
        .messages(|_input, ranks| if ranks == 1 { 0 } else { 2 * ranks as u64 })
        .check(|ranks| {
            let data: Vec<f64> = (0..count).map(|i| i as f64 / 3.0).collect();
            let last = ranks as i32 - 1;
            [[0, 0], [0, last], [last, 0], [last, last]].map(|[from, to]| Letter {
                data: data.clone(),
                from,
                to,
                ranks,
            })
        });
}

#[rstest]
#[case::negative_sender(|_| -1, |_| 0)]
#[case::receiver_beyond_the_last(|_| 0, |ranks| ranks as i32)]
fn refuses_ranks_that_do_not_exist(#[case] from: fn(usize) -> i32, #[case] to: fn(usize) -> i32) {
    functional(Mpi).ranks([1, 3]).refuses("is not one of the ranks", |ranks| {
        vec![Letter { data: vec![1.0], from: from(ranks), to: to(ranks), ranks }]
    });
}

#[test]
fn refuses_a_ring_of_another_size() {
    functional(Mpi)
        .ranks([1, 3])
        .refuses("a ring of", |ranks| vec![Letter { data: vec![1.0], from: 0, to: 0, ranks: ranks + 1 }]);
}

/// The measured verb: every rank has the root's data afterwards, after as many messages and rounds as in the formula.
#[rstest]
fn a_circle_reaches_every_rank(#[values(1, 2, 3, 5, 8)] size: usize, #[values(1, 3000)] count: usize) {
    for root in 0..size {
        let ranks = threads(size, move |world| {
            let mut data = vec![if world.rank() == root { 7.5 } else { 0.0 }; count];
            Mpi.own(world, &mut data, root).expect("the root exists");
            assert_eq!(data, vec![7.5; count], "P = {size}, root {root}, rank {}", world.rank());
            (world.counts().sends, world.rounds())
        });
        let messages: u64 = ranks.iter().map(|(sends, _)| sends).sum();
        assert_eq!(messages, Mpi.messages(size), "P = {size}, root {root}");
        let rounds = ranks.iter().map(|(_, rounds)| *rounds).max();
        assert_eq!(rounds, Some(Some(Mpi.rounds(size))), "P = {size}, root {root}");
    }
}
