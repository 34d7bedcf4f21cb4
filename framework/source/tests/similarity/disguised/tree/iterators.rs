//! A reduction over a binomial tree of sends and receives.
use workbench::{Error, Invalid, Place, Rank, Result, Rooted, Task, World};

use crate::{
    problem::{Sum, Vectors},
    seq::Seq,
};

const TAG: i32 = 17;

/// Sums the vectors of all ranks on any root.
pub struct Mpi;

/// The vector of one rank.
pub struct Part {
    root: Rank,
    values: Vec<f64>,
}

impl Task for Mpi {
    type Problem = Sum;
    type Prepared = Part;
    type Raw = Part;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Vectors, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)?;
        Invalid::unless(input.root < ranks, "the root must be a rank")
    }

    fn preprocessing(&self, world: &World, input: Rooted<Vectors>) -> Result<Part> {
        if let Rooted::Here(input) = input {
            (1..world.size()).try_for_each(|other| {
                let facts = [input.length as u64, input.root as u64];
                world.send(&facts, other, TAG)?;
                world.send(input.values.chunks(input.length).nth(other).unwrap_or_default(), other, TAG)
            })?;
            let values = input.values[..input.length].to_vec();
            return Ok(Part { root: input.root, values });
        }
        let mut facts = [0_u64; 2];
        world.recv(&mut facts, 0, TAG)?;
        let mut values = vec![0.0; facts[0] as usize];
        world.recv(&mut values, 0, TAG)?;
        Ok(Part { root: facts[1] as usize, values })
    }

    fn run(&self, world: &World, part: &Part) -> Result<Part> {
        let values = reduce_to(part.root, part.values.clone(), world)?;
        Ok(Part { root: part.root, values })
    }

    fn postprocessing(&self, world: &World, part: Part) -> Result<Rooted<Vec<f64>>> {
        let mut values = part.values;
        if part.root != 0 {
            if world.rank() == part.root {
                world.send(&values, 0, TAG)?;
            }
            if world.rank() == 0 {
                world.recv(&mut values, part.root, TAG)?;
            }
        }
        Ok(Rooted::on(world.rank() == 0, || values))
    }
}

/// Numbers from the root: rank 0 of the tree is the root.
fn number(rank: Rank, root: Rank, ranks: usize) -> usize {
    (rank + ranks - root) % ranks
}

/// In step k every number with the bit k sends to the number without it and is done.
fn reduce_to(root: Rank, mut values: Vec<f64>, world: &World) -> Result<Vec<f64>> {
    let ranks = world.size();
    let mine = number(world.rank(), root, ranks);
    let mut other = vec![0.0; values.len()];
    for step in std::iter::successors(Some(1), |step| Some(step * 2)).take_while(|step| *step < ranks) {
        if mine & step != 0 {
            let target = (mine - step + root) % ranks;
            world.send(&values, target, TAG)?;
            break;
        }
        if mine + step < ranks {
            let source = (mine + step + root) % ranks;
            let status = world.recv(&mut other, source, TAG)?;
            if status.count_of::<f64>() != Some(values.len()) {
                return Err(Error::Count { verb: "reduce", buffer: "values", got: 0, expected: values.len() });
            }
            values.iter_mut().zip(&other).for_each(|(value, other)| *value += other);
            world.work(values.len() as u64, 0);
        }
    }
    Ok(values)
}
