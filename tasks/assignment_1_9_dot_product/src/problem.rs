//! The problem: the sum of the products of the elements of two vectors.
//!
//! The sum of n products in any order differs from the exact one by at most n machine epsilons of the sum of the absolute
//! values of the products. The oracle adds in blocks, whose sums have a much smaller error, and allows this difference.
use serde::{Deserialize, Serialize};
use workbench::{Problem, Verdict, Workload, noise};

/// The input: two vectors of the same length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vectors {
    /// The first vector.
    pub x: Vec<f64>,
    /// The second vector.
    pub y: Vec<f64>,
}

impl Vectors {
    /// Two pseudo-random vectors of `count` numbers from -1 to 1.
    pub fn random(count: usize, seed: u64) -> Self {
        let vector = |seed| noise::reals(seed).take(count).collect();
        Self { x: vector(seed), y: vector(seed.wrapping_add(1)) }
    }
}

/// The problem.
pub struct DotProduct;

/// The number of products that the oracle adds before it adds their sum.
const BLOCK: usize = 512;

impl Problem for DotProduct {
    type Input = Vectors;
    type Output = f64;

    /// `"random"`: two vectors of `size` elements.
    fn workload(request: &Workload) -> Option<Vectors> {
        (request.name == "random").then(|| Vectors::random(request.size, request.seed))
    }

    fn check(Vectors { x, y }: &Vectors, output: &f64) -> Verdict {
        let (mut exact, mut sizes) = (0.0, 0.0);
        for (x, y) in x.chunks(BLOCK).zip(y.chunks(BLOCK)) {
            exact += x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
            sizes += x.iter().zip(y).map(|(x, y)| (x * y).abs()).sum::<f64>();
        }
        let bound = f64::EPSILON * (x.len() + 1) as f64 * sizes;
        // The comparison is written so that NaN is a wrong output, too.
        Verdict::of((output - exact).abs() <= bound, || {
            format!("the dot product is {output}, expected {exact} with an error of at most {bound:e}")
        })
    }
}
