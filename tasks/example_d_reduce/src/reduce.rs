//! Reduce over a binomial tree that uses only send and receive.
//!
//! Ranks are renumbered so that the root is 0: `v = (rank - root + size) mod size`. The parent of a virtual rank is
//! this rank **without the least significant bit**; its children differ from it in one bit below that one:
//!
//! ```text
//! parent of v > 0:   v without its lowest set bit
//! children of v:     v + 2^j  for j = 0, 1, ... while 2^j is below the lowest set bit of v and v + 2^j < size
//!
//! size = 8:          0                  round 1:  1 -> 0, 3 -> 2, 5 -> 4, 7 -> 6
//!               ____/|\____             round 2:  2 -> 0, 6 -> 4
//!              1     2     4            round 3:  4 -> 0
//!                    |    / \
//!                    3   5   6
//!                            |
//!                            7
//! ```
//!
//! In round j + 1 each rank that still takes part either sends its partial result and has finished, or receives one and
//! combines it with its own. So the number of partial results halves.
//!
//! | | |
//! |---|---|
//! | messages | `size - 1`: each rank but the root sends one |
//! | rounds | `ceil(log2 size)`, where a rank receives one message at a time |
//! | time | `ceil(log2 P) (a + m b + n c)`: latency `a`, `m` bytes, `b` seconds for a byte, `n` elements, `c` for an operation |
//!
//! The counts of messages and rounds are minimal: a rank combines two partial results at a time. The vectors of the ranks
//! are combined in the order of the virtual ranks, in pairs, so a sum of floating-point numbers depends on the number of
//! ranks and on the root, but not on the order in which messages arrive.
use assignment_2_2_reduce::Combine;
use workbench::{Error, Rank, Result, World};

use crate::element::{Element, combine_into};

/// The tag of the tree's messages. The caller must not use it for messages in the same world: unlike the library, this
/// function has no separate context.
pub const TAG: i32 = 1;

/// `MPI_Reduce(sendbuf, recvbuf, count, datatype, op, root, comm)`: combines `send` of every rank, element by element,
/// in `recv` of the root.
///
/// Every rank calls it with the same `root`, the same `combine` and the same `send.len()`; count and datatype are those
/// of the slice. `recv` counts on the root only, where it is `Some` and as long as `send`. An empty vector needs no
/// message.
///
/// # Errors
/// [`Error::Rank`] for a root outside `0..size` (`MPI_ERR_ROOT`), on every rank and before any message is sent;
/// [`Error::Count`] on the root when `recv` is not as long as `send`, and on a rank whose child sent fewer elements;
/// [`Error::Truncated`] when a child sent more; the errors of [`World::send`] and [`World::recv`].
pub fn reduce<T: Element>(
    send: &[T],
    recv: Option<&mut [T]>,
    combine: Combine,
    root: i32,
    world: &World,
) -> Result<()> {
    let size = world.size();
    let root = existing(root, size)?;
    let v = (world.rank() + size - root) % size;
    let real = |v: usize| (v + root) % size;
    let mut partial = send.to_vec();
    if !send.is_empty() {
        let mut received = vec![T::default(); send.len()];
        for child in children(v, size) {
            receive_all(&mut received, real(child), world)?;
            world.work(send.len() as u64, 3 * size_of_val(send) as u64);
            combine_into(&mut partial, &received, combine);
        }
    }
    match parent(v) {
        Some(_) if send.is_empty() => Ok(()),
        Some(parent) => world.send(&partial, real(parent), TAG),
        None => put(&partial, recv.unwrap_or_default()),
    }
}

/// The root as a rank, if it is a valid rank.
fn existing(root: i32, size: usize) -> Result<Rank> {
    let rank = usize::try_from(root).ok().filter(|&rank| rank < size);
    rank.ok_or(Error::Rank { role: "root", rank: root.into(), size })
}

/// The parent of virtual rank `v`: `v` without its least significant bit.
fn parent(v: usize) -> Option<usize> {
    (v > 0).then(|| v & (v - 1))
}

/// The children of virtual rank `v` in the order of the receives: `v` with one bit below its lowest one, below `size`.
fn children(v: usize, size: usize) -> impl Iterator<Item = usize> {
    let bits = std::iter::successors(Some(1), |bit| Some(bit * 2));
    bits.take_while(move |bit| v & bit == 0 && v + bit < size).map(move |bit| v + bit)
}

/// Receives exactly as many elements as `buffer` has: a shorter message means that the ranks disagree on the count.
fn receive_all<T: Element>(buffer: &mut [T], from: Rank, world: &World) -> Result<()> {
    let expected = buffer.len();
    let status = world.recv(buffer, from, TAG)?;
    match status.count(T::DATATYPE) {
        Some(got) if got != expected => {
            Err(Error::Count { verb: "reduce", buffer: "a child's buffer", got, expected })
        }
        _ => Ok(()),
    }
}

/// Copies the result to the root's receive buffer.
fn put<T: Element>(result: &[T], recv: &mut [T]) -> Result<()> {
    let (got, expected) = (recv.len(), result.len());
    if got != expected {
        return Err(Error::Count { verb: "reduce", buffer: "recv", got, expected });
    }
    recv.copy_from_slice(result);
    Ok(())
}
