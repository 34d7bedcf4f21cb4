//! The judge of this assignment: `cargo wb judge -p TASK`, and the library's call that a student's verb is measured beside.
use assignment_2_4_scatter::Scattering;
use workbench::{LibraryVerb, Rank, Result, World};

/// `MPI_Scatter` of equal parts; elements behind the last part stay.
pub(crate) struct LibraryScatter;

impl LibraryVerb for LibraryScatter {
    const OPERATION: &'static str = "scatter";
    const ALGORITHM: &'static str = "binomial tree";
    const MESSAGES: &'static str = "P - 1";
    const ROUNDS: &'static str = "ceil(log2 P)";

    fn call(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
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

workbench::judge!(Scattering, communication = LibraryScatter);
