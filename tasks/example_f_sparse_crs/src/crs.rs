//! A sparse matrix in compressed row storage.
//!
//! ```text
//!   | 5 . 7 |      starts   0     2  2     4      row i has the elements starts[i]..starts[i + 1]
//!   | . . . |      columns  0  2     0  1
//!   | 1 2 . |      values   5  7     1  2
//! ```
use std::ops::Range;

use workbench::noise;

/// A sparse matrix by rows. The columns of a row are in ascending order.
#[derive(Clone, Debug, PartialEq)]
pub struct Crs {
    /// The number of columns of the matrix.
    pub width: usize,
    /// The position of the first element of each row, and the number of all elements behind them.
    pub starts: Vec<usize>,
    /// The column of each element.
    pub columns: Vec<usize>,
    /// The value of each element.
    pub values: Vec<f64>,
}

impl Crs {
    /// A matrix of `width` columns without rows.
    pub fn without_rows(width: usize) -> Self {
        Self { width, starts: vec![0], columns: vec![], values: vec![] }
    }

    /// The matrix with these rows of (column, value).
    pub fn from_rows(width: usize, rows: &[Vec<(usize, f64)>]) -> Self {
        let mut matrix = Self::without_rows(width);
        for row in rows {
            matrix.columns.extend(row.iter().map(|(column, _)| column));
            matrix.values.extend(row.iter().map(|(_, value)| value));
            matrix.end_row();
        }
        matrix
    }

    /// A pseudo-random matrix with up to 2 `each` elements in a row, on average about `each`, anywhere in the row.
    pub fn random(rows: usize, width: usize, each: usize, seed: u64) -> Self {
        Self::drawn(rows, width, each, seed, |_| 0..width)
    }

    /// A pseudo-random square matrix whose elements are at most `half` columns away from the diagonal.
    pub fn banded(size: usize, half: usize, each: usize, seed: u64) -> Self {
        Self::drawn(size, size, each, seed, |i| i.saturating_sub(half)..size.min(i + half + 1))
    }

    /// A matrix of which row `i` has its elements in the columns `band(i)`.
    fn drawn(
        rows: usize,
        width: usize,
        each: usize,
        seed: u64,
        band: impl Fn(usize) -> Range<usize>,
    ) -> Self {
        let mut bits = noise::bits(seed);
        let mut draw = |below: usize| (bits.next().expect("endless") % below.max(1) as u64) as usize;
        let mut row = |i: usize| {
            let band = band(i);
            let count = if band.is_empty() { 0 } else { draw(2 * each + 1) };
            let mut columns: Vec<usize> = (0..count).map(|_| band.start + draw(band.len())).collect();
            columns.sort_unstable();
            columns.dedup();
            columns.into_iter().map(|column| (column, draw(2001) as f64 / 1000.0 - 1.0)).collect()
        };
        Self::from_rows(width, &(0..rows).map(&mut row).collect::<Vec<_>>())
    }

    /// The number of rows.
    pub fn height(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Ends the row of the elements that were added last.
    pub fn end_row(&mut self) {
        self.starts.push(self.columns.len());
    }

    /// The positions of the elements of row `i`.
    pub fn positions(&self, i: usize) -> Range<usize> {
        self.starts[i]..self.starts[i + 1]
    }

    /// The elements (column, value) of row `i`.
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let row = self.positions(i);
        self.columns[row.clone()].iter().copied().zip(self.values[row].iter().copied())
    }

    /// The number of elements of each row.
    pub fn lengths(&self) -> Vec<usize> {
        self.starts.windows(2).map(|pair| pair[1] - pair[0]).collect()
    }

    /// The product of the matrix and the column `x`.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        (0..self.height()).map(|i| self.row(i).map(|(column, value)| value * x[column]).sum()).collect()
    }

    /// The matrix of absolute values.
    pub fn abs(&self) -> Self {
        Self { values: self.values.iter().map(|value| value.abs()).collect(), ..self.clone() }
    }

    /// What is wrong with the storage, if anything.
    pub fn mistake(&self) -> Option<String> {
        let count = self.columns.len();
        if self.starts.first() != Some(&0) || self.starts.last() != Some(&count) || !self.starts.is_sorted() {
            return Some(format!("the starts do not rise from 0 to {count}, the number of elements"));
        }
        if self.values.len() != count {
            return Some(format!("there are {} values for {count} columns", self.values.len()));
        }
        let rises = |i: &usize| self.columns[self.positions(*i)].is_sorted_by(|one, next| one < next);
        if let Some(row) = (0..self.height()).find(|i| !rises(i)) {
            return Some(format!("the columns of row {row} are not in ascending order"));
        }
        let outside = self.columns.iter().find(|column| **column >= self.width);
        outside.map(|column| format!("column {column} does not exist: there are {}", self.width))
    }
}
