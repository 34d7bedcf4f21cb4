//! Jacobi's method, rows in strips.
use workbench::{Invalid, Operation, Place, Rank, Result, Rooted, Task, World};

use crate::{
    problem::{Equations, Solution},
    seq::Seq,
};

const ROOT: Rank = 0;
const NOTHING: f32 = 0.0;
const WORK: u32 = 2;

/// Every rank computes the unknowns of its rows.
pub struct Mpi;

/// The rows of one rank.
pub struct Share {
    first: usize,
    counts: Vec<usize>,
    matrix: Vec<f32>,
    right: Vec<f32>,
    unknowns: usize,
    tolerance: f32,
}

impl Task for Mpi {
    type Problem = Equations;
    type Prepared = Share;
    type Raw = Vec<f32>;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Equations, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<Equations>) -> Result<Share> {
        let input = input.here();
        let mut size = [0_u32];
        let mut limit = [NOTHING];
        if let Some(input) = &input {
            size[0] = input.right.len() as u32;
            limit[0] = input.tolerance;
        }
        world.bcast(&mut size, ROOT)?;
        world.bcast(&mut limit, ROOT)?;
        let unknowns = size[0] as usize;
        let counts = split(unknowns, world.size());
        let elements: Vec<usize> = counts.iter().map(|count| count * unknowns).collect();
        let mut matrix = vec![NOTHING; elements[world.rank()]];
        let mut right = vec![NOTHING; counts[world.rank()]];
        let rows = input.as_ref().map(|input| (&input.matrix[..], &elements[..]));
        world.scatterv(rows, &mut matrix, ROOT)?;
        let values = input.as_ref().map(|input| (&input.right[..], &counts[..]));
        world.scatterv(values, &mut right, ROOT)?;
        let first = counts[..world.rank()].iter().sum();
        Ok(Share { first, counts, matrix, right, unknowns, tolerance: limit[0] })
    }

    fn run(&self, world: &World, share: &Share) -> Result<Vec<f32>> {
        let mut x = vec![NOTHING; share.unknowns];
        let mut change = f32::MAX;
        while change > share.tolerance {
            let mut next = vec![NOTHING; share.right.len()];
            let mut largest = NOTHING;
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
            world.work(WORK * share.matrix.len() as u32, 0);
            world.allgatherv(&next, &mut x, &share.counts)?;
            let mut all = [NOTHING];
            world.allreduce(&[largest], &mut all, Operation::Max)?;
            change = all[0];
        }
        Ok(x)
    }

    fn postprocessing(&self, world: &World, x: Vec<f32>) -> Result<Rooted<Solution>> {
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
