//! Matrix times vector, rows in strips: `scatterv`, `bcast`, `gatherv`.
use workbench::{Invalid, Place, Rank, Result, Rooted, Task, World};

use crate::source::{
    problem::{Product, System},
    seq::Seq,
};

const ROOT: Rank = 0;

/// Strips by collective calls.
pub struct Mpi;

/// The strip of one rank.
pub struct Strip {
    rows: Vec<f64>,
    vector: Vec<f64>,
    counts: Vec<usize>,
}

fn row_counts(rows: usize, ranks: usize) -> Vec<usize> {
    (0..ranks).map(|rank| rows / ranks + usize::from(rank < rows % ranks)).collect()
}

impl Task for Mpi {
    type Problem = Product;
    type Prepared = Strip;
    type Raw = (Vec<f64>, Vec<usize>);
    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &System, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<System>) -> Result<Strip> {
        let input = input.here();
        let mut shape = input.as_ref().map_or([0, 0], |system| [system.rows as u64, system.columns as u64]);
        world.bcast(&mut shape, ROOT)?;
        let [rows, columns] = shape.map(|number| number as usize);
        let counts = row_counts(rows, world.size());
        let elements: Vec<usize> = counts.iter().map(|count| count * columns).collect();
        let mut mine = vec![0.0; elements[world.rank()]];
        let parts = input.as_ref().map(|system| (system.matrix.as_slice(), elements.as_slice()));
        world.scatterv(parts, &mut mine, ROOT)?;
        let mut vector = input.map_or_else(|| vec![0.0; columns], |system| system.vector);
        world.bcast(&mut vector, ROOT)?;
        Ok(Strip { rows: mine, vector, counts })
    }

    fn run(&self, world: &World, strip: &Strip) -> Result<(Vec<f64>, Vec<usize>)> {
        world.work(2 * strip.rows.len() as u64, 0);
        let product = strip.rows.chunks_exact(strip.vector.len());
        let product = product.map(|row| row.iter().zip(&strip.vector).map(|(a, x)| a * x).sum()).collect();
        Ok((product, strip.counts.clone()))
    }

    fn postprocessing(&self, world: &World, (part, counts): (Vec<f64>, Vec<usize>)) -> Result<Rooted<Vec<f64>>> {
        let mut all = (world.rank() == ROOT).then(|| vec![0.0; counts.iter().sum()]);
        world.gatherv(&part, all.as_deref_mut().map(|all| (all, counts.as_slice())), ROOT)?;
        Ok(all.into())
    }
}
