//! The problem: sort numbers.
use workbench::{Problem, Verdict, Workload};

/// The input.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    /// In any order; equal ones are allowed.
    pub values: Vec<i64>,
    /// The barrier that separates the phases, by its name in the catalogue.
    pub barrier: String,
}

/// The problem.
pub struct Sorting;

impl Problem for Sorting {
    type Input = Numbers;
    type Output = Vec<i64>;

    /// `"random"`: `size` numbers, the phases separated by dissemination.
    fn workload(request: &Workload) -> Option<Numbers> {
        let barrier = "dissemination".to_owned();
        (request.name == "random").then(|| Numbers { values: noise(request.size, request.seed), barrier })
    }

    /// The right output is the same numbers in ascending order. The oracle sorts the input and compares.
    fn check(input: &Numbers, output: &Vec<i64>) -> Verdict {
        if let Some(at) = output.windows(2).position(|pair| pair[0] > pair[1]) {
            return Verdict::Wrong(format!("elements {at} and {} are out of order", at + 1));
        }
        let mut expected = input.values.clone();
        expected.sort_unstable();
        match expected == *output {
            true => Verdict::Right,
            false => Verdict::Wrong("in order, but not the numbers that were given".into()),
        }
    }
}

/// `count` pseudo-random numbers (Steele, Lea and Flood's SplitMix64, 2014).
pub fn noise(count: usize, seed: u64) -> Vec<i64> {
    let number = |state: u64| {
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)).cast_signed() >> 40
    };
    (1..=count as u64).map(|i| number(seed.wrapping_add(i.wrapping_mul(0x9e37_79b9_7f4a_7c15)))).collect()
}
