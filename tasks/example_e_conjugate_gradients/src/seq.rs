//! The sequential version: the reference for the parallel version's output, and the baseline of its speed-up.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::{
    iteration::{conjugate_gradients, product},
    problem::{Minimising, PositiveSystem},
};

/// Solves the system on one rank.
pub struct Seq;

impl Task for Seq {
    type Problem = Minimising;
    type Prepared = PositiveSystem;
    type Raw = Option<Vec<f64>>;

    const OUTPUT: Place = Place::Home;

    /// Whether the matrix is positive definite is found during the iterations.
    fn validation(&self, input: &PositiveSystem, _ranks: usize) -> std::result::Result<(), Invalid> {
        let PositiveSystem { a, b } = input;
        Invalid::unless(a.is_complete(), "A has not rows x columns elements")?;
        let (rows, columns) = (a.rows, a.columns);
        Invalid::unless(rows == columns, format!("A is not square: {rows} x {columns}"))?;
        let sizes_fit = b.len() == rows;
        Invalid::unless(sizes_fit, format!("A has {rows} rows, but b has {} numbers", b.len()))?;
        let are_finite = a.elements.iter().chain(b).all(|number| number.is_finite());
        Invalid::unless(are_finite, "a coefficient is not a finite number")?;
        let mut below = (0..rows).flat_map(|i| (0..i).map(move |j| (i, j)));
        match below.find(|(i, j)| a.row(*i)[*j] != a.row(*j)[*i]) {
            None => Ok(()),
            Some((i, j)) => Err(Invalid::because(format!("A is not symmetric in row {i}, column {j}"))),
        }
    }

    fn preprocessing(&self, _world: &World, input: Rooted<PositiveSystem>) -> Result<PositiveSystem> {
        Ok(input.here().expect("the only rank has the input"))
    }

    fn run(&self, world: &World, PositiveSystem { a, b }: &PositiveSystem) -> Result<Option<Vec<f64>>> {
        conjugate_gradients(world, b, |p| Ok(product(world, a, p)))
    }

    fn postprocessing(&self, _world: &World, x: Option<Vec<f64>>) -> Result<Rooted<Option<Vec<f64>>>> {
        Ok(Rooted::Here(x))
    }
}
