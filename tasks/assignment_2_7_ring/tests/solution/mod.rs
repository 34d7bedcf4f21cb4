//! A solution on several ranks: each rank sends on to the next one what it receives.
use assignment_2_7_ring::{Delivery, Letter, Reference, Ring};
use workbench::{Invalid, Place, Result, Rooted, Task, World};

const TAG: i32 = 1;

/// Each vector makes one full circle.
pub(crate) struct Passing;

impl Task for Passing {
    type Problem = Ring;
    type Prepared = Rooted<Letter>;
    type Raw = Rooted<Delivery>;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Letter, ranks: usize) -> std::result::Result<(), Invalid> {
        Invalid::unless(input.ranks == ranks, "another number of ranks")?;
        Reference.validation(input, ranks)
    }

    fn preprocessing(&self, _world: &World, input: Rooted<Letter>) -> Result<Rooted<Letter>> {
        Ok(input)
    }

    /// A message is the route, its length and the receiver in front of it, and behind it the numbers.
    fn run(&self, world: &World, letter: &Rooted<Letter>) -> Result<Rooted<Delivery>> {
        let (rank, ranks) = (world.rank(), world.size());
        let (next, before) = ((rank + 1) % ranks, (rank + ranks - 1) % ranks);
        let with_rank = |mut route: Vec<i32>, is_delivered: bool| {
            if !is_delivered {
                route.push(rank as i32);
            }
            route
        };
        if let Some(letter) = letter.as_ref().here() {
            if ranks == 1 {
                return Ok(Rooted::Here(Delivery { data: letter.data.clone(), route: vec![0, 0] }));
            }
            world.send(&[letter.to, letter.from], next, TAG)?;
            world.send(&letter.data, next, TAG)?;
            let (route, _) = world.recv_vec::<i32>(before, TAG)?;
            let (data, _) = world.recv_vec::<f64>(before, TAG)?;
            let is_delivered = route.last() == Some(&letter.to) && route.len() > 2;
            let route = with_rank(route[1..].to_vec(), is_delivered);
            return Ok(Rooted::Here(Delivery { data, route }));
        }
        let (route, _) = world.recv_vec::<i32>(before, TAG)?;
        let (data, _) = world.recv_vec::<f64>(before, TAG)?;
        let is_delivered = route.len() > 2 && route.last() == Some(&route[0]);
        world.send(&with_rank(route, is_delivered), next, TAG)?;
        world.send(&data, next, TAG)?;
        Ok(Rooted::Elsewhere)
    }

    fn postprocessing(&self, _world: &World, delivery: Rooted<Delivery>) -> Result<Rooted<Delivery>> {
        Ok(delivery)
    }
}
