//! The problem: the product of two dense matrices. The oracle is Freivalds' ([`Matrix::check_product`]).
use serde::{Deserialize, Serialize};
use workbench::{Matrix, Problem, Verdict, Workload};

/// The input: two matrices; the width of the first is the height of the second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Factors {
    /// The left factor, whose rows are scattered.
    pub a: Matrix,
    /// The right factor, which every rank needs.
    pub b: Matrix,
}

/// The problem.
pub struct StripProduct;

impl Problem for StripProduct {
    type Input = Factors;
    type Output = Matrix;

    /// `"random"`: two square matrices of `size` rows.
    fn workload(request: &Workload) -> Option<Factors> {
        let Workload { name, size, seed, .. } = request;
        let square = |seed| Matrix::random(*size, *size, seed);
        (name == "random").then(|| Factors { a: square(*seed), b: square(seed.wrapping_add(1)) })
    }

    fn check(Factors { a, b }: &Factors, c: &Matrix) -> Verdict {
        c.check_product(a, b)
    }
}
