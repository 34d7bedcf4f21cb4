//! Functional tests: on MPI and on threads, each output goes to the oracle and is compared with the sequential version's; and
//! the laws of the network and of the sort.
//!
//! `cargo test -p example_g_quicksort_batcher`, or `mpirun -n 4 cargo test -p example_g_quicksort_batcher`.
use example_g_quicksort_batcher::{
    Mpi, Seq, Sorting, Unsorted,
    network::{Half, Stage, half},
    quicksort::{heap_sort, quicksort},
};
use rstest::rstest;
use workbench::{Problem, Verdict, functional, noise};

fn random(count: usize, bound: u32) -> Vec<i32> {
    noise::integers(count as u64, bound).take(count).collect()
}

#[rstest]
#[case::nothing(vec![])]
#[case::one_number(vec![7])]
#[case::fewer_numbers_than_ranks(vec![3, -1])]
#[case::as_many_as_ranks(vec![3, -1, 2, 0, 9])]
#[case::no_number_of_ranks_divides_it(random(1009, 1 << 30))]
#[case::sorted((0..100).collect())]
#[case::backwards((0..100).rev().collect())]
#[case::all_equal(vec![5; 100])]
#[case::few_different(random(200, 2))]
#[case::like_the_padding([vec![i32::MAX; 5], vec![i32::MIN; 4]].concat())]
// Blocks that are too long for the eager protocol: every sender waits for its receiver.
#[case::longer_than_eager(random(30_000, 1 << 30))]
fn sorts(#[case] values: Vec<i32>) {
    functional(Seq).ranks([1]).check(|_ranks| vec![Unsorted { values: values.clone() }]);
    functional(Mpi)
        .against(Seq)
        .compare(|got, expected| Verdict::same(got, expected))
        .ranks((1..=6).chain([8]))
        .check(|_ranks| vec![Unsorted { values: values.clone() }]);
}

/// A network sorts every input if it sorts every input of zeros and ones (Knuth, theorem 5.3.4 Z).
#[test]
fn the_network_sorts_every_input() {
    for lines in 1..=12 {
        let stages = Stage::all(lines);
        for bits in 0..1_u32 << lines {
            let mut values: Vec<u32> = (0..lines).map(|line| bits >> line & 1).collect();
            for stage in &stages {
                for line in 0..lines {
                    if let Some((partner, Half::Lower)) = stage.partner(line, lines) {
                        let [a, b] = [values[line], values[partner]];
                        (values[line], values[partner]) = (a.min(b), a.max(b));
                    }
                }
            }
            assert!(values.is_sorted(), "{lines} lines, input {bits:b}");
        }
    }
}

/// Each comparison has two ends, and there are t (t + 1) / 2 stages.
#[test]
fn partners_agree() {
    for lines in 1..=33_usize {
        let stages = Stage::all(lines);
        let t = lines.next_power_of_two().ilog2() as usize;
        assert_eq!(stages.len(), t * (t + 1) / 2, "{lines} lines");
        for (stage, line) in stages.iter().flat_map(|stage| (0..lines).map(move |line| (stage, line))) {
            if let Some((partner, which)) = stage.partner(line, lines) {
                let opposite = if which == Half::Lower { Half::Upper } else { Half::Lower };
                assert_eq!(stage.partner(partner, lines), Some((line, opposite)), "{stage:?}, line {line}");
            }
        }
    }
}

/// Both halves together are the merged blocks.
#[rstest]
#[case(&[], &[])]
#[case(&[1, 3, 5], &[2, 4, 6])]
#[case(&[1, 1, 2], &[1, 1, 1])]
#[case(&[7, 8, 9], &[1, 2, 3])]
fn halves_make_the_whole(#[case] one: &[i32], #[case] other: &[i32]) {
    let mut expected = [one, other].concat();
    expected.sort_unstable();
    for (low, high) in [(one, other), (other, one)] {
        let halves = [half(low, high, Half::Lower), half(high, low, Half::Upper)];
        assert_eq!(halves.concat(), expected);
    }
}

/// The sort of a block, with many lengths and with inputs that quicksort divides badly.
#[test]
fn quicksort_sorts() {
    let pipe = (0..500).chain((0..500).rev()).collect();
    let mut inputs: Vec<Vec<i32>> = (0..200).map(|count| random(count, 50)).collect();
    inputs.extend([
        random(5000, 1 << 30),
        vec![1; 5000],
        (0..5000).collect(),
        (0..5000).rev().collect(),
        pipe,
    ]);
    for input in inputs {
        let mut expected = input.clone();
        expected.sort_unstable();
        for sort in [quicksort, heap_sort] {
            let mut got = input.clone();
            sort(&mut got);
            assert_eq!(got, expected);
        }
    }
}

#[test]
fn the_oracle_finds_wrong_outputs() {
    let input = Unsorted { values: vec![3, 1, 2, 2] };
    assert_eq!(Sorting::check(&input, &vec![1, 2, 2, 3]), Verdict::Right);
    for wrong in [vec![1, 2, 3, 2], vec![1, 2, 3], vec![1, 1, 2, 3], vec![]] {
        assert_ne!(Sorting::check(&input, &wrong), Verdict::Right, "{wrong:?}");
    }
}
