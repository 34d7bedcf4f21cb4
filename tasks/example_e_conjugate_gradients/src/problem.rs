//! The problem: solve A x = b with a symmetric positive definite matrix A, or find that A is not positive definite.
//!
//! The oracle does not iterate. It computes the residual b - A x, whose length must be small compared with that of b. Where no
//! solution was found, it tries the Cholesky factorisation, which exists for positive definite matrices only.
use workbench::{Matrix, Problem, Verdict, Workload, noise};

/// The largest allowed length of the residual, as a share of that of b.
const RESIDUAL: f64 = 1e-8;

/// The input.
#[derive(Clone, Debug, PartialEq)]
pub struct PositiveSystem {
    /// The symmetric matrix A.
    pub a: Matrix,
    /// The right-hand side b.
    pub b: Vec<f64>,
}

impl PositiveSystem {
    /// A pseudo-random system of `size` equations. Without the weights, the diagonal is larger than the sum of the other
    /// elements of its row, so the matrix is positive definite (Gershgorin). The weights from 1 to 10, by which rows and
    /// columns are multiplied, keep it so; they make the condition number about 100.
    pub fn random(size: usize, seed: u64) -> Self {
        let half = Matrix::random(size, size, seed);
        let weight = |i: usize| 1.0 + 9.0 * i as f64 / size as f64;
        let element = |i: usize, j: usize| match i == j {
            true => size as f64 * (weight(i) * weight(i)),
            // The same order of operations in both halves, so that they are equal bit by bit.
            false => (half.row(i)[j] + half.row(j)[i]) / 2.0 * (weight(i) * weight(j)),
        };
        let b = noise::reals(seed.wrapping_add(1)).take(size).collect();
        Self { a: Matrix::of(size, size, element), b }
    }
}

/// The problem. The output is the solution x, or `None` if A is not positive definite.
pub struct Minimising;

impl Problem for Minimising {
    type Input = PositiveSystem;
    type Output = Option<Vec<f64>>;

    /// `"random"`: `size` equations.
    fn workload(request: &Workload) -> Option<PositiveSystem> {
        (request.name == "random").then(|| PositiveSystem::random(request.size, request.seed))
    }

    fn check(PositiveSystem { a, b }: &PositiveSystem, output: &Option<Vec<f64>>) -> Verdict {
        let Some(x) = output else {
            return Verdict::of(!is_positive(a), || {
                "no solution was found, but A is positive definite".into()
            });
        };
        if x.len() != b.len() {
            return Verdict::Wrong(format!("{} unknowns, expected {}", x.len(), b.len()));
        }
        let residual: Vec<f64> = a.times(x).iter().zip(b).map(|(ax, b)| b - ax).collect();
        let (got, allowed) = (length(&residual), RESIDUAL * length(b));
        // The comparison is written so that NaN is wrong, too.
        let is_small = got <= allowed;
        Verdict::of(is_small, || format!("the residual b - A x has the length {got}, allowed is {allowed}"))
    }
}

fn length(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Whether the Cholesky factorisation L L^T exists. It takes n^3 / 3 operations.
fn is_positive(a: &Matrix) -> bool {
    let mut l = a.clone();
    for j in 0..a.rows {
        let before: f64 = l.row(j)[..j].iter().map(|l| l * l).sum();
        let square = a.row(j)[j] - before;
        // The rounding errors of a singular matrix may leave a small positive number.
        if square <= 1e-12 * a.row(j)[j].abs() {
            return false;
        }
        let pivot = square.sqrt();
        l.row_mut(j)[j] = pivot;
        for i in j + 1..a.rows {
            let sum: f64 = (0..j).map(|k| l.row(i)[k] * l.row(j)[k]).sum();
            l.row_mut(i)[j] = (a.row(i)[j] - sum) / pivot;
        }
    }
    true
}
