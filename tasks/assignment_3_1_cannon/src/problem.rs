//! The problem: the product of two dense square matrices. The oracle is Freivalds' ([`Matrix::check_product`]).
use serde::{Deserialize, Serialize};
use workbench::{Matrix, Problem, Verdict, Workload};

/// The input: two square matrices of the same size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SquareFactors {
    /// The left factor.
    pub a: Matrix,
    /// The right factor.
    pub b: Matrix,
}

/// The problem.
pub struct BlockProduct;

impl Problem for BlockProduct {
    type Input = SquareFactors;
    type Output = Matrix;

    /// `"random"`: two matrices of `size` rows.
    fn workload(request: &Workload) -> Option<SquareFactors> {
        let Workload { name, size, seed, .. } = request;
        let square = |seed| Matrix::random(*size, *size, seed);
        (name == "random").then(|| SquareFactors { a: square(*seed), b: square(seed.wrapping_add(1)) })
    }

    fn check(SquareFactors { a, b }: &SquareFactors, c: &Matrix) -> Verdict {
        c.check_product(a, b)
    }
}
