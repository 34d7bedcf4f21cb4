//! Broadcast over a binomial tree, with nothing but send and receive.
//!
//! Ranks are renumbered so that the root is 0: `v = (rank - root + size) mod size`. Then every rank is reached from the
//! one whose virtual rank is its own **without the most significant bit**, and goes on to those who have one bit more:
//!
//! ```text
//! parent of v > 0:  v without its highest set bit
//! children of v:    v + 2^j  for j = bit length of v, ... while v + 2^j < size, in increasing j
//!
//! size = 8:          0                  round 1:  0 -> 1
//!               ____/|\____             round 2:  0 -> 2, 1 -> 3
//!              1     2     4            round 3:  0 -> 4, 1 -> 5, 2 -> 6, 3 -> 7
//!             / \    |
//!            3   5   6
//!            |
//!            7
//! ```
//!
//! In each round everybody who has the data sends once, so their number doubles: `size - 1` messages in
//! `ceil(log2 size)` rounds. Fewer messages cannot do, since each rank but the root must get one, and in fewer rounds a
//! rank that sends to one other at a time cannot reach everybody. The order of the children matters: the first child
//! has the largest subtree behind it and must get the data first.
//!
//! Each round carries the whole buffer, so the time is `ceil(log2 P) (a + m b)` with latency `a`, `m` bytes and `b`
//! seconds a byte: it *grows* with P. For long buffers other algorithms (pipelines, scatter and allgather) are better.
use std::iter::successors;

use workbench::{Communication, Error, Rank, Result, Wire, World};

/// The tag of the tree's messages. The caller's messages on the same world must not have it: unlike the library we have
/// no hidden context for our own.
pub const TAG: i32 = 1;

/// `MPI_Bcast(buffer, count, datatype, root, comm)`: what `buffer` holds on `root` it holds on every rank afterwards.
///
/// Every rank calls it with the same `root` and the same `buffer.len()`; count and datatype are the slice's own. An
/// empty buffer is done at once, without a message.
///
/// # Errors
/// [`Error::Rank`] for a root outside `0..size` (`MPI_ERR_ROOT`), on every rank and before anything is sent;
/// [`Error::Truncated`] or [`Error::Count`] when the sender's buffer was longer or shorter (`MPI_ERR_TRUNCATE`,
/// `MPI_ERR_COUNT`); what [`World::send`] and [`World::recv`] can meet.
pub fn broadcast<T: Wire>(buffer: &mut [T], root: i32, world: &World) -> Result<()> {
    let size = world.size();
    let root = existing(root, size)?;
    if buffer.is_empty() {
        return Ok(());
    }
    let real = |v: usize| (v + root) % size;
    let v = (world.rank() + size - root) % size;
    if let Some(parent) = parent(v) {
        receive_all(buffer, real(parent), world)?;
    }
    for child in children(v, size) {
        world.send(buffer, real(child), TAG)?;
    }
    Ok(())
}

/// The root as a rank, if there is such a rank.
fn existing(root: i32, size: usize) -> Result<Rank> {
    let rank = usize::try_from(root).ok().filter(|&rank| rank < size);
    rank.ok_or(Error::Rank { role: "root", rank: root.into(), size })
}

/// How many bits virtual rank `v` has: it gets the data in round `length(v)`.
fn length(v: usize) -> u32 {
    usize::BITS - v.leading_zeros()
}

/// Who sends to virtual rank `v`: `v` without its most significant bit.
fn parent(v: usize) -> Option<usize> {
    let highest = v.checked_ilog2()?;
    Some(v - (1 << highest))
}

/// To whom virtual rank `v` sends, in this order: `v` with one more bit above its own, while there is such a rank.
fn children(v: usize, size: usize) -> impl Iterator<Item = usize> {
    let bits = successors(Some(1 << length(v)), |bit| Some(bit * 2));
    bits.map(move |bit| v + bit).take_while(move |&child| child < size)
}

/// Receives exactly as many elements as `buffer` has: a shorter message means that the ranks disagree on the count.
fn receive_all<T: Wire>(buffer: &mut [T], from: Rank, world: &World) -> Result<()> {
    let expected = buffer.len();
    let status = world.recv(buffer, from, TAG)?;
    match status.count(T::DATATYPE) {
        Some(got) if got != expected => {
            Err(Error::Count { verb: "broadcast", buffer: "the sender's buffer", got, expected })
        }
        _ => Ok(()),
    }
}

/// The function above beside the library's `MPI_Bcast`, for the measurement of latency and bandwidth.
pub struct Broadcast;

impl Communication for Broadcast {
    const OPERATION: &'static str = "bcast";
    const MESSAGES: &'static str = "P - 1";
    const ROUNDS: &'static str = "ceil(log2 P)";

    fn own(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        let root = i32::try_from(root).expect("MPI numbers its ranks with an int");
        broadcast(data, root, world)
    }

    fn library(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        world.bcast(data, root)
    }

    fn messages(&self, ranks: usize) -> u64 {
        ranks as u64 - 1
    }

    fn rounds(&self, ranks: usize) -> u64 {
        ranks.next_power_of_two().trailing_zeros().into()
    }
}
