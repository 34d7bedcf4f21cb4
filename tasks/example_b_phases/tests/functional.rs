//! Functional tests: with every barrier of the catalogue, on MPI and on threads, the output is sorted and equal to the
//! output of the sequential version; without a barrier it is wrong.
//!
//! `cargo test -p example_b_phases`, or `mpirun -n 4 cargo test -p example_b_phases`.
use example_b_phases::{Mpi, Numbers, Seq, Sorting, phases, problem::noise};
use rstest::rstest;
use workbench::{Problem, Verdict, World, functional, threads};

fn numbers(values: Vec<i64>, barrier: &str) -> Numbers {
    Numbers { values, barrier: barrier.into() }
}

#[test]
fn sorts_with_every_barrier() {
    let inputs = |ranks| {
        let barriers = World::barriers(ranks);
        assert!(barriers.len() > 20, "only {} barriers for {ranks} ranks", barriers.len());
        barriers.into_iter().map(|barrier| numbers((0..23).rev().collect(), barrier))
    };
    functional(Mpi).against(Seq).ranks(1..=5).check(inputs);
}

#[rstest]
#[case::random(noise(101, 7))]
#[case::sorted((0..40).collect())]
#[case::equal(vec![3; 17])]
#[case::extremes(vec![i64::MAX, i64::MIN, 0, i64::MAX, -1])]
#[case::fewer_than_ranks(vec![2, 1])]
#[case::one(vec![5])]
#[case::none(vec![])]
fn sorts(#[case] values: Vec<i64>) {
    functional(Seq).ranks([1]).check(|_| vec![numbers(values.clone(), "dissemination")]);
    functional(Mpi).against(Seq).ranks(1..=5).check(|_| vec![numbers(values.clone(), "dissemination")]);
}

#[test]
fn refuses_a_barrier_that_does_not_exist_or_is_not_for_so_many() {
    let unknown = |_| vec![numbers(vec![2, 1], "turnstile")];
    functional(Mpi).ranks([1, 3]).refuses("there is no barrier \"turnstile\" for", unknown);
    let two_only = |_| vec![numbers(vec![2, 1], "two_process")];
    functional(Mpi).ranks([3]).refuses("there is no barrier \"two_process\" for 3 ranks", two_only);
}

/// Three ranks and numbers in descending order. Rank 0 is late: it starts after rank 1 has finished, which waits for no
/// rank. So in phase 2 rank 1 reads rank 0's initial block, on every machine.
#[test]
fn canary_without_a_barrier_the_answer_is_wrong() {
    let sorted = |with_barrier: bool| {
        let blocks = threads(3, move |world| {
            let mine = [5 - 2 * world.rank() as i64 - 1, 5 - 2 * world.rank() as i64];
            let window = phases::open(world, &mine).expect("a window");
            let late = !with_barrier && world.rank() == 0;
            if late {
                world.recv(&mut [0u8], 1, 0).expect("rank 1 has finished");
            }
            let separate = || if with_barrier { world.barrier() } else { Ok(()) };
            let block = phases::sort(world, &window, separate).expect("the window is right");
            if !with_barrier && world.rank() == 1 {
                world.send(&[0u8], 0, 0).expect("rank 0 waits for it");
            }
            window.free().expect("together");
            block
        });
        blocks.concat()
    };
    let input = numbers((0..6).collect(), "dissemination");
    assert_eq!(Sorting::check(&input, &sorted(true)), Verdict::Right);
    assert_ne!(Sorting::check(&input, &sorted(false)), Verdict::Right);
}
