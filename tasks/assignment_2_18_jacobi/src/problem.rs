//! The problem: a system of linear equations A x = b with a strictly diagonally dominant matrix.
//!
//! The oracle computes the residual. After a step in which no unknown changes by more than the tolerance, the next step would change
//! none by more than that, either, and b - A x is the diagonal times this change. So each element of the residual is at most the
//! tolerance times the diagonal element, and rounding errors.
use serde::{Deserialize, Serialize};
use workbench::{Matrix, Problem, Verdict, Workload, noise};

/// The input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinearSystem {
    /// The matrix A: square, each diagonal element larger than the others of its row together, by absolute value.
    pub a: Matrix,
    /// The right-hand side.
    pub b: Vec<f64>,
    /// The iteration ends with the step in which no unknown changes by more than this.
    #[serde(with = "workbench::special_float")]
    pub tolerance: f64,
}

impl LinearSystem {
    /// A pseudo-random system of `size` equations, whose diagonal elements are at least twice the others of their rows.
    pub fn random(size: usize, seed: u64) -> Self {
        Self::with_diagonal(2.0, Matrix::random(size, size, seed), seed)
    }

    /// A system of `size` equations that takes about 1000 iterations: the other elements are positive, and an iteration makes the
    /// change smaller by a fiftieth.
    pub fn slow(size: usize, seed: u64) -> Self {
        let mut a = Matrix::random(size, size, seed);
        a.elements.iter_mut().for_each(|element| *element = element.abs());
        Self::with_diagonal(1.02, a, seed)
    }

    /// The diagonal elements are `factor` times the others of their rows.
    fn with_diagonal(factor: f64, mut a: Matrix, seed: u64) -> Self {
        let size = a.rows;
        for i in 0..size {
            let others: f64 =
                a.row(i).iter().enumerate().map(|(j, a)| if i == j { 0.0 } else { a.abs() }).sum();
            let sign = a.row(i)[i].signum();
            a.row_mut(i)[i] = sign * (factor * others + 1.0);
        }
        let b = noise::reals(seed.wrapping_add(1)).map(|b| 100.0 * b).take(size).collect();
        Self { a, b, tolerance: 1e-10 }
    }
}

/// The problem.
pub struct Jacobi;

impl Problem for Jacobi {
    type Input = LinearSystem;
    type Output = Vec<f64>;

    /// `"dominant"`: a system of `size` equations.
    fn workload(request: &Workload) -> Option<LinearSystem> {
        (request.name == "dominant").then(|| LinearSystem::slow(request.size, request.seed))
    }

    fn check(LinearSystem { a, b, tolerance }: &LinearSystem, x: &Vec<f64>) -> Verdict {
        if x.len() != b.len() {
            return Verdict::Wrong(format!("{} unknowns, expected {}", x.len(), b.len()));
        }
        let wrong = (0..a.rows).find_map(|i| {
            let terms = || a.row(i).iter().zip(x).map(|(a, x)| a * x);
            let residual = (b[i] - terms().sum::<f64>()).abs();
            let sizes = b[i].abs() + terms().map(f64::abs).sum::<f64>();
            let bound = 1.01 * tolerance * a.row(i)[i].abs() + f64::EPSILON * (x.len() + 2) as f64 * sizes;
            // The comparison is written so that NaN is wrong, too.
            let is_right = residual <= bound;
            (!is_right)
                .then(|| format!("equation {i}: |b - A x| is {residual:e}, expected at most {bound:e}"))
        });
        wrong.map_or(Verdict::Right, Verdict::Wrong)
    }
}
