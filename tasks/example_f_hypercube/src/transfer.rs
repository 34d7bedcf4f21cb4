//! The transfer of a vector along a route of neighbours, with send and receive only.
//!
//! Every rank knows the route, so each rank on it receives from the one before it and sends to the one behind it; the
//! other ranks do nothing. No rank waits for a later one, so there is no deadlock.
//!
//! | | |
//! |---|---|
//! | messages | the number of links of the route, at most `ceil(log2 P)` |
//! | rounds | the same: a rank sends when it has the whole vector |
//! | time | `links (a + m b)` with latency `a`, `m` bytes and `b` seconds for each byte |
//!
//! The library's direct message costs `a + m b`: it does not use the topology. On a machine whose network is a hypercube,
//! each of its messages would use the same links.
use workbench::{Communication, Rank, Result, World};

use crate::hypercube::Hypercube;

/// The tag of the data.
pub const DATA_TAG: i32 = 1;

/// Transfers `data` along `route`: it is sent on the first rank and returned on each rank of the route. A rank that is
/// not on the route returns `None`.
///
/// # Errors
/// The errors of [`World::send`] and [`World::recv_vec`].
pub fn transfer<T: workbench::Wire>(
    world: &World,
    route: &[Rank],
    data: &[T],
    tag: i32,
) -> Result<Option<Vec<T>>> {
    let Some(at) = route.iter().position(|rank| *rank == world.rank()) else { return Ok(None) };
    let data = match at {
        0 => data.to_vec(),
        _ => world.recv_vec(route[at - 1], tag)?.0,
    };
    if let Some(next) = route.get(at + 1) {
        world.send(&data, *next, tag)?;
    }
    Ok(Some(data))
}

/// From the root to a rank that is farthest from it, over the hypercube and by a direct message. The formulas are those of
/// root 0; in an incomplete hypercube another root may have a longer way.
pub struct Opposite;

impl Communication for Opposite {
    const OPERATION: &'static str = "send";
    const ALGORITHM: &'static str = "hypercube";
    const MESSAGES: &'static str = "floor(log2 P)";
    const ROUNDS: &'static str = "floor(log2 P)";

    fn own(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        let hypercube = Hypercube::of(world.size());
        let received = transfer(world, &hypercube.route(root, hypercube.opposite(root)), data, DATA_TAG)?;
        if let (Some(received), true) = (received, world.rank() == hypercube.opposite(root)) {
            data.copy_from_slice(&received);
        }
        Ok(())
    }

    fn library(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        let opposite = Hypercube::of(world.size()).opposite(root);
        match world.rank() {
            _ if root == opposite => Ok(()),
            rank if rank == root => world.send(data, opposite, DATA_TAG),
            rank if rank == opposite => world.recv(data, root, DATA_TAG).map(|_| ()),
            _ => Ok(()),
        }
    }

    fn messages(&self, ranks: usize) -> u64 {
        ranks.ilog2().into()
    }

    fn rounds(&self, ranks: usize) -> u64 {
        self.messages(ranks)
    }
}
