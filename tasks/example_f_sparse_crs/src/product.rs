//! The product of rows of A and the matrix B, which the sequential and the parallel version share.
//!
//! Gustavson's algorithm (ACM Transactions on Mathematical Software 4(3), 1978): a row of C is added up in a dense row, in
//! which each column has its place. A list has the columns that were reached, so that the dense row is never searched.
use crate::crs::Crs;

/// The product of `a`, some rows of A, and `b`. An element that is a sum of products is stored, also if it is zero.
///
/// # Panics
/// When the width of `a` is not the height of `b`.
pub fn product(a: &Crs, b: &Crs) -> Crs {
    assert_eq!(a.width, b.height(), "A must be as wide as B is high");
    let mut c = Crs::without_rows(b.width);
    let mut sums = vec![0.0; b.width];
    // The last row of C, counted from 1, in which a column was reached.
    let mut reached = vec![0; b.width];
    for i in 0..a.height() {
        let first = c.columns.len();
        for (k, factor) in a.row(i) {
            for (column, value) in b.row(k) {
                if reached[column] != i + 1 {
                    reached[column] = i + 1;
                    sums[column] = 0.0;
                    c.columns.push(column);
                }
                sums[column] += factor * value;
            }
        }
        c.columns[first..].sort_unstable();
        c.values.extend(c.columns[first..].iter().map(|column| sums[*column]));
        c.end_row();
    }
    c
}

/// The number of multiplications in each row of the product.
pub fn multiplications(a: &Crs, b: &Crs) -> Vec<u64> {
    let of_row = |i: usize| a.row(i).map(|(k, _)| b.positions(k).len() as u64).sum();
    (0..a.height()).map(of_row).collect()
}

/// The floating-point operations of [`product`], and its bytes from and to memory: a column, a value and a sum for each
/// multiplication.
pub fn cost(a: &Crs, b: &Crs) -> (u64, u64) {
    let multiplications: u64 = multiplications(a, b).iter().sum();
    (2 * multiplications, 4 * size_of::<f64>() as u64 * multiplications)
}
