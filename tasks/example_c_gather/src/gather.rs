//! Gather over a binomial tree that uses only send and receive.
//!
//! Ranks are renumbered so that the root is 0: `v = (rank - root + size) mod size`. The parent of a virtual rank is
//! this rank **without the least significant bit**, and its children differ from it in one bit below that one:
//!
//! ```text
//! parent of v > 0:   v without its lowest set bit
//! children of v:     v + 2^j  for j = 0, 1, ... while 2^j is below the lowest set bit of v and v + 2^j < size
//! subtree of v:      v, v + 1, ... v + (lowest set bit of v) - 1, as far as they are below size
//!
//! size = 8:          0                  round 1:  1 -> 0, 3 -> 2, 5 -> 4, 7 -> 6    1 part each
//!               ____/|\____             round 2:  2 -> 0, 6 -> 4                    2 parts each
//!              1     2     4            round 3:  4 -> 0                            4 parts
//!                    |    / \
//!                    3   5   6
//!                            |
//!                            7
//! ```
//!
//! The virtual ranks of a subtree are consecutive, so each rank receives the parts of its children next to its own and
//! sends the parts of its whole subtree in one message. The smallest subtree is complete first, so a rank receives from
//! its children in increasing order. The root has all parts in the order of virtual ranks; a rotation puts them into the
//! order of ranks.
//!
//! | | |
//! |---|---|
//! | messages | `size - 1`: each rank but the root sends one |
//! | rounds | `ceil(log2 size)`, where a rank receives one message at a time |
//! | time | `ceil(log2 P) a + (P - 1) m b` with latency `a`, `m` bytes in a part and `b` seconds for each byte |
//!
//! The counts of messages and rounds are minimal. Messages from each rank to the root transfer as many bytes into the root, but need `P - 1`
//! rounds; so the tree is better for short parts. For long parts it is not: a part goes through up to `ceil(log2 P)`
//! ranks, and each of them copies it.
use workbench::{Error, Rank, Result, Wire, World};

/// The tag of the tree's messages. The caller must not use it for messages in the same world: unlike the library, this
/// function has no separate context.
pub const TAG: i32 = 1;

/// `MPI_Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm)`: collects `send` of every rank
/// in `recv` of the root, in rank order.
///
/// Every rank calls it with the same `root` and the same `send.len()`; counts and types are those of the slices. `recv`
/// counts on the root only, where it is `Some` and has `send.len()` elements for each rank. Empty parts need no message.
///
/// # Errors
/// [`Error::Rank`] for a root outside `0..size` (`MPI_ERR_ROOT`), on every rank and before any message is sent;
/// [`Error::Blocks`] on the root when `recv` does not have room for the parts (`MPI_ERR_COUNT`); [`Error::Truncated`] or
/// [`Error::Count`] when a child sent more or fewer elements; the errors of [`World::send`] and [`World::recv`].
pub fn gather<T: Wire>(send: &[T], recv: Option<&mut [T]>, root: i32, world: &World) -> Result<()> {
    let (size, count) = (world.size(), send.len());
    let root = existing(root, size)?;
    let v = (world.rank() + size - root) % size;
    if v > 0 {
        let mut parts = vec![T::default(); subtree(v, size) * count];
        collect(send, &mut parts, v, root, world)?;
        let parent = (v - lowest_bit(v) + root) % size;
        return if count == 0 { Ok(()) } else { world.send(&parts, parent, TAG) };
    }
    let recv = recv.unwrap_or_default();
    if recv.len() != size * count {
        let (verb, buffer, got) = ("gather", "recv", recv.len());
        return Err(Error::Blocks { verb, buffer, got, each: count, ranks: size });
    }
    collect(send, recv, v, root, world)?;
    recv.rotate_right(root * count);
    Ok(())
}

/// The root as a rank, if it is a valid rank.
fn existing(root: i32, size: usize) -> Result<Rank> {
    let rank = usize::try_from(root).ok().filter(|&rank| rank < size);
    rank.ok_or(Error::Rank { role: "root", rank: root.into(), size })
}

/// The value of the lowest set bit of virtual rank `v` > 0.
fn lowest_bit(v: usize) -> usize {
    1 << v.trailing_zeros()
}

/// The number of ranks in the subtree of virtual rank `v`, itself included.
fn subtree(v: usize, size: usize) -> usize {
    match v {
        0 => size,
        _ => lowest_bit(v).min(size - v),
    }
}

/// Puts `send` and then the parts of the children of virtual rank `v` into `parts`, in the order of virtual ranks.
fn collect<T: Wire>(send: &[T], parts: &mut [T], v: usize, root: Rank, world: &World) -> Result<()> {
    let (size, count) = (world.size(), send.len());
    if count == 0 {
        return Ok(());
    }
    parts[..count].copy_from_slice(send);
    let below = subtree(v, size);
    let bits = std::iter::successors(Some(1), |bit| Some(bit * 2)).take_while(|&bit| bit < below);
    for bit in bits {
        let end = below.min(2 * bit);
        receive_all(&mut parts[bit * count..end * count], (v + bit + root) % size, world)?;
    }
    Ok(())
}

/// Receives exactly as many elements as `buffer` has: a shorter message means that the ranks disagree on the count.
fn receive_all<T: Wire>(buffer: &mut [T], from: Rank, world: &World) -> Result<()> {
    let expected = buffer.len();
    let status = world.recv(buffer, from, TAG)?;
    match status.count(T::DATATYPE) {
        Some(got) if got != expected => {
            Err(Error::Count { verb: "gather", buffer: "a child's parts", got, expected })
        }
        _ => Ok(()),
    }
}
