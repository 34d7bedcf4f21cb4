//! The method of conjugate gradients (Hestenes and Stiefel, 1952) for any product with the matrix.
//!
//! ```text
//! r = p = b, x = 0
//! repeat:  alpha = r.r / p.Ap    x += alpha p    r -= alpha Ap    beta = r.r (new) / r.r (old)    p = r + beta p
//! ```
//!
//! In exact arithmetic at most n iterations are needed; with a small condition number of A much fewer. The iterations end when
//! the residual r is shorter than a fixed share of b.
use workbench::{Matrix, Result, World};

/// The iterations end when the square of the residual's length is below this share of that of b.
const SQUARE_OF_PRECISION: f64 = 1e-20;

/// The number of partial sums of a scalar product. The compiler keeps them in one or two vector registers.
const LANES: usize = 8;

/// Solves A x = b. `product` computes A p for a direction p. `None` if A is not positive definite: a direction with
/// p.Ap <= 0 was found.
///
/// All ranks call it with the same `b`, and `product` returns the same vector on each of them. So they compute the same
/// numbers and stop in the same iteration.
///
/// # Errors
/// Those of `product`.
pub fn conjugate_gradients(
    world: &World,
    b: &[f64],
    mut product: impl FnMut(&[f64]) -> Result<Vec<f64>>,
) -> Result<Option<Vec<f64>>> {
    let (mut x, mut r, mut p) = (vec![0.0; b.len()], b.to_vec(), b.to_vec());
    let mut square = dot(&r, &r);
    let enough = SQUARE_OF_PRECISION * square;
    // Rounding errors may need more iterations than exact arithmetic.
    for _ in 0..2 * b.len() {
        if square <= enough {
            break;
        }
        let ap = product(&p)?;
        world.work(10 * b.len() as u64, 9 * size_of_val(b) as u64);
        let curvature = dot(&p, &ap);
        if curvature <= 0.0 {
            return Ok(None);
        }
        let alpha = square / curvature;
        add_multiple(&mut x, alpha, &p);
        add_multiple(&mut r, -alpha, &ap);
        let former = std::mem::replace(&mut square, dot(&r, &r));
        let beta = square / former;
        p.iter_mut().zip(&r).for_each(|(p, r)| *p = r + beta * *p);
    }
    Ok(Some(x))
}

/// The product of rows of A and a direction.
pub fn product(world: &World, rows: &Matrix, p: &[f64]) -> Vec<f64> {
    world.work(2 * rows.elements.len() as u64, size_of_val(&rows.elements[..]) as u64);
    (0..rows.rows).map(|i| dot(rows.row(i), p)).collect()
}

/// The scalar product, in the same order of additions for the same length.
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    let ((x, x_rest), (y, y_rest)) = (x.as_chunks::<LANES>(), y.as_chunks::<LANES>());
    let mut sums = [0.0; LANES];
    for (x, y) in x.iter().zip(y) {
        for lane in 0..LANES {
            sums[lane] += x[lane] * y[lane];
        }
    }
    let rest: f64 = x_rest.iter().zip(y_rest).map(|(x, y)| x * y).sum();
    sums.iter().sum::<f64>() + rest
}

/// `x += factor * y`.
fn add_multiple(x: &mut [f64], factor: f64, y: &[f64]) {
    x.iter_mut().zip(y).for_each(|(x, y)| *x += factor * y);
}
