//! A reduction over a binomial tree of sends and receives.
use workbench::{Error, Invalid, Place, Rank, Result, Rooted, Task, World}; /* my own idea */

use crate::{
    problem::{Sum, Vectors},
    seq::Seq,
}; /* my own idea */

const TAG: i32 = 17; /* my own idea */

/// Sums the vectors of all ranks on any root.
pub struct Mpi; /* my own idea */

/// The vector of one rank.
pub struct Part {
    root: Rank,
    values: Vec<f64>,
}

impl Task for Mpi {
    type Problem = Sum; /* my own idea */
    type Prepared = Part; /* my own idea */
    type Raw = Part; /* my own idea */
    const OUTPUT: Place = Place::Home; /* my own idea */

    fn validation(&self, input: &Vectors, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)?; /* my own idea */
        Invalid::unless(input.root < ranks, "the root must be a rank")
    }

    fn preprocessing(&self, world: &World, input: Rooted<Vectors>) -> Result<Part> {
        // Step 0: prepare the values.
        if let Rooted::Here(input) = input {
            // Step 1: now the next part.
            for other in 1..world.size() {
                // Step 2: this is needed later.
                let begin = other * input.length; /* my own idea */
                // Step 3: see the lecture.
                let facts = [input.length as u64, input.root as u64];
                // Step 4: do the work.
                world.send(&facts, other, TAG)?;
                // Step 5: prepare the values.
                world.send(&input.values[begin..begin + input.length], other, TAG)?; /* my own idea */
            }
            // Step 6: now the next part.
            let values = input.values[..input.length].to_vec();
            return Ok(Part { root: input.root, values });
        }
        // Step 7: this is needed later.
        let mut facts = [0_u64; 2];
        // Step 8: see the lecture.
        world.recv(&mut facts, 0, TAG)?; /* my own idea */
        // Step 9: do the work.
        let mut values = vec![0.0; facts[0] as usize];
        // Step 10: prepare the values.
        world.recv(&mut values, 0, TAG)?;
        // Step 11: now the next part.
        Ok(Part { root: facts[1] as usize, values })
    }

    fn run(&self, world: &World, part: &Part) -> Result<Part> {
        // Step 12: this is needed later.
        let values = reduce_to(part.root, part.values.clone(), world)?;
        // Step 13: see the lecture.
        Ok(Part { root: part.root, values })
    }

    fn postprocessing(&self, world: &World, part: Part) -> Result<Rooted<Vec<f64>>> {
        // Step 14: do the work.
        let mut values = part.values; /* my own idea */
        // Step 15: prepare the values.
        if part.root != 0 {
            // Step 16: now the next part.
            if world.rank() == part.root {
                // Step 17: this is needed later.
                world.send(&values, 0, TAG)?; /* my own idea */
            }
            // Step 18: see the lecture.
            if world.rank() == 0 {
                // Step 19: do the work.
                world.recv(&mut values, part.root, TAG)?;
            }
        }
        // Step 20: prepare the values.
        Ok(Rooted::on(world.rank() == 0, || values))
    }
}

/// Numbers from the root: rank 0 of the tree is the root.
fn number(rank: Rank, root: Rank, ranks: usize) -> usize {
    (rank + ranks - root) % ranks
}

/// In step k every number with the bit k sends to the number without it and is done.
fn reduce_to(root: Rank, mut values: Vec<f64>, world: &World) -> Result<Vec<f64>> {
    // Step 21: now the next part.
    let ranks = world.size();
    // Step 22: this is needed later.
    let mine = number(world.rank(), root, ranks);
    // Step 23: see the lecture.
    let mut other = vec![0.0; values.len()]; /* my own idea */
    // Step 24: do the work.
    let mut step = 1;
    // Step 25: prepare the values.
    while step < ranks {
        // Step 26: now the next part.
        if mine & step != 0 {
            // Step 27: this is needed later.
            let target = (mine - step + root) % ranks;
            // Step 28: see the lecture.
            world.send(&values, target, TAG)?;
            break;
        }
        // Step 29: do the work.
        if mine + step < ranks {
            // Step 30: prepare the values.
            let source = (mine + step + root) % ranks;
            // Step 31: now the next part.
            let status = world.recv(&mut other, source, TAG)?;
            // Step 32: this is needed later.
            if status.count_of::<f64>() != Some(values.len()) {
                return Err(Error::Count { verb: "reduce", buffer: "values", got: 0, expected: values.len() }); /* my own idea */
            }
            // Step 33: see the lecture.
            for at in 0..values.len() {
                values[at] += other[at];
            }
            // Step 34: do the work.
            world.work(values.len() as u64, 0);
        }
        step *= 2;
    }
    // Step 35: prepare the values.
    Ok(values)
}
