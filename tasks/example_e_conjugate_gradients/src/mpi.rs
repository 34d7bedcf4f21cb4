//! The parallel version: each rank multiplies its strip of A, and the parts of the product are gathered on all ranks.
//!
//! | stage | operations | communication (n equations, P ranks, m iterations) |
//! |---|---|---|
//! | preprocessing | each rank gets its strip of A and the whole of b | n^2 + (P - 1) n doubles |
//! | run | m times: multiply the strip, gather the product, update the vectors | m allgathers of n doubles |
//! | postprocessing | the solution is on every rank; the root returns it | none |
//!
//! An iteration takes 2 n^2 / P + 10 n operations and one collective call. For n of a few thousand the call and the
//! operations on vectors are about one per cent of the product. Each element is a sum in the same order as in the sequential
//! version, so the solution is bitwise equal for every number of ranks.
//!
//! **What limits the efficiency**: the product uses each element of A once, so it is as fast as memory. Cores that share a
//! memory share its bandwidth: where one core alone uses most of it, two cores are hardly faster. On several nodes, and
//! where the strips fit into the caches, the efficiency is near 1.
use workbench::{Invalid, Matrix, Place, Rank, Result, Rooted, Task, World};

use crate::{
    iteration::{conjugate_gradients, product},
    problem::{Minimising, PositiveSystem},
    seq::Seq,
};

/// The rank that has the system at the beginning and the solution at the end.
const ROOT: Rank = 0;

/// Solves the system on all ranks.
pub struct Mpi;

/// The input of one rank's `run`.
pub struct Share {
    /// This rank's rows of A.
    rows: Matrix,
    b: Vec<f64>,
    /// The number of rows of each rank.
    heights: Vec<usize>,
}

impl Task for Mpi {
    type Problem = Minimising;
    type Prepared = Share;
    type Raw = Option<Vec<f64>>;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &PositiveSystem, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<PositiveSystem>) -> Result<Share> {
        let system = input.here();
        let mut size = [system.as_ref().map_or(0, |system| system.b.len())];
        world.bcast(&mut size, ROOT)?;
        let [size] = size;
        let heights: Vec<usize> = (0..world.size()).map(|rank| height(size, world.size(), rank)).collect();
        let counts: Vec<usize> = heights.iter().map(|height| height * size).collect();
        let mut rows = Matrix::zeros(heights[world.rank()], size);
        let whole = system.as_ref().map(|system| (&system.a.elements[..], &counts[..]));
        world.scatterv(whole, &mut rows.elements, ROOT)?;
        let mut b = system.map_or_else(|| vec![0.0; size], |system| system.b);
        world.bcast(&mut b, ROOT)?;
        Ok(Share { rows, b, heights })
    }

    fn run(&self, world: &World, Share { rows, b, heights }: &Share) -> Result<Option<Vec<f64>>> {
        conjugate_gradients(world, b, |p| {
            let mut whole = vec![0.0; p.len()];
            world.allgatherv(&product(world, rows, p), &mut whole, heights)?;
            Ok(whole)
        })
    }

    fn postprocessing(&self, world: &World, x: Option<Vec<f64>>) -> Result<Rooted<Option<Vec<f64>>>> {
        Ok(Rooted::on(world.rank() == ROOT, || x))
    }
}

/// The number of rows of `rank`'s strip, out of `size` rows. The heights differ by at most one. With fewer rows than ranks
/// some strips are empty.
fn height(size: usize, ranks: usize, rank: Rank) -> usize {
    size / ranks + usize::from(rank < size % ranks)
}
