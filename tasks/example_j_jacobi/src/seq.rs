//! The sequential version: the reference for the parallel version's output, and the baseline of its speed-up.
//!
//! It uses the same step as the parallel version. A speed-up over a slow sequential program would be meaningless.
use assignment_2_18_jacobi::{Jacobi, LinearSystem, Reference};
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::step::{cost, subtract_products, update};

/// Iterates on one rank.
pub struct Seq;

impl Task for Seq {
    type Problem = Jacobi;
    type Prepared = LinearSystem;
    type Raw = Vec<f64>;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &LinearSystem, ranks: usize) -> std::result::Result<(), Invalid> {
        Reference.validation(input, ranks)
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
