//! The topology: P ranks in a grid of rows and columns, both closed to rings.
use workbench::Rank;

/// A grid of `rows` x `columns` ranks, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Torus {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
}

impl Torus {
    /// The torus of `ranks` ranks that is nearest to a square: the number of rows is the largest divisor of `ranks` that
    /// is at most the square root. For a prime number of ranks this is a ring.
    ///
    /// # Panics
    /// Without ranks.
    pub fn of(ranks: usize) -> Self {
        let divides = |rows: &usize| ranks.is_multiple_of(*rows);
        let rows = (1..=ranks.isqrt()).rev().find(divides).expect("1 divides the number of ranks");
        Self { rows, columns: ranks / rows }
    }

    /// The row and the column of a rank.
    pub fn place(self, rank: Rank) -> [usize; 2] {
        [rank / self.columns, rank % self.columns]
    }

    /// The number of links on a shortest way.
    pub fn distance(self, from: Rank, to: Rank) -> usize {
        let ([row, column], [to_row, to_column]) = (self.place(from), self.place(to));
        ring_distance(row, to_row, self.rows) + ring_distance(column, to_column, self.columns)
    }

    /// The rank that is farthest from `rank`: half of each ring away.
    pub fn opposite(self, rank: Rank) -> Rank {
        let [row, column] = self.place(rank);
        (row + self.rows / 2) % self.rows * self.columns + (column + self.columns / 2) % self.columns
    }

    /// The ranks on the way, both ends included: along the row to the column of `to`, then along the column. In each
    /// ring the way takes the shorter direction, and with equal distances that of rising indices.
    pub fn route(self, from: Rank, to: Rank) -> Vec<Rank> {
        let ([row, column], [to_row, to_column]) = (self.place(from), self.place(to));
        let along_row = ring_route(column, to_column, self.columns).map(|column| [row, column]);
        let along_column = ring_route(row, to_row, self.rows).map(|row| [row, to_column]);
        // The corner is the end of the first part and the beginning of the second one.
        along_row.chain(along_column.skip(1)).map(|[row, column]| row * self.columns + column).collect()
    }
}

/// The number of links between two members of a ring.
fn ring_distance(from: usize, to: usize, length: usize) -> usize {
    let forwards = (to + length - from) % length;
    forwards.min(length - forwards)
}

/// The members of a ring from `from` to `to`, both included, in the shorter direction.
fn ring_route(from: usize, to: usize, length: usize) -> impl Iterator<Item = usize> {
    let links = ring_distance(from, to, length);
    let step = if (from + links) % length == to { 1 } else { length - 1 };
    (0..=links).map(move |link| (from + link * step) % length)
}
