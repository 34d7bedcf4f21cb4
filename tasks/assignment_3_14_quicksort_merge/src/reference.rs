//! The instructor's sequential version: the library's sort, a quicksort that recognises patterns.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::problem::{Sort, Unsorted};

/// Sorts on one rank.
#[derive(Default)]
pub struct Reference;

impl Task for Reference {
    type Problem = Sort;
    type Prepared = Vec<i32>;
    type Raw = Vec<i32>;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, _input: &Unsorted, _ranks: usize) -> std::result::Result<(), Invalid> {
        Ok(())
    }

    fn preprocessing(&self, _world: &World, input: Rooted<Unsorted>) -> Result<Vec<i32>> {
        Ok(input.here().expect("the only rank has the input").values)
    }

    fn run(&self, world: &World, values: &Vec<i32>) -> Result<Vec<i32>> {
        let count = values.len() as u64;
        world.work(count * u64::from(count.max(1).ilog2()), 0);
        let mut values = values.clone();
        values.sort_unstable();
        Ok(values)
    }

    fn postprocessing(&self, _world: &World, values: Vec<i32>) -> Result<Rooted<Vec<i32>>> {
        Ok(Rooted::Here(values))
    }
}
