//! The sequential version: with one rank the vector is copied, and the route is computed.
//!
//! It is only the reference for the output. A copy in memory is not a baseline for a speed-up.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::{
    hypercube::Hypercube,
    problem::{Delivery, Letter, Routing},
};

/// Copies the vector.
pub struct Seq;

impl Task for Seq {
    type Problem = Routing;
    type Prepared = Letter;
    type Raw = Delivery;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Letter, _ranks: usize) -> std::result::Result<(), Invalid> {
        let Letter { from, to, ranks, .. } = input;
        Invalid::unless(input.has_ranks(), format!("rank {from} or {to} is not one of the ranks 0..{ranks}"))
    }

    fn preprocessing(&self, _world: &World, input: Rooted<Letter>) -> Result<Letter> {
        Ok(input.here().expect("the only rank has the input"))
    }

    fn run(&self, _world: &World, Letter { data, from, to, ranks }: &Letter) -> Result<Delivery> {
        let [from, to] = [from, to].map(|rank| rank.unsigned_abs() as usize);
        let route = Hypercube::of(*ranks).route(from, to);
        Ok(Delivery { data: data.clone(), route: route.iter().map(|rank| *rank as i32).collect() })
    }

    fn postprocessing(&self, _world: &World, delivery: Delivery) -> Result<Rooted<Delivery>> {
        Ok(Rooted::Here(delivery))
    }
}
