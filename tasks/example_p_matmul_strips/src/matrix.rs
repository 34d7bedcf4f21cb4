//! A dense matrix of doubles in row-major order: a strip of rows is a slice, which can be sent without a copy.

/// A matrix.
#[derive(Clone, Debug, PartialEq)]
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
        let elements = noise(seed).take(rows * columns).collect();
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
}

/// Pseudo-random numbers from -1 to 1 that depend on the seed only (the generator is `SplitMix64`).
pub fn noise(seed: u64) -> impl Iterator<Item = f64> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        // The upper 53 bits fill a double's fraction: first 0..2, then -1..1.
        (z >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    })
}
