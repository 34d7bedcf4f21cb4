//! The sequential version: the reference for the parallel version's output, and the baseline of its speed-up.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::{
    problem::{Sorting, Unsorted},
    quicksort::{operations, quicksort},
};

/// Sorts on one rank.
pub struct Seq;

impl Task for Seq {
    type Problem = Sorting;
    type Prepared = Vec<i32>;
    type Raw = Vec<i32>;

    const OUTPUT: Place = Place::Home;

    /// Every list of numbers can be sorted.
    fn validation(&self, _input: &Unsorted, _ranks: usize) -> std::result::Result<(), Invalid> {
        Ok(())
    }

    fn preprocessing(&self, _world: &World, input: Rooted<Unsorted>) -> Result<Vec<i32>> {
        Ok(input.here().expect("the only rank has the input").values)
    }

    fn run(&self, world: &World, values: &Vec<i32>) -> Result<Vec<i32>> {
        world.work(operations(values.len()), 0);
        let mut sorted = values.clone();
        quicksort(&mut sorted);
        Ok(sorted)
    }

    fn postprocessing(&self, _world: &World, sorted: Vec<i32>) -> Result<Rooted<Vec<i32>>> {
        Ok(Rooted::Here(sorted))
    }
}
