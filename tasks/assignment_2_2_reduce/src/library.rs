//! The library's call, which a student's verb is measured beside, and the costs that the verb must have.
use workbench::{Communication, Operation, Rank, Result, World};

/// `MPI_Reduce` with the sum.
pub struct LibraryReduce;

impl Communication for LibraryReduce {
    const OPERATION: &'static str = "reduce";
    const ALGORITHM: &'static str = "binomial tree";
    const MESSAGES: &'static str = "P - 1";
    const ROUNDS: &'static str = "ceil(log2 P)";

    /// The judge measures the verb of the student in its place.
    fn own(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        self.library(world, data, root)
    }

    fn library(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
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
