//! Jacobi's method, rows in strips.
use workbench::{Invalid, Operation, Place, Rank, Result, Rooted, Task, World};

use crate::source::{
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
        let mut size = [0_u64];
        let mut limit = [0.0];
        if let Some(input) = &input {
            size[0] = input.right.len() as u64;
            limit[0] = input.tolerance;
        }
        world.bcast(&mut size, ROOT)?;
        world.bcast(&mut limit, ROOT)?;
        let unknowns = size[0] as usize;
        let mut counts = vec![unknowns / world.size(); world.size()];
        for rank in 0..unknowns % world.size() {
            counts[rank] += 1;
        }
        let elements: Vec<usize> = counts.iter().map(|count| count * unknowns).collect();
        let mut matrix = vec![0.0; elements[world.rank()]];
        let mut right = vec![0.0; counts[world.rank()]];
        let rows = input.as_ref().map(|input| (&input.matrix[..], &elements[..]));
        world.scatterv(rows, &mut matrix, ROOT)?;
        let values = input.as_ref().map(|input| (&input.right[..], &counts[..]));
        world.scatterv(values, &mut right, ROOT)?;
        let first = counts[..world.rank()].iter().sum();
        Ok(Share { first, counts, matrix, right, unknowns, tolerance: limit[0] })
    }

    fn run(&self, world: &World, share: &Share) -> Result<Vec<f64>> {
        let mut x = vec![0.0; share.unknowns];
        let mut change = f64::MAX;
        while change > share.tolerance {
            let mut next = vec![0.0; share.right.len()];
            let mut largest = 0.0;
            for row in 0..share.right.len() {
                let mut sum = share.right[row];
                for column in 0..share.unknowns {
                    if column != share.first + row {
                        sum -= share.matrix[row * share.unknowns + column] * x[column];
                    }
                }
                next[row] = sum / share.matrix[row * share.unknowns + share.first + row];
                let difference = (next[row] - x[share.first + row]).abs();
                if difference > largest {
                    largest = difference;
                }
            }
            world.work(2 * share.matrix.len() as u64, 0);
            world.allgatherv(&next, &mut x, &share.counts)?;
            let mut all = [0.0];
            world.allreduce(&[largest], &mut all, Operation::Max)?;
            change = all[0];
        }
        Ok(x)
    }

    fn postprocessing(&self, world: &World, x: Vec<f64>) -> Result<Rooted<Solution>> {
        Ok(Rooted::on(world.rank() == ROOT, || Solution { x }))
    }
}
