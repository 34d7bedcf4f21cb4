//! The sequential version: the library's sort.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::{
    phases::sorting,
    problem::{Numbers, Sorting},
};

/// Sorts on one rank.
pub struct Seq;

impl Task for Seq {
    type Problem = Sorting;
    type Prepared = Vec<i64>;
    type Raw = Vec<i64>;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Numbers, ranks: usize) -> std::result::Result<(), Invalid> {
        let known = World::barriers(ranks).contains(&input.barrier.as_str());
        Invalid::unless(known, format!("there is no barrier {:?} for {ranks} ranks", input.barrier))
    }

    fn preprocessing(&self, _world: &World, input: Rooted<Numbers>) -> Result<Vec<i64>> {
        Ok(input.here().expect("the only rank has the input").values)
    }

    fn run(&self, world: &World, values: &Vec<i64>) -> Result<Vec<i64>> {
        world.work(sorting(values.len()), 0);
        let mut values = values.clone();
        values.sort_unstable();
        Ok(values)
    }

    fn postprocessing(&self, _world: &World, values: Vec<i64>) -> Result<Rooted<Vec<i64>>> {
        Ok(Rooted::Here(values))
    }
}
