//! The sum of the squares of a range of numbers: work with a closed formula.
use std::hint::black_box;

use workbench::{Problem, Verdict, Workload};

/// The sum of the squares of `count` numbers from `from` on modulo 2 to the power of 64. The oracle knows it in closed form.
pub(crate) struct SquaresOfRange;

pub(crate) fn closed_form([from, count]: [u64; 2]) -> u64 {
    let below = |n: u64| (u128::from(n) - 1) * u128::from(n) * (2 * u128::from(n) - 1) / 6;
    (below(from + count) - below(from)) as u64
}

pub(crate) fn summed([from, count]: [u64; 2]) -> u64 {
    (from..from + count).fold(0, |sum, i| sum.wrapping_add(black_box(i).wrapping_mul(black_box(i))))
}

impl Problem for SquaresOfRange {
    type Input = [u64; 2];
    type Output = u64;

    fn workload(request: &Workload) -> Option<[u64; 2]> {
        Some([1 + request.seed % 1000, request.size as u64])
    }

    fn check(input: &[u64; 2], output: &u64) -> Verdict {
        let expected = closed_form(*input);
        Verdict::of(*output == expected, || format!("the sum is {output}, expected {expected}"))
    }
}
