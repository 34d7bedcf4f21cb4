//! The graded inputs: lengths around the number of ranks, and orders that a quicksort finds difficult.
use workbench::{Assignment, AssignmentId, GradedInput, Verdict, noise};

use crate::{
    problem::{Sort, Unsorted},
    reference::Reference,
};

impl Assignment for Sort {
    const ID: AssignmentId = workbench::assignment_id!();

    type Reference = Reference;

    fn graded_inputs(ranks: usize, seed: u64) -> Vec<GradedInput<Unsorted>> {
        let case = |name: &str, values: Vec<i32>| GradedInput::new(name, Unsorted { values });
        let random = |count, bound| noise::integers(seed, bound).take(count).collect::<Vec<i32>>();
        let pipe = (0..100).chain((0..100).rev()).collect();
        vec![
            case("no numbers", vec![]),
            case("one number", vec![-7]),
            case("fewer numbers than ranks", random(ranks.max(2) - 1, 9)),
            case("as many numbers as ranks", random(ranks, 9)),
            case("one number more than ranks", random(ranks + 1, 9)),
            case("no number of ranks divides the count", random(1009, i32::MAX.unsigned_abs())),
            case("in order", (0..500).collect()),
            case("in descending order", (0..500).rev().collect()),
            case("ascending, then descending", pipe),
            case("all equal", vec![3; 300]),
            case("few different numbers", random(700, 2)),
            case("extreme numbers", vec![i32::MAX, i32::MIN, 0, i32::MAX, -1, i32::MIN, 1]),
            case("many numbers", random(10_000, i32::MAX.unsigned_abs())),
        ]
    }

    /// Every list can be sorted, so there is nothing to refuse.
    fn refused_inputs(_ranks: usize) -> Vec<GradedInput<Unsorted>> {
        vec![]
    }

    fn compare(output: &Vec<i32>, expected: &Vec<i32>) -> Verdict {
        Verdict::same(output, expected)
    }
}
