//! A dense matrix of doubles in row-major order: a strip of rows is a slice, which can be sent without a copy.
//!
//! The oracle of a product is Freivalds' (1977): if C = A B, then C x = A (B x) for every column x, and this takes n^2
//! operations instead of n^3. If C is wrong, a random real x shows it with probability 1, except for errors below the rounding
//! errors. So the oracle does not repeat the product, and cannot repeat its mistakes.
use serde::{Deserialize, Serialize};

use crate::{Verdict, noise};

/// A matrix.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Matrix {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// `rows * columns` elements; row `i` begins at `i * columns`.
    pub elements: Vec<f64>,
}

impl Matrix {
    /// The matrix whose element in row `i` and column `j` is `element(i, j)`.
    pub fn of(rows: usize, columns: usize, element: impl Fn(usize, usize) -> f64) -> Self {
        let elements = (0..rows * columns).map(|at| element(at / columns, at % columns)).collect();
        Self { rows, columns, elements }
    }

    /// A matrix of zeros.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Self { rows, columns, elements: vec![0.0; rows * columns] }
    }

    /// A pseudo-random matrix of numbers from -1 to 1; the same seed gives the same matrix on every rank.
    pub fn random(rows: usize, columns: usize, seed: u64) -> Self {
        let elements = noise::reals(seed).take(rows * columns).collect();
        Self { rows, columns, elements }
    }

    /// Whether the number of elements is `rows * columns`.
    pub fn is_complete(&self) -> bool {
        self.rows.checked_mul(self.columns) == Some(self.elements.len())
    }

    /// One row.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.elements[i * self.columns..][..self.columns]
    }

    /// One row, mutable.
    pub fn row_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.elements[i * self.columns..][..self.columns]
    }

    /// The product of the matrix and the column `x`.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        (0..self.rows).map(|i| self.row(i).iter().zip(x).map(|(a, x)| a * x).sum()).collect()
    }

    /// The matrix of absolute values.
    pub fn abs(&self) -> Self {
        Self { elements: self.elements.iter().map(|element| element.abs()).collect(), ..*self }
    }

    /// Whether `self` is the product of `a` and `b`, up to rounding.
    pub fn check_product(&self, a: &Self, b: &Self) -> Verdict {
        if (self.rows, self.columns) != (a.rows, b.columns) || !self.is_complete() {
            let (rows, columns, elements) = (self.rows, self.columns, self.elements.len());
            return Verdict::Wrong(format!(
                "the product has {rows} rows, {columns} columns and {elements} elements, expected {} rows and {} columns",
                a.rows, b.columns
            ));
        }
        let mut trials =
            (0..TRIALS).map(|trial| self.freivalds(a, b, noise::oracle_seed().wrapping_add(trial)));
        trials.find(|verdict| *verdict != Verdict::Right).unwrap_or(Verdict::Right)
    }

    /// Checks C x = A (B x) for the random column x of the seed, up to rounding.
    fn freivalds(&self, a: &Self, b: &Self, seed: u64) -> Verdict {
        let x: Vec<f64> = noise::reals(seed).take(b.columns).collect();
        let expected = a.times(&b.times(&x));
        let got = self.times(&x);
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
}

/// The number of columns x that the oracle tries, and the seed that they are made from.
const TRIALS: u64 = 2;
#[cfg(test)]
mod tests {
    use super::*;

    /// The textbook's three loops.
    fn product(a: &Matrix, b: &Matrix) -> Matrix {
        Matrix::of(a.rows, b.columns, |i, j| (0..b.rows).map(|k| a.row(i)[k] * b.row(k)[j]).sum())
    }

    #[test]
    fn one_wrong_element_at_any_position_is_found() {
        let (a, b) = (Matrix::random(8, 9, 6), Matrix::random(9, 7, 7));
        let right = product(&a, &b);
        assert_eq!(right.check_product(&a, &b), Verdict::Right);
        for at in 0..right.elements.len() {
            for wrong in [right.elements[at] + 1e-9, f64::NAN] {
                let mut c = right.clone();
                c.elements[at] = wrong;
                assert_ne!(c.check_product(&a, &b), Verdict::Right, "element {at}");
            }
        }
    }

    #[test]
    fn another_shape_is_found() {
        let (a, b) = (Matrix::random(2, 3, 1), Matrix::random(3, 4, 2));
        assert_ne!(Matrix::zeros(4, 2).check_product(&a, &b), Verdict::Right);
        let short = Matrix { rows: 2, columns: 4, elements: vec![0.0; 7] };
        assert_ne!(short.check_product(&a, &b), Verdict::Right);
    }
}
