//! The problem: the product of two dense matrices.
//!
//! The oracle is Freivalds' (1977): if C = A B, then C x = A (B x) for every column x, and this takes n^2 operations
//! instead of n^3. If C is wrong, a random real x shows it with probability 1, except for errors below the rounding
//! errors. So the oracle does not repeat the product, and cannot repeat its mistakes.
use workbench::{Problem, Verdict, Workload};

use crate::matrix::{Matrix, noise};

/// The number of columns x that the oracle tries, and the seed that they are made from.
const TRIALS: u64 = 2;
const SEED: u64 = 1977;

/// The input: two matrices; the width of the first is the height of the second.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// The left factor, whose rows are scattered.
    pub a: Matrix,
    /// The right factor, which every rank needs.
    pub b: Matrix,
}

/// The problem.
pub struct Product;

impl Problem for Product {
    type Input = Input;
    type Output = Matrix;

    /// `"random"`: two square matrices of `size` rows.
    fn workload(request: &Workload) -> Option<Input> {
        let Workload { name, size, seed } = request;
        let square = |seed| Matrix::random(*size, *size, seed);
        (name == "random").then(|| Input { a: square(*seed), b: square(seed.wrapping_add(1)) })
    }

    fn check(Input { a, b }: &Input, c: &Matrix) -> Verdict {
        if (c.rows, c.columns) != (a.rows, b.columns) || !c.is_complete() {
            let (rows, columns, elements) = (c.rows, c.columns, c.elements.len());
            return Verdict::Wrong(format!(
                "the product has {rows} rows, {columns} columns and {elements} elements, expected {} rows and {} columns",
                a.rows, b.columns
            ));
        }
        let mut trials = (0..TRIALS).map(|trial| freivalds(a, b, c, SEED + trial));
        trials.find(|verdict| *verdict != Verdict::Right).unwrap_or(Verdict::Right)
    }
}

/// Checks C x = A (B x) for the random column x of the seed, up to rounding.
fn freivalds(a: &Matrix, b: &Matrix, c: &Matrix, seed: u64) -> Verdict {
    let x: Vec<f64> = noise(seed).take(b.columns).collect();
    let expected = a.times(&b.times(&x));
    let got = c.times(&x);
    // The rounding error of the sums of products is proportional to |A| |B| |x|, row by row (Higham, 3.5).
    let sizes: Vec<f64> = x.iter().map(|x| x.abs()).collect();
    let scale = a.abs().times(&b.abs().times(&sizes));
    let relative = 2.0 * f64::EPSILON * (a.columns + b.columns) as f64;
    // The comparison is written so that NaN is wrong, too.
    let right = |row: usize| (got[row] - expected[row]).abs() <= relative * scale[row];
    match (0..a.rows).find(|&row| !right(row)) {
        None => Verdict::Right,
        Some(row) => Verdict::Wrong(format!(
            "row {row} is wrong: times a random column it gives {}, expected {}",
            got[row], expected[row]
        )),
    }
}
