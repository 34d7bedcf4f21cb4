//! The product of two blocks, which the sequential and the parallel version share.
//!
//! The order of the loops is i, k, j: the inner loop adds a multiple of a row of B to a row of C, and the compiler
//! vectorises it. B is divided into strips that stay in the cache, and each strip is used for all rows of A.
use workbench::Matrix;

/// The number of bytes in a strip of B: about half of the second-level cache of most processors.
const STRIP_BYTES: usize = 256 * 1024;

/// `c += a * b`.
///
/// # Panics
/// When the shapes do not fit.
pub fn add_product(c: &mut Matrix, a: &Matrix, b: &Matrix) {
    assert_eq!((a.columns, a.rows, b.columns), (b.rows, c.rows, c.columns), "the shapes must fit");
    let height = (STRIP_BYTES / size_of::<f64>() / b.columns.max(1)).max(1);
    for start in (0..b.rows).step_by(height) {
        let strip = start..b.rows.min(start + height);
        for i in 0..a.rows {
            let c_row = c.row_mut(i);
            for k in strip.clone() {
                let factor = a.row(i)[k];
                c_row.iter_mut().zip(b.row(k)).for_each(|(c, b)| *c += factor * b);
            }
        }
    }
}

/// The floating-point operations of [`add_product`], and the bytes transferred from and to memory when each matrix is
/// transferred once.
pub fn cost(a: &Matrix, b: &Matrix) -> (u64, u64) {
    let (rows, inner, columns) = (a.rows as u64, a.columns as u64, b.columns as u64);
    let elements = rows * inner + inner * columns + rows * columns;
    (2 * rows * inner * columns, elements * size_of::<f64>() as u64)
}
