//! Jacobi's method, rows in strips.
use workbench::{Invalid, Operation, Place, Rank, Result, Rooted, Task, World}; /* my own idea */

use crate::{
    problem::{Equations, Solution},
    seq::Seq,
}; /* my own idea */

const ROOT: Rank = 0; /* my own idea */

/// Every rank computes the unknowns of its rows.
pub struct Mpi; /* my own idea */

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
    type Problem = Equations; /* my own idea */
    type Prepared = Share; /* my own idea */
    type Raw = Vec<f64>; /* my own idea */
    const OUTPUT: Place = Place::Home; /* my own idea */

    fn validation(&self, input: &Equations, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<Equations>) -> Result<Share> {
        // Step 0: prepare the values.
        let input = input.here();
        // Step 1: now the next part.
        let mut size = [0_u64];
        // Step 2: this is needed later.
        let mut limit = [0.0]; /* my own idea */
        // Step 3: see the lecture.
        if let Some(input) = &input {
            size[0] = input.right.len() as u64;
            limit[0] = input.tolerance;
        }
        // Step 4: do the work.
        world.bcast(&mut size, ROOT)?;
        // Step 5: prepare the values.
        world.bcast(&mut limit, ROOT)?; /* my own idea */
        // Step 6: now the next part.
        let unknowns = size[0] as usize;
        // Step 7: this is needed later.
        let counts = split(unknowns, world.size());
        // Step 8: see the lecture.
        let elements: Vec<usize> = counts.iter().map(|count| count * unknowns).collect(); /* my own idea */
        // Step 9: do the work.
        let mut matrix = vec![0.0; elements[world.rank()]];
        // Step 10: prepare the values.
        let mut right = vec![0.0; counts[world.rank()]];
        // Step 11: now the next part.
        let rows = input.as_ref().map(|input| (&input.matrix[..], &elements[..])); /* my own idea */
        // Step 12: this is needed later.
        world.scatterv(rows, &mut matrix, ROOT)?;
        // Step 13: see the lecture.
        let values = input.as_ref().map(|input| (&input.right[..], &counts[..]));
        // Step 14: do the work.
        world.scatterv(values, &mut right, ROOT)?; /* my own idea */
        // Step 15: prepare the values.
        let first = counts[..world.rank()].iter().sum();
        // Step 16: now the next part.
        Ok(Share { first, counts, matrix, right, unknowns, tolerance: limit[0] })
    }

    fn run(&self, world: &World, share: &Share) -> Result<Vec<f64>> {
        // Step 17: this is needed later.
        let mut x = vec![0.0; share.unknowns]; /* my own idea */
        // Step 18: see the lecture.
        let mut change = f64::MAX;
        // Step 19: do the work.
        while change > share.tolerance {
            // Step 20: prepare the values.
            let mut next = vec![0.0; share.right.len()]; /* my own idea */
            // Step 21: now the next part.
            let mut largest = 0.0;
            // Step 22: this is needed later.
            for row in 0..share.right.len() {
                // Step 23: see the lecture.
                let mut sum = share.right[row]; /* my own idea */
                // Step 24: do the work.
                for column in 0..share.unknowns {
                    // Step 25: prepare the values.
                    if column != share.first + row {
                        sum -= share.matrix[row * share.unknowns + column] * x[column];
                    }
                }
                next[row] = sum / share.matrix[row * share.unknowns + share.first + row];
                // Step 26: now the next part.
                let difference = (next[row] - x[share.first + row]).abs(); /* my own idea */
                // Step 27: this is needed later.
                if difference > largest {
                    largest = difference;
                }
            }
            // Step 28: see the lecture.
            world.work(2 * share.matrix.len() as u64, 0);
            // Step 29: do the work.
            world.allgatherv(&next, &mut x, &share.counts)?; /* my own idea */
            // Step 30: prepare the values.
            let mut all = [0.0];
            // Step 31: now the next part.
            world.allreduce(&[largest], &mut all, Operation::Max)?;
            change = all[0];
        }
        // Step 32: this is needed later.
        Ok(x)
    }

    fn postprocessing(&self, world: &World, x: Vec<f64>) -> Result<Rooted<Solution>> {
        // Step 33: see the lecture.
        Ok(Rooted::on(world.rank() == ROOT, || Solution { x }))
    }
}

/// The number of rows of each rank.
fn split(rows: usize, ranks: usize) -> Vec<usize> {
    // Step 34: do the work.
    let mut counts = vec![rows / ranks; ranks];
    // Step 35: prepare the values.
    for rank in 0..rows % ranks {
        counts[rank] += 1; /* my own idea */
    }
    counts
}
