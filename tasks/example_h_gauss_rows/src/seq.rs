//! The sequential version: the reference for the parallel version's output, and the baseline of its speed-up.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::{
    elimination::{Rows, in_order, pivot},
    problem::{LinearSystem, Solving},
};

/// Solves the system on one rank.
pub struct Seq;

impl Task for Seq {
    type Problem = Solving;
    type Prepared = (Rows, f64);
    type Raw = Option<Vec<f64>>;

    const OUTPUT: Place = Place::Home;

    fn validation(
        &self,
        LinearSystem { a, b }: &LinearSystem,
        _ranks: usize,
    ) -> std::result::Result<(), Invalid> {
        Invalid::unless(a.is_complete(), "A has not rows x columns elements")?;
        let (rows, columns) = (a.rows, a.columns);
        Invalid::unless(rows == columns, format!("A is not square: {rows} x {columns}"))?;
        let sizes_fit = b.len() == rows;
        Invalid::unless(sizes_fit, format!("A has {rows} rows, but b has {} numbers", b.len()))?;
        let are_finite = a.elements.iter().chain(b).all(|number| number.is_finite());
        Invalid::unless(are_finite, "a coefficient is not a finite number")
    }

    fn preprocessing(&self, _world: &World, input: Rooted<LinearSystem>) -> Result<(Rows, f64)> {
        let system = input.here().expect("the only rank has the input");
        Ok((
            Rows { size: system.b.len(), first: 0, stride: 1, elements: augmented(&system) },
            system.smallest_pivot(),
        ))
    }

    fn run(&self, world: &World, (rows, smallest): &(Rows, f64)) -> Result<Option<Vec<f64>>> {
        let (mut rows, mut exchanges) = (rows.clone(), vec![]);
        for k in 0..rows.size {
            let row = rows.pivot_row(k).to_vec();
            let Some(pivot) = pivot(&row, *smallest) else { return Ok(None) };
            let (flops, bytes) = rows.cost(k);
            world.work(flops, bytes);
            rows.eliminate(k, &row, pivot);
            exchanges.push(pivot);
        }
        let mut x = vec![0.0; rows.size];
        for k in (0..rows.size).rev() {
            x[k] = rows.unknown(k);
            rows.substitute(k, x[k]);
        }
        Ok(Some(in_order(&x, &exchanges)))
    }

    fn postprocessing(&self, _world: &World, x: Option<Vec<f64>>) -> Result<Rooted<Option<Vec<f64>>>> {
        Ok(Rooted::Here(x))
    }
}

/// The rows of the matrix, each with its right-hand side behind it.
pub fn augmented(LinearSystem { a, b }: &LinearSystem) -> Vec<f64> {
    let row = |i: usize| a.row(i).iter().copied().chain([b[i]]);
    (0..a.rows).flat_map(row).collect()
}
