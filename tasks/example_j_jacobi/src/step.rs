//! A step of the iteration on a strip of rows.
use workbench::Matrix;

/// The number of sums that are added independently, so that the compiler can use vector registers.
const LANES: usize = 8;

/// Subtracts from each sum the products of its row with the unknowns of the block that begins at `first`.
pub fn subtract_products(sums: &mut [f64], rows: &Matrix, first: usize, block: &[f64]) {
    for (i, sum) in sums.iter_mut().enumerate() {
        *sum -= dot(&rows.row(i)[first..][..block.len()], block);
    }
}

/// The new unknowns from the sums of b and all products, which include that of the diagonal element; `first` is the index of the first row.
/// Returns the largest change.
pub fn update(x: &mut [f64], sums: &[f64], rows: &Matrix, first: usize) -> f64 {
    let mut change = 0.0_f64;
    for (i, x) in x.iter_mut().enumerate() {
        let diagonal = rows.row(i)[first + i];
        let next = (sums[i] + diagonal * *x) / diagonal;
        change = change.max((next - *x).abs());
        *x = next;
    }
    change
}

/// The floating-point operations and the bytes of memory of a step on these elements of A.
pub fn cost(elements: usize) -> (u64, u64) {
    (2 * elements as u64, 8 * elements as u64)
}

/// The dot product of two vectors of the same length.
fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let ((chunks_x, rest_x), (chunks_y, rest_y)) = (x.as_chunks::<LANES>(), y.as_chunks::<LANES>());
    let rest: f64 = rest_x.iter().zip(rest_y).map(|(x, y)| x * y).sum();
    for (x, y) in chunks_x.iter().zip(chunks_y) {
        for lane in 0..LANES {
            sums[lane] += x[lane] * y[lane];
        }
    }
    sums.iter().sum::<f64>() + rest
}
