//! One circle around the ring, with send and receive only.
//!
//! ```text
//! rank r sends to (r + 1) mod P and receives from (r - 1) mod P
//! ```
//!
//! The root sends first and receives last; each other rank receives first and then sends. So no two ranks wait for each
//! other, also when a send waits for its receive. A circle has P messages in P rounds, because each message depends on
//! the one before it: `P (a + m b)` with latency `a`, `m` bytes and `b` seconds for each byte.
use workbench::{Rank, World};

/// The tag of the data.
pub const DATA_TAG: i32 = 1;

/// The two ranks with which a rank of the ring communicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbours {
    /// The rank to which this rank sends.
    pub next: Rank,
    /// The rank from which this rank receives.
    pub before: Rank,
}

impl Neighbours {
    /// The neighbours of this rank in the ring of all ranks.
    pub fn of(world: &World) -> Self {
        let (rank, ranks) = (world.rank(), world.size());
        Self { next: (rank + 1) % ranks, before: (rank + ranks - 1) % ranks }
    }
}
