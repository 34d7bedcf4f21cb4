//! The parallel version: each rank sorts its block, then the ranks exchange blocks as Batcher's network says.
//!
//! | stage | operations | communication (n numbers, P ranks, t = ceil(log2 P)) |
//! |---|---|---|
//! | preprocessing | each rank gets its block, padded to equal lengths with the largest number | n numbers |
//! | run | sort the own block; t (t + 1) / 2 stages: exchange blocks with one rank, merge one half | up to n numbers in each stage |
//! | postprocessing | the root gathers the blocks and removes the padding | n numbers |
//!
//! A rank sorts n / P numbers in about (n / P) log2 (n / P) steps, and each stage costs the transfer of a block and n / P
//! steps of the merge. So with L = log2 n
//!
//! ```text
//! E = L / (L - log2 P + t (t + 1) / 2 (1 + c))     with c for the transfer of a number, in comparisons
//! ```
//!
//! With a million numbers and two ranks there is one stage beside 19 levels of quicksort, and E is about 90 %. With P the
//! number of stages grows as log2(P)^2 / 2, and so the efficiency falls: at 64 ranks there are 21 stages.
use workbench::{Invalid, Place, Rank, Result, Rooted, Task, World};

use crate::{
    network::{self, Stage, half},
    problem::{Sorting, Unsorted},
    quicksort::{operations, quicksort},
    seq::Seq,
};

/// The rank that has the numbers at the beginning and at the end.
const ROOT: Rank = 0;

/// The tag of the blocks.
const BLOCK_TAG: i32 = 1;

/// Sorts in blocks.
pub struct Mpi;

/// A block of one rank, and the number of all numbers without the padding.
pub struct Block {
    values: Vec<i32>,
    count: usize,
}

impl Task for Mpi {
    type Problem = Sorting;
    type Prepared = Block;
    type Raw = Block;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Unsorted, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    /// The padding is sorted to the end, behind all numbers or among those that are equal to it.
    fn preprocessing(&self, world: &World, input: Rooted<Unsorted>) -> Result<Block> {
        let mut all = input.here().map(|input| input.values);
        let mut count = [all.as_ref().map_or(0, Vec::len)];
        world.bcast(&mut count, ROOT)?;
        let [count] = count;
        let length = count.div_ceil(world.size());
        if let Some(all) = &mut all {
            all.resize(length * world.size(), i32::MAX);
        }
        let mut values = vec![0; length];
        world.scatter(all.as_deref(), &mut values, ROOT)?;
        Ok(Block { values, count })
    }

    fn run(&self, world: &World, Block { values, count }: &Block) -> Result<Block> {
        let (mut values, length) = (values.clone(), values.len());
        world.work(operations(length), 0);
        quicksort(&mut values);
        let mut other = vec![0; length];
        for stage in Stage::all(world.size()) {
            let Some((partner, which)) = stage.partner(world.rank(), world.size()) else { continue };
            world.sendrecv(&values, partner, BLOCK_TAG, &mut other, partner, BLOCK_TAG)?;
            world.work(network::operations(length), 3 * size_of_val(&values[..]) as u64);
            values = half(&values, &other, which);
        }
        Ok(Block { values, count: *count })
    }

    fn postprocessing(&self, world: &World, Block { values, count }: Block) -> Result<Rooted<Vec<i32>>> {
        let mut all = (world.rank() == ROOT).then(|| vec![0; values.len() * world.size()]);
        world.gather(&values, all.as_deref_mut(), ROOT)?;
        if let Some(all) = &mut all {
            all.truncate(count);
        }
        Ok(all.into())
    }
}
