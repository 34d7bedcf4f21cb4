//! The problem: the same numbers in ascending order.
//!
//! The oracle does not sort. The output must be in order, and have the same count and the same fingerprint as the input: the sum
//! of a mixed form of each number, which does not depend on their order. Different numbers have the same sum with a
//! probability of about 2^-64.
use workbench::{Problem, Verdict, Workload, noise};

/// The input.
#[derive(Clone, Debug, PartialEq)]
pub struct Unsorted {
    /// The numbers, in any order; equal ones are allowed.
    pub values: Vec<i32>,
}

/// The problem.
pub struct Sorting;

impl Problem for Sorting {
    type Input = Unsorted;
    type Output = Vec<i32>;

    /// `"random"`: `size` numbers.
    fn workload(request: &Workload) -> Option<Unsorted> {
        let values = noise::integers(request.seed, i32::MAX.unsigned_abs()).take(request.size).collect();
        (request.name == "random").then_some(Unsorted { values })
    }

    fn check(input: &Unsorted, output: &Vec<i32>) -> Verdict {
        if let Some(at) = output.windows(2).position(|pair| pair[0] > pair[1]) {
            let (here, next) = (output[at], output[at + 1]);
            return Verdict::Wrong(format!(
                "elements {at} and {} are {here} and {next}: out of order",
                at + 1
            ));
        }
        if output.len() != input.values.len() {
            return Verdict::Wrong(format!("{} numbers, expected {}", output.len(), input.values.len()));
        }
        Verdict::of(fingerprint(output) == fingerprint(&input.values), || {
            "in order, but not the numbers that were given".into()
        })
    }
}

/// A sum that is the same for the same numbers in any order.
fn fingerprint(values: &[i32]) -> u64 {
    let seed = noise::mix(noise::oracle_seed());
    let mixed = |value: &i32| noise::mix(u64::from(value.cast_unsigned()) ^ seed);
    values.iter().map(mixed).fold(0, u64::wrapping_add)
}
