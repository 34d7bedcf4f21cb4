//! The instructor's sequential version.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::problem::{Delivery, Letter, Ring};

/// Copies the vector and computes the route; where the number of ranks is not fixed, on the smallest possible ring.
#[derive(Default)]
pub struct Reference;

impl Task for Reference {
    type Problem = Ring;
    type Prepared = Letter;
    type Raw = Delivery;

    const OUTPUT: Place = Place::Home;

    /// Both are ranks of another world of unknown size, so only negative ones are rejected.
    fn validation(&self, input: &Letter, _ranks: usize) -> std::result::Result<(), Invalid> {
        Invalid::unless(input.from >= 0 && input.to >= 0, format!("from {} to {}", input.from, input.to))?;
        let exists =
            |rank: i32| input.ranks.is_none_or(|ranks| usize::try_from(rank).is_ok_and(|rank| rank < ranks));
        Invalid::unless(exists(input.from) && exists(input.to), "a rank that does not exist")
    }

    fn preprocessing(&self, _world: &World, input: Rooted<Letter>) -> Result<Letter> {
        Ok(input.here().expect("the only rank has the input"))
    }

    fn run(&self, _world: &World, input: &Letter) -> Result<Delivery> {
        let smallest = input.from.max(input.to) + 1;
        let ranks = input.ranks.and_then(|ranks| i32::try_from(ranks).ok()).unwrap_or(smallest);
        let steps = (input.to - input.from - 1).rem_euclid(ranks) + 1;
        let route = (0..=steps).map(|step| (input.from + step) % ranks).collect();
        Ok(Delivery { data: input.data.clone(), route })
    }

    fn postprocessing(&self, _world: &World, delivery: Delivery) -> Result<Rooted<Delivery>> {
        Ok(Rooted::Here(delivery))
    }
}
