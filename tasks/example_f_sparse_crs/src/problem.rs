//! The problem: the product of two sparse matrices.
//!
//! The oracle is Freivalds': C x = A (B x) for random columns x, up to rounding. It needs no product of matrices.
use workbench::{Problem, Verdict, Workload, noise};

use crate::crs::Crs;

/// The number of columns x that the oracle tries.
const TRIALS: u64 = 2;

/// The shape of a measured workload: how far the elements are from the diagonal, and how many a row has, about.
const HALF_BAND: usize = 100;
const ELEMENTS_OF_A_ROW: usize = 80;

/// The input.
#[derive(Clone, Debug, PartialEq)]
pub struct SparseFactors {
    /// The left factor.
    pub a: Crs,
    /// The right factor.
    pub b: Crs,
}

/// The problem.
pub struct SparseProduct;

impl Problem for SparseProduct {
    type Input = SparseFactors;
    type Output = Crs;

    /// `"banded"`: two matrices of `size` rows and columns with about 80 elements in each row, near the diagonal as in
    /// discretised differential equations. So a row of the product has few elements, and each is the sum of many products.
    fn workload(request: &Workload) -> Option<SparseFactors> {
        let Workload { name, size, seed, .. } = request;
        let square = |seed| Crs::banded(*size, HALF_BAND, ELEMENTS_OF_A_ROW.min(*size), seed);
        (name == "banded").then(|| SparseFactors { a: square(*seed), b: square(seed.wrapping_add(1)) })
    }

    fn check(SparseFactors { a, b }: &SparseFactors, c: &Crs) -> Verdict {
        if let Some(mistake) = c.mistake() {
            return Verdict::Wrong(mistake);
        }
        if (c.height(), c.width) != (a.height(), b.width) {
            let (rows, columns) = (c.height(), c.width);
            return Verdict::Wrong(format!(
                "{rows} x {columns} elements, expected {} x {}",
                a.height(),
                b.width
            ));
        }
        let wrong =
            (0..TRIALS).find_map(|trial| wrong_row(a, b, c, noise::oracle_seed().wrapping_add(trial)));
        wrong.map_or(Verdict::Right, Verdict::Wrong)
    }
}

/// The first row of C that differs, multiplied by a random column.
fn wrong_row(a: &Crs, b: &Crs, c: &Crs, seed: u64) -> Option<String> {
    let x: Vec<f64> = noise::reals(seed).take(b.width).collect();
    let (got, expected) = (c.times(&x), a.times(&b.times(&x)));
    // The rounding error of the sums of products is proportional to |A| |B| |x|, row by row (Higham, 3.5).
    let sizes: Vec<f64> = x.iter().map(|x| x.abs()).collect();
    let scale = a.abs().times(&b.abs().times(&sizes));
    let longest = a.lengths().into_iter().chain(b.lengths()).max().unwrap_or(0);
    let relative = 4.0 * f64::EPSILON * (2 * longest + 1) as f64 * (2 * longest + 1) as f64;
    // The comparison is written so that NaN is wrong, too.
    let is_right = |row: &usize| (got[*row] - expected[*row]).abs() <= relative * scale[*row];
    let row = (0..got.len()).find(|row| !is_right(row))?;
    Some(format!("row {row} times a random column is {}, expected {}", got[row], expected[row]))
}
