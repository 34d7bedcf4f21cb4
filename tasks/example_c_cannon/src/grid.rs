//! The square grid of ranks, and the blocks of a square matrix on it.
//!
//! The grid has q x q ranks, row by row, where q is the largest number with q^2 <= P. All blocks have the same size
//! `ceil(n / q)`: those at the lower and the right edge are padded with zeros, which change no product.
use workbench::{Matrix, Rank};

/// A grid of `side` x `side` ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The number of ranks in a row and in a column.
    pub side: usize,
}

impl Grid {
    /// The largest square grid of `ranks` ranks.
    pub fn of(ranks: usize) -> Self {
        Self { side: ranks.isqrt() }
    }

    /// The number of ranks in the grid.
    pub fn ranks(self) -> usize {
        self.side * self.side
    }

    /// The row and the column of a rank.
    pub fn place(self, rank: Rank) -> [usize; 2] {
        [rank / self.side, rank % self.side]
    }

    /// The rank in row `i` and column `j`; both are taken modulo the side.
    pub fn rank_at(self, i: usize, j: usize) -> Rank {
        i % self.side * self.side + j % self.side
    }

    /// The number of rows of a block of a matrix with `size` rows.
    pub fn block_size(self, size: usize) -> usize {
        size.div_ceil(self.side)
    }

    /// The block in row `i` and column `j` of the blocks of `whole`; both are taken modulo the side.
    pub fn block(self, whole: &Matrix, i: usize, j: usize) -> Matrix {
        let size = self.block_size(whole.rows);
        let [rows, columns] = [i, j].map(|at| Self::range(at % self.side, size, whole.rows));
        let mut block = Matrix::zeros(size, size);
        for (at, row) in rows.enumerate() {
            block.row_mut(at)[..columns.len()].copy_from_slice(&whole.row(row)[columns.clone()]);
        }
        block
    }

    /// Copies the block in row `i` and column `j` into `whole`, without its padding.
    pub fn put(self, whole: &mut Matrix, block: &Matrix, i: usize, j: usize) {
        let [rows, columns] = [i, j].map(|at| Self::range(at, block.rows, whole.rows));
        for (at, row) in rows.enumerate() {
            whole.row_mut(row)[columns.clone()].copy_from_slice(&block.row(at)[..columns.len()]);
        }
    }

    /// The rows of the whole matrix that are in a block of `size` rows; with fewer rows than ranks it may be empty.
    fn range(at: usize, size: usize, whole: usize) -> std::ops::Range<usize> {
        whole.min(at * size)..whole.min((at + 1) * size)
    }
}
