//! One circle around the ring, with send and receive only.
//!
//! ```text
//! rank r sends to (r + 1) mod P and receives from (r - 1) mod P
//! ```
//!
//! The root sends first and receives last; each other rank receives first and then sends. So no two ranks wait for each
//! other, also when a send waits for its receive. A circle has P messages in P rounds, because each message depends on
//! the one before it: `P (a + m b)` with latency `a`, `m` bytes and `b` seconds for each byte.
use workbench::{Communication, Rank, Result, World};

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

/// The data of the root once around the ring: every rank has them afterwards.
pub struct Circle;

impl Communication for Circle {
    const OPERATION: &'static str = "sendrecv";
    const ALGORITHM: &'static str = "ring";
    const MESSAGES: &'static str = "P";
    const ROUNDS: &'static str = "P";

    /// On one rank the only message is one to itself, which needs a receive that has started.
    fn own(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        let Neighbours { next, before } = Neighbours::of(world);
        if world.rank() != root {
            world.recv(data, before, DATA_TAG)?;
            return world.send(data, next, DATA_TAG);
        }
        let back = world.irecv::<f64>(data.len(), before, DATA_TAG)?;
        world.send(data, next, DATA_TAG)?;
        data.copy_from_slice(&back.wait()?.0);
        Ok(())
    }

    fn library(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        let Neighbours { next, before } = Neighbours::of(world);
        if world.rank() != root {
            world.recv(data, before, DATA_TAG)?;
            return world.send(data, next, DATA_TAG);
        }
        let mut back = vec![0.0; data.len()];
        world.sendrecv(data, next, DATA_TAG, &mut back, before, DATA_TAG)?;
        data.copy_from_slice(&back);
        Ok(())
    }

    fn messages(&self, ranks: usize) -> u64 {
        ranks as u64
    }

    fn rounds(&self, ranks: usize) -> u64 {
        ranks as u64
    }
}
