//! The sequential version: the reference for the parallel version's output, and the baseline of its speed-up.
//!
//! It uses the same step as the parallel version. A speed-up over a slow sequential program would be meaningless.
use assignment_2_18_jacobi::{Jacobi, LinearSystem};
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::step::{cost, subtract_products, update};

/// Iterates on one rank.
pub struct Seq;

impl Task for Seq {
    type Problem = Jacobi;
    type Prepared = LinearSystem;
    type Raw = Vec<f64>;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &LinearSystem, _ranks: usize) -> std::result::Result<(), Invalid> {
        let LinearSystem { a, b, tolerance } = input;
        Invalid::unless(a.is_complete() && a.rows == a.columns, "A is not square")?;
        Invalid::unless(a.rows == b.len(), format!("A has {} rows but b has {} elements", a.rows, b.len()))?;
        Invalid::unless(tolerance.is_finite() && *tolerance > 0.0, "the tolerance is not positive")?;
        match (0..a.rows).find(|row| !is_dominant(a.row(*row), *row)) {
            Some(row) => Err(Invalid::because(format!("row {row} of A is not diagonally dominant"))),
            None => Ok(()),
        }
    }

    fn preprocessing(&self, _world: &World, input: Rooted<LinearSystem>) -> Result<LinearSystem> {
        Ok(input.here().expect("the only rank has the input"))
    }

    fn run(&self, world: &World, LinearSystem { a, b, tolerance }: &LinearSystem) -> Result<Vec<f64>> {
        let mut x = vec![0.0; b.len()];
        let (flops, bytes) = cost(a.elements.len());
        loop {
            world.work(flops, bytes);
            let mut sums = b.clone();
            subtract_products(&mut sums, a, 0, &x);
            if update(&mut x, &sums, a, 0) <= *tolerance {
                return Ok(x);
            }
        }
    }

    fn postprocessing(&self, _world: &World, x: Vec<f64>) -> Result<Rooted<Vec<f64>>> {
        Ok(Rooted::Here(x))
    }
}

/// Whether the diagonal element is larger than all others of its row together; a row with NaN is not dominant.
fn is_dominant(row: &[f64], diagonal: usize) -> bool {
    let others = row.iter().enumerate().filter(|(column, _)| *column != diagonal);
    row[diagonal].abs() > others.map(|(_, element)| element.abs()).sum::<f64>()
}
