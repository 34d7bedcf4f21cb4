//! The transfer of a vector along a route of neighbours, with send and receive only.
//!
//! Every rank knows the route, so each rank on it receives from the one before it and sends to the one behind it; the
//! other ranks do nothing. No rank waits for a later one, so there is no deadlock.
//!
//! | | |
//! |---|---|
//! | messages | the number of links of the route, at most `rows / 2 + columns / 2` |
//! | rounds | the same: a rank sends when it has the whole vector |
//! | time | `links (a + m b)` with latency `a`, `m` bytes and `b` seconds for each byte |
//!
//! The library's direct message costs `a + m b`: it does not use the topology. On a machine whose network is a torus,
//! each of its messages would use the same links.
use workbench::{Rank, Result, World};

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
