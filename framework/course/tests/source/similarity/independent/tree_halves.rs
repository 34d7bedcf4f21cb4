//! Matrix times vector, over a tree: each rank that has rows gives the upper half of them to the rank half a step above.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::source::{
    problem::{Product, System},
    seq::Seq,
};

/// Recursive halving.
pub struct Mpi;

/// The rows of the ranks `rank..rank + span`.
pub struct Branch {
    columns: usize,
    lengths: Vec<u64>,
    values: Vec<f64>,
    vector: Vec<f64>,
}

fn parent_step(rank: usize, ranks: usize) -> usize {
    if rank == 0 { ranks.next_power_of_two() } else { 1 << rank.trailing_zeros() }
}

impl Task for Mpi {
    type Problem = Product;
    type Prepared = Branch;
    type Raw = Branch;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &System, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<System>) -> Result<Branch> {
        let (me, ranks) = (world.rank(), world.size());
        let mut step = parent_step(me, ranks);
        let mut branch = match input.here() {
            Some(system) => {
                let share = |rank: usize| ((rank + 1) * system.rows / ranks - rank * system.rows / ranks) as u64;
                let lengths = (0..ranks).map(share).collect();
                Branch { columns: system.columns, lengths, values: system.matrix, vector: system.vector }
            }
            None => {
                let parent = me - step;
                let (lengths, _) = world.recv_vec::<u64>(ranks, parent, 0)?;
                let (vector, status) = world.recv_vec::<f64>(1 << 24, parent, 1)?;
                let columns = status.count_of::<f64>().unwrap_or(1);
                let rows: u64 = lengths.iter().sum();
                let mut values = vec![0.0; rows as usize * columns];
                world.recv(&mut values, parent, 2)?;
                Branch { columns, lengths, values, vector }
            }
        };
        while step > 1 {
            step /= 2;
            if me + step < ranks {
                let upper = branch.lengths.split_off(step);
                let kept: u64 = branch.lengths.iter().sum();
                let given = branch.values.split_off(kept as usize * branch.columns);
                world.send(&upper, me + step, 0)?;
                world.send(&branch.vector, me + step, 1)?;
                world.send(&given, me + step, 2)?;
            }
        }
        Ok(branch)
    }

    fn run(&self, world: &World, branch: &Branch) -> Result<Branch> {
        let mut products = vec![0.0; branch.values.len() / branch.columns];
        for (at, value) in branch.values.iter().enumerate() {
            products[at / branch.columns] += value * branch.vector[at % branch.columns];
        }
        world.work(2 * branch.values.len() as u64, 0);
        Ok(Branch { columns: 1, lengths: branch.lengths.clone(), values: products, vector: vec![] })
    }

    fn postprocessing(&self, world: &World, mut branch: Branch) -> Result<Rooted<Vec<f64>>> {
        let (me, top) = (world.rank(), parent_step(world.rank(), world.size()));
        let mut step = 1;
        while step < top && me + step < world.size() {
            let child = world.probe(me + step, 3)?;
            let mut above = vec![0.0; child.count_of::<f64>().unwrap_or(0)];
            world.recv(&mut above, me + step, 3)?;
            branch.values.append(&mut above);
            step *= 2;
        }
        match me {
            0 => Ok(Rooted::Here(branch.values)),
            _ => world.send(&branch.values, me - top, 3).map(|()| Rooted::Elsewhere),
        }
    }
}
