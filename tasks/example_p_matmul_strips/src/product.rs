//! The matrix product, which the sequential and the parallel version share.
//!
//! The textbook order of the loops is row i, column j, sum over k. It accesses the columns of B, and each step accesses
//! another cache line. In the order i, k, j the inner loop adds a multiple of a row of B to a row of C. Both rows are
//! contiguous in memory, and the compiler vectorises the loop.
//!
//! Each row of A needs all of B, and a large B does not stay in the cache from one row to the next. So B is divided
//! into blocks of a few rows, and each block is used for all rows of A before the next block.
use crate::matrix::Matrix;

/// The number of bytes in a block of B: about half of the second-level cache of most processors.
const BLOCK_BYTES: usize = 256 * 1024;

/// `a` times `b`.
///
/// Each element is summed in the order of k for every number of rows of `a`. So a strip of the product is bitwise equal
/// to that strip of the whole product, and the result does not depend on the number of ranks.
///
/// # Panics
/// When the width of `a` is not the height of `b`.
pub fn product(a: &Matrix, b: &Matrix) -> Matrix {
    assert_eq!(a.columns, b.rows, "A must be as wide as B is high");
    let mut c = Matrix::zeros(a.rows, b.columns);
    let height = (BLOCK_BYTES / size_of::<f64>() / b.columns.max(1)).max(1);
    for start in (0..b.rows).step_by(height) {
        let block = start..b.rows.min(start + height);
        for i in 0..a.rows {
            let c_row = c.row_mut(i);
            for k in block.clone() {
                add_multiple(c_row, a.row(i)[k], b.row(k));
            }
        }
    }
    c
}

/// The floating-point operations of [`product`], and the bytes transferred from and to memory when each matrix is
/// transferred once.
pub fn cost(a: &Matrix, b: &Matrix) -> (u64, u64) {
    let (rows, inner, columns) = (a.rows as u64, a.columns as u64, b.columns as u64);
    let elements = rows * inner + inner * columns + rows * columns;
    (2 * rows * inner * columns, elements * size_of::<f64>() as u64)
}

/// `c += factor * b`, element by element.
fn add_multiple(c: &mut [f64], factor: f64, b: &[f64]) {
    for (c, b) in c.iter_mut().zip(b) {
        *c += factor * b;
    }
}
