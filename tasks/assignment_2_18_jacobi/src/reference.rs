//! The instructor's sequential version.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::problem::{Jacobi, LinearSystem};

/// One rank computes all unknowns.
#[derive(Default)]
pub struct Reference;

impl Task for Reference {
    type Problem = Jacobi;
    type Prepared = LinearSystem;
    type Raw = Vec<f64>;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &LinearSystem, _ranks: usize) -> std::result::Result<(), Invalid> {
        let LinearSystem { a, b, tolerance } = input;
        Invalid::unless(a.is_complete() && a.rows == a.columns, "the matrix is not square")?;
        Invalid::unless(a.rows == b.len(), format!("{} equations and {} right-hand sides", a.rows, b.len()))?;
        Invalid::unless(tolerance.is_finite() && *tolerance > 0.0, "the tolerance is not a positive number")?;
        // Written so that NaN is refused, too.
        let dominant = |i: usize| 2.0 * a.row(i)[i].abs() > a.row(i).iter().map(|a| a.abs()).sum::<f64>();
        let weak = (0..a.rows).find(|i| !dominant(*i));
        weak.map_or(Ok(()), |i| Err(Invalid::because(format!("row {i} is not diagonally dominant"))))
    }

    fn preprocessing(&self, _world: &World, input: Rooted<LinearSystem>) -> Result<LinearSystem> {
        Ok(input.here().expect("the only rank has the input"))
    }

    fn run(&self, world: &World, LinearSystem { a, b, tolerance }: &LinearSystem) -> Result<Vec<f64>> {
        let mut x = vec![0.0; b.len()];
        let mut next = x.clone();
        loop {
            world.work(2 * a.elements.len() as u64, 8 * a.elements.len() as u64);
            let mut change = 0.0_f64;
            for i in 0..a.rows {
                let row = a.row(i);
                // The diagonal element is added to all others, and subtracted again: the loop has no branch.
                let sum = b[i] - dot(row, &x) + row[i] * x[i];
                next[i] = sum / row[i];
                change = change.max((next[i] - x[i]).abs());
            }
            std::mem::swap(&mut x, &mut next);
            if change <= *tolerance {
                return Ok(x);
            }
        }
    }

    fn postprocessing(&self, _world: &World, x: Vec<f64>) -> Result<Rooted<Vec<f64>>> {
        Ok(Rooted::Here(x))
    }
}

/// The number of sums that are added independently, so that the compiler can use vector registers.
const LANES: usize = 8;

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
