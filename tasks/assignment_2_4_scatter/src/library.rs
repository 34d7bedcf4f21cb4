//! The library's call, which a student's verb is measured beside, and the costs that the verb must have.
use workbench::{Communication, Rank, Result, World};

/// `MPI_Scatter` of equal parts; elements behind the last part stay.
pub struct LibraryScatter;

impl Communication for LibraryScatter {
    const OPERATION: &'static str = "scatter";
    const ALGORITHM: &'static str = "binomial tree";
    const MESSAGES: &'static str = "P - 1";
    const ROUNDS: &'static str = "ceil(log2 P)";

    /// The judge measures the verb of the student in its place.
    fn own(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        self.library(world, data, root)
    }

    fn library(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        let mut mine = vec![0.0; data.len() / world.size()];
        let all = (world.rank() == root).then(|| &data[..mine.len() * world.size()]);
        world.scatter(all, &mut mine, root)?;
        data[..mine.len()].copy_from_slice(&mine);
        Ok(())
    }

    fn messages(&self, ranks: usize) -> u64 {
        ranks as u64 - 1
    }

    fn rounds(&self, ranks: usize) -> u64 {
        ranks.next_power_of_two().trailing_zeros().into()
    }
}
