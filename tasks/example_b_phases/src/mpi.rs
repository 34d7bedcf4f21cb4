//! The parallel version: each rank sorts its block, then the ranks execute the phases.
//!
//! | stage | operations | communication (n numbers, P ranks) |
//! |---|---|---|
//! | preprocessing | each rank gets its block, padded to equal length with the largest number | n numbers |
//! | run | sort the own block; P phases, each a neighbour's block and a barrier | (P - 1) n numbers, P barriers |
//! | postprocessing | the root gathers the blocks | n numbers |
use workbench::{Invalid, Place, Rank, Result, Rooted, Task, World};

use crate::{
    phases,
    problem::{Numbers, Sorting},
    seq::Seq,
};

/// The rank that has the numbers at the beginning and at the end.
const ROOT: Rank = 0;

/// Sorts in phases.
pub struct Mpi;

/// The input of one rank's `run`.
pub struct Share {
    block: Vec<i64>,
    count: usize,
    barrier: String,
}

/// The result of one rank's `run`.
pub struct Sorted {
    block: Vec<i64>,
    count: usize,
}

impl Task for Mpi {
    type Problem = Sorting;
    type Prepared = Share;
    type Raw = Sorted;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Numbers, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<Numbers>) -> Result<Share> {
        let (mut values, barrier) = match input.here() {
            Some(Numbers { values, barrier }) => (Some(values), barrier),
            None => (None, String::new()),
        };
        let mut lengths = [values.as_ref().map_or(0, Vec::len), barrier.len()];
        world.bcast(&mut lengths, ROOT)?;
        let [count, letters] = lengths;
        let mut name = barrier.into_bytes();
        name.resize(letters, 0);
        world.bcast(&mut name, ROOT)?;
        let length = count.div_ceil(world.size());
        if let Some(values) = &mut values {
            values.resize(length * world.size(), i64::MAX);
        }
        let mut block = vec![0; length];
        world.scatter(values.as_deref(), &mut block, ROOT)?;
        Ok(Share { block, count, barrier: String::from_utf8(name).expect("sent as a string") })
    }

    fn run(&self, world: &World, Share { block, count, barrier }: &Share) -> Result<Sorted> {
        let mut barrier = world.barrier_by(barrier)?;
        let mut block = block.clone();
        world.work(phases::sorting(block.len()), 0);
        block.sort_unstable();
        let window = phases::open(world, &block)?;
        // Creating the window is collective, so every rank's first block is in its window.
        let block = phases::sort(world, &window, || barrier.wait())?;
        window.free()?;
        barrier.free()?;
        Ok(Sorted { block, count: *count })
    }

    fn postprocessing(&self, world: &World, Sorted { block, count }: Sorted) -> Result<Rooted<Vec<i64>>> {
        let mut all = (world.rank() == ROOT).then(|| vec![0; block.len() * world.size()]);
        world.gather(&block, all.as_deref_mut(), ROOT)?;
        if let Some(all) = &mut all {
            all.truncate(count);
        }
        Ok(all.into())
    }
}
