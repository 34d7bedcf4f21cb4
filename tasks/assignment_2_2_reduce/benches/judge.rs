//! The judge of this assignment: `cargo wb judge -p TASK`, and the library's call that a student's verb is measured beside.
use assignment_2_2_reduce::Reducing;
use workbench::{LibraryVerb, Operation, Rank, Result, World};

/// `MPI_Reduce` with the sum.
pub(crate) struct LibraryReduce;

impl LibraryVerb for LibraryReduce {
    const OPERATION: &'static str = "reduce";
    const ALGORITHM: &'static str = "binomial tree";
    const MESSAGES: &'static str = "P - 1";
    const ROUNDS: &'static str = "ceil(log2 P)";

    fn call(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        let mut sums = vec![0.0; if world.rank() == root { data.len() } else { 0 }];
        world.reduce(data, (world.rank() == root).then_some(&mut sums[..]), Operation::Sum, root)?;
        data[..sums.len()].copy_from_slice(&sums);
        Ok(())
    }

    fn messages(&self, ranks: usize) -> u64 {
        ranks as u64 - 1
    }

    fn rounds(&self, ranks: usize) -> u64 {
        ranks.next_power_of_two().trailing_zeros().into()
    }
}

workbench::judge!(Reducing, communication = LibraryReduce);
