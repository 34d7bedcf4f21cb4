//! Jacobi's method, rows in strips.
use workbench::{Invalid, Operation, Place, Rank, Result, Rooted, Task, World};

use crate::{
    problem::{Equations, Solution},
    seq::Seq,
};

const ROOT: Rank = 0;

/// Every rank computes the unknowns of its rows.
pub struct Mpi;

/// The rows of one rank.
pub struct Share {
    first: usize,
    counts: Vec<usize>,
    matrix: Vec<f64>,
    right: Vec<f64>,
    unknowns: usize,
    tolerance: f64,
}

impl Task for Mpi {
    type Problem = Equations;
    type Prepared = Share;
    type Raw = Vec<f64>;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Equations, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<Equations>) -> Result<Share> {
        let input = input.here();
        let mut limit = [0.0];
        let mut size = [0_u64];
        if let Some(input) = &input {
            limit[0] = input.tolerance;
            size[0] = input.right.len() as u64;
        }
        world.bcast(&mut limit, ROOT)?;
        world.bcast(&mut size, ROOT)?;
        let unknowns = size[0] as usize;
        let counts = split(unknowns, world.size());
        let elements: Vec<usize> = counts.iter().map(|count| count * unknowns).collect();
        let first = counts[..world.rank()].iter().sum();
        let values = input.as_ref().map(|input| (&input.right[..], &counts[..]));
        let mut right = vec![0.0; counts[world.rank()]];
        world.scatterv(values, &mut right, ROOT)?;
        let rows = input.as_ref().map(|input| (&input.matrix[..], &elements[..]));
        let mut matrix = vec![0.0; elements[world.rank()]];
        world.scatterv(rows, &mut matrix, ROOT)?;
        Ok(Share { tolerance: limit[0], unknowns, right, matrix, counts, first })
    }

    fn run(&self, world: &World, share: &Share) -> Result<Vec<f64>> {
        let mut change = f64::MAX;
        let mut x = vec![0.0; share.unknowns];
        while share.tolerance < change {
            let mut largest = 0.0;
            let mut next = vec![0.0; share.right.len()];
            for row in 0..share.right.len() {
                let mut sum = share.right[row];
                for column in 0..share.unknowns {
                    if row + share.first != column {
                        sum -= x[column] * share.matrix[column + share.unknowns * row];
                    }
                }
                next[row] = sum / share.matrix[row * share.unknowns + share.first + row];
                let difference = (next[row] - x[share.first + row]).abs();
                if largest < difference {
                    largest = difference;
                }
            }
            let mut all = [0.0];
            world.allreduce(&[largest], &mut all, Operation::Max)?;
            world.allgatherv(&next, &mut x, &share.counts)?;
            world.work(2 * share.matrix.len() as u64, 0);
            change = all[0];
        }
        Ok(x)
    }

    fn postprocessing(&self, world: &World, x: Vec<f64>) -> Result<Rooted<Solution>> {
        Ok(Rooted::on(world.rank() == ROOT, || Solution { x }))
    }
}

/// The number of rows of each rank.
fn split(rows: usize, ranks: usize) -> Vec<usize> {
    let mut counts = vec![rows / ranks; ranks];
    for rank in 0..rows % ranks {
        counts[rank] += 1;
    }
    counts
}
