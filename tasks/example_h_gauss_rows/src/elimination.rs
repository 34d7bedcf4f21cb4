//! The rows of one rank, and the steps on them, which the sequential and the parallel version share.
//!
//! A row is stored with its right-hand side behind it: n + 1 numbers. Each element is computed from the same numbers in the
//! same order, wherever its row is. So the solution is bitwise equal for every number of ranks.
use std::ops::Range;

/// The rows of one rank of a system of `size` equations: row `first`, and then each `stride`-th row.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// The number of equations of the whole system.
    pub size: usize,
    /// The index of this rank's first row.
    pub first: usize,
    /// The distance to its next row: the number of ranks.
    pub stride: usize,
    /// The rows, one after the other, each with its right-hand side.
    pub elements: Vec<f64>,
}

/// The number of rows with the index `first`, `first + stride`, ... below `size`.
pub fn count(size: usize, first: usize, stride: usize) -> usize {
    size.saturating_sub(first).div_ceil(stride)
}

impl Rows {
    /// The number of numbers in a row.
    fn width(&self) -> usize {
        self.size + 1
    }

    /// Whether row `k` of the system is here.
    pub fn has(&self, k: usize) -> bool {
        k % self.stride == self.first
    }

    /// The rows of the system that are here and have an index in `range`, as positions in this rank's list.
    fn positions(&self, range: Range<usize>) -> Range<usize> {
        let before = |k: usize| count(k, self.first, self.stride);
        before(range.start)..before(range.end)
    }

    /// Row `k` from column `k` on, with its right-hand side.
    ///
    /// # Panics
    /// When the row is on another rank.
    pub fn pivot_row(&self, k: usize) -> &[f64] {
        assert!(self.has(k), "row {k} is on another rank");
        let start = k / self.stride * self.width();
        &self.elements[start + k..start + self.width()]
    }

    /// The floating-point operations of [`eliminate`](Self::eliminate), and its bytes from and to memory.
    pub fn cost(&self, k: usize) -> (u64, u64) {
        let elements = (self.positions(k + 1..self.size).len() * (self.width() - k)) as u64;
        (2 * elements, 2 * size_of::<f64>() as u64 * elements)
    }

    /// Step `k`: exchanges columns `k` and `k + pivot` of all rows here, and eliminates unknown `k` from the rows below `k`.
    /// `row` is the pivot row from column `k` on, before the exchange.
    pub fn eliminate(&mut self, k: usize, row: &[f64], pivot: usize) {
        let (width, below) = (self.width(), self.positions(k + 1..self.size));
        self.elements.chunks_exact_mut(width).for_each(|own| own.swap(k, k + pivot));
        let mut pivot_row = row.to_vec();
        pivot_row.swap(0, pivot);
        for own in self.elements[below.start * width..below.end * width].chunks_exact_mut(width) {
            let factor = own[k] / pivot_row[0];
            own[k] = 0.0;
            // Behind the eliminated element.
            let pairs = own[k + 1..].iter_mut().zip(&pivot_row[1..]);
            pairs.for_each(|(own, pivot)| *own -= factor * pivot);
        }
    }

    /// The value of unknown `k`, when all later ones have been substituted into row `k`.
    ///
    /// # Panics
    /// When the row is on another rank.
    pub fn unknown(&self, k: usize) -> f64 {
        let row = self.pivot_row(k);
        row[row.len() - 1] / row[0]
    }

    /// Substitutes the value `x` of unknown `k` into the rows above `k`.
    pub fn substitute(&mut self, k: usize, x: f64) {
        let (width, above) = (self.width(), self.positions(0..k));
        for row in self.elements[above.start * width..above.end * width].chunks_exact_mut(width) {
            row[width - 1] -= row[k] * x;
        }
    }
}

/// The position of the largest coefficient in a pivot row, whose last number is the right-hand side; `None` if the largest
/// one is at most `smallest`. Of equal ones it is the first.
pub fn pivot(row: &[f64], smallest: f64) -> Option<usize> {
    let coefficients = &row[..row.len() - 1];
    let largest = coefficients.iter().map(|a| a.abs()).fold(0.0, f64::max);
    (largest > smallest).then(|| coefficients.iter().position(|a| a.abs() == largest)).flatten()
}

/// The order of the unknowns after the exchange of columns: the solution in the order of the system.
pub fn in_order(x: &[f64], exchanges: &[usize]) -> Vec<f64> {
    let mut x = x.to_vec();
    for (k, pivot) in exchanges.iter().enumerate().rev() {
        x.swap(k, k + pivot);
    }
    x
}
