//! The parallel version: the vector goes along the route, and the delivery comes back on the same way.
//!
//! | stage | communication | messages |
//! |---|---|---|
//! | preprocessing | the ranks get a communicator of their own, then the two addresses | 2 collective calls |
//! | run | the vector goes along the route; each rank on it adds its number to a list, which goes along | 2 for each link |
//! | postprocessing | the vector and the list go back from `to` to `from` | 2 for each link |
//!
//! Only rank `from` knows the addresses at first, and no rank knows which one that is. So every other rank contributes
//! zeros to a maximum. In a communicator of its own the topology's messages cannot meet others with the same tag.
use std::rc::Rc;

use workbench::{Communication, Invalid, Operation, Place, Rank, Result, Rooted, Task, World};

use crate::{
    problem::{Delivery, Letter, Routing},
    seq::Seq,
    torus::Torus,
    transfer::{DATA_TAG, transfer},
};

/// The tag of the list of ranks.
const ROUTE_TAG: i32 = 2;

/// Sends the vector over the torus.
pub struct Mpi;

/// What a rank knows before the transfer.
pub struct Share {
    /// The communicator of the topology.
    links: Rc<World>,
    /// The ranks on the way.
    route: Vec<Rank>,
    /// The vector on rank `from`, nothing elsewhere.
    data: Vec<f64>,
}

/// What a rank has after the transfer.
pub struct Arrived {
    links: Rc<World>,
    route: Vec<Rank>,
    /// The vector and the list on rank `to`, nothing elsewhere.
    delivery: Option<Delivery>,
}

impl Task for Mpi {
    type Problem = Routing;
    type Prepared = Share;
    type Raw = Arrived;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Letter, ranks: usize) -> std::result::Result<(), Invalid> {
        let torus = input.ranks;
        Invalid::unless(torus == ranks, format!("a torus of {torus} ranks for {ranks} ranks"))?;
        Seq.validation(input, 1)
    }

    fn preprocessing(&self, world: &World, input: Rooted<Letter>) -> Result<Share> {
        let links = Rc::new(world.dup()?);
        let mine = input.as_ref().here().map_or([0; 2], |input| [input.from, input.to]);
        let mut agreed = [0; 2];
        world.allreduce(&mine, &mut agreed, Operation::Max)?;
        let [from, to] = agreed.map(|rank| rank.unsigned_abs() as usize);
        let route = Torus::of(world.size()).route(from, to);
        Ok(Share { links, route, data: input.here().map(|input| input.data).unwrap_or_default() })
    }

    fn run(&self, _world: &World, Share { links, route, data }: &Share) -> Result<Arrived> {
        let visited = visit(links, route)?;
        let data = transfer(links, route, data, DATA_TAG)?;
        let is_last = route.last() == Some(&links.rank());
        let delivery = visited.zip(data).filter(|_| is_last).map(|(route, data)| Delivery { data, route });
        Ok(Arrived { links: Rc::clone(links), route: route.clone(), delivery })
    }

    fn postprocessing(&self, _world: &World, arrived: Arrived) -> Result<Rooted<Delivery>> {
        let Arrived { links, route, delivery } = arrived;
        let back: Vec<Rank> = route.iter().rev().copied().collect();
        let Delivery { data, route } = delivery.unwrap_or(Delivery { data: vec![], route: vec![] });
        let route = transfer(&links, &back, &route, ROUTE_TAG)?;
        let data = transfer(&links, &back, &data, DATA_TAG)?;
        let is_home = back.last() == Some(&links.rank());
        Ok(route.zip(data).filter(|_| is_home).map(|(route, data)| Delivery { data, route }).into())
    }
}

/// Sends a list along the route, to which each rank adds its number. Returns it on each rank of the route.
fn visit(links: &World, route: &[Rank]) -> Result<Option<Vec<i32>>> {
    let Some(at) = route.iter().position(|rank| *rank == links.rank()) else { return Ok(None) };
    let mut visited = match at {
        0 => vec![],
        _ => links.recv_vec(route[at - 1], ROUTE_TAG)?.0,
    };
    visited.push(i32::try_from(links.rank()).expect("MPI numbers its ranks with an int"));
    if let Some(next) = route.get(at + 1) {
        links.send(&visited, *next, ROUTE_TAG)?;
    }
    Ok(Some(visited))
}

/// From the root to the rank that is farthest from it, over the torus and by a direct message.
impl Communication for Mpi {
    const OPERATION: &'static str = "send";
    const ALGORITHM: &'static str = "torus";
    const MESSAGES: &'static str = "R / 2 + C / 2";
    const ROUNDS: &'static str = "R / 2 + C / 2";

    fn own(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        let torus = Torus::of(world.size());
        let received = transfer(world, &torus.route(root, torus.opposite(root)), data, DATA_TAG)?;
        if let (Some(received), true) = (received, world.rank() == torus.opposite(root)) {
            data.copy_from_slice(&received);
        }
        Ok(())
    }

    fn library(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        let opposite = Torus::of(world.size()).opposite(root);
        match world.rank() {
            _ if root == opposite => Ok(()),
            rank if rank == root => world.send(data, opposite, DATA_TAG),
            rank if rank == opposite => world.recv(data, root, DATA_TAG).map(|_| ()),
            _ => Ok(()),
        }
    }

    fn messages(&self, ranks: usize) -> u64 {
        let torus = Torus::of(ranks);
        torus.distance(0, torus.opposite(0)) as u64
    }

    fn rounds(&self, ranks: usize) -> u64 {
        self.messages(ranks)
    }
}
