//! The judge of this assignment: `cargo wb judge -p TASK`, and the library's call that a student's verb is measured beside.
use assignment_2_7_ring::Ring;
use workbench::{LibraryVerb, Rank, Result, World};

const TAG: i32 = 1;

/// Once around the ring, with `MPI_Sendrecv` on the root: each rank gets the elements of the root and sends them on.
pub(crate) struct LibraryRing;

impl LibraryVerb for LibraryRing {
    const OPERATION: &'static str = "sendrecv";
    const ALGORITHM: &'static str = "ring";
    const MESSAGES: &'static str = "P";
    const ROUNDS: &'static str = "P";

    fn call(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        let (rank, ranks) = (world.rank(), world.size());
        let (next, before) = ((rank + 1) % ranks, (rank + ranks - 1) % ranks);
        if rank != root {
            world.recv(data, before, TAG)?;
            return world.send(data, next, TAG);
        }
        let mut back = vec![0.0; data.len()];
        world.sendrecv(data, next, TAG, &mut back, before, TAG)?;
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

workbench::judge!(Ring, communication = LibraryRing);
