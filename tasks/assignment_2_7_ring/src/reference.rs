//! The instructor's sequential version.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::problem::{Delivery, Letter, Ring};

/// Copies the vector and computes the route.
#[derive(Default)]
pub struct Reference;

impl Task for Reference {
    type Problem = Ring;
    type Prepared = Letter;
    type Raw = Delivery;

    const OUTPUT: Place = Place::Home;

    /// The ring is that of the ranks, unless one rank computes the route on the ring of all.
    fn validation(&self, input: &Letter, ranks: usize) -> std::result::Result<(), Invalid> {
        let ring = input.ranks;
        Invalid::unless(ranks == 1 || ring == ranks, format!("a ring of {ring} for {ranks} ranks"))?;
        let exists = |rank: i32| usize::try_from(rank).is_ok_and(|rank| rank < ring);
        let both = exists(input.from) && exists(input.to);
        Invalid::unless(both, format!("from {} to {} of {ring} rank(s)", input.from, input.to))
    }

    fn preprocessing(&self, _world: &World, input: Rooted<Letter>) -> Result<Letter> {
        Ok(input.here().expect("the only rank has the input"))
    }

    fn run(&self, _world: &World, input: &Letter) -> Result<Delivery> {
        let ranks = i32::try_from(input.ranks).expect("MPI numbers its ranks with an int");
        let steps = (input.to - input.from - 1).rem_euclid(ranks) + 1;
        let route = (0..=steps).map(|step| (input.from + step) % ranks).collect();
        Ok(Delivery { data: input.data.clone(), route })
    }

    fn postprocessing(&self, _world: &World, delivery: Delivery) -> Result<Rooted<Delivery>> {
        Ok(Rooted::Here(delivery))
    }
}
