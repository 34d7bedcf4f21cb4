//! The judge of this assignment: `cargo wb judge -p TASK`, and the library's call that a student's verb is measured beside.
use assignment_2_1_broadcast::Broadcasting;
use workbench::{LibraryVerb, Rank, Result, World};

/// `MPI_Bcast`.
pub(crate) struct LibraryBroadcast;

impl LibraryVerb for LibraryBroadcast {
    const OPERATION: &'static str = "bcast";
    const ALGORITHM: &'static str = "binomial tree";
    const MESSAGES: &'static str = "P - 1";
    const ROUNDS: &'static str = "ceil(log2 P)";

    fn call(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        world.bcast(data, root)
    }

    fn messages(&self, ranks: usize) -> u64 {
        ranks as u64 - 1
    }

    fn rounds(&self, ranks: usize) -> u64 {
        ranks.next_power_of_two().trailing_zeros().into()
    }
}

workbench::judge!(Broadcasting, communication = LibraryBroadcast);
