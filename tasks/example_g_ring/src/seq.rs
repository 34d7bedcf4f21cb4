//! The sequential version: with one rank the vector is copied, and the route is computed.
//!
//! It is only the reference for the output. A copy in memory is not a baseline for a speed-up.
use assignment_2_7_ring::{Delivery, Letter, Ring};
use workbench::{Invalid, Place, Result, Rooted, Task, World};

/// Copies the vector.
pub struct Seq;

impl Task for Seq {
    type Problem = Ring;
    type Prepared = Letter;
    type Raw = Delivery;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Letter, ranks: usize) -> std::result::Result<(), Invalid> {
        let Letter { from, to, ranks: ring, .. } = *input;
        Invalid::unless(ring == ranks, format!("a ring of {ring} ranks for {ranks} ranks"))?;
        let exists = |rank: i32| usize::try_from(rank).is_ok_and(|rank| rank < ring);
        let both_exist = exists(from) && exists(to);
        Invalid::unless(both_exist, format!("rank {from} or {to} is not one of the ranks 0..{ring}"))
    }

    fn preprocessing(&self, _world: &World, input: Rooted<Letter>) -> Result<Letter> {
        Ok(input.here().expect("the only rank has the input"))
    }

    /// On one rank the route is once around the ring of this rank.
    fn run(&self, _world: &World, letter: &Letter) -> Result<Delivery> {
        Ok(Delivery { data: letter.data.clone(), route: vec![letter.from, letter.to] })
    }

    fn postprocessing(&self, _world: &World, delivery: Delivery) -> Result<Rooted<Delivery>> {
        Ok(Rooted::Here(delivery))
    }
}
