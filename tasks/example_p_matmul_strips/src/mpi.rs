//! The parallel version: A is scattered in strips of rows, B is broadcast, the strips of C are gathered.
//!
//! | stage | operations | communication (n x n matrices, P ranks) |
//! |---|---|---|
//! | preprocessing | each rank gets its strip of A and the whole of B | n^2 + (P - 1) n^2 doubles |
//! | run | each rank multiplies its strip by B | none |
//! | postprocessing | the root gathers the strips of C | n^2 doubles |
//!
//! So `run` measures the product with the data in place. Its speed-up, `S_run`, is near P, because the work n^3 is
//! divided and no rank waits for another. The speed-up of the whole pipeline, `S_total`, includes the communication,
//! which grows with P. It approaches `S_run` only when n^3 is much larger than P n^2. A report should give both.
use assignment_2_13_matmul_rows::{Factors, StripProduct};
use workbench::{Invalid, Matrix, Place, Rank, Result, Rooted, Task, World};

use crate::{
    product::{cost, product},
    seq::Seq,
};

/// The rank that has A and B at the beginning and C at the end.
const ROOT: Rank = 0;

/// Multiplies by strips.
pub struct Mpi;

/// A strip of the rows of a matrix that is distributed over the ranks in rank order.
pub struct Strip {
    /// This rank's rows.
    rows: Matrix,
    /// The number of rows of all strips together.
    height: usize,
}

/// The input of one rank's `run`.
pub struct Share {
    a: Strip,
    b: Matrix,
}

impl Task for Mpi {
    type Problem = StripProduct;
    type Prepared = Share;
    type Raw = Strip;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Factors, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<Factors>) -> Result<Share> {
        let (a, b) = match input {
            Rooted::Here(Factors { a, b }) => (Rooted::Here(a), Rooted::Here(b)),
            Rooted::Elsewhere => (Rooted::Elsewhere, Rooted::Elsewhere),
        };
        Ok(Share { a: scatter(world, a)?, b: replicate(world, b)? })
    }

    fn run(&self, world: &World, Share { a, b }: &Share) -> Result<Strip> {
        let (flops, bytes) = cost(&a.rows, b);
        world.work(flops, bytes);
        Ok(Strip { rows: product(&a.rows, b), height: a.height })
    }

    fn postprocessing(&self, world: &World, c: Strip) -> Result<Rooted<Matrix>> {
        gather(world, c)
    }
}

/// Scatters the root's matrix in strips.
fn scatter(world: &World, matrix: Rooted<Matrix>) -> Result<Strip> {
    let [height, columns] = shape(world, &matrix)?;
    let counts = counts(height, columns, world.size());
    let mut rows = Matrix::zeros(strip_height(height, world.size(), world.rank()), columns);
    let whole = matrix.as_ref().here().map(|matrix| (&matrix.elements[..], &counts[..]));
    world.scatterv(whole, &mut rows.elements, ROOT)?;
    Ok(Strip { rows, height })
}

/// Broadcasts the root's matrix to every rank.
fn replicate(world: &World, matrix: Rooted<Matrix>) -> Result<Matrix> {
    let [rows, columns] = shape(world, &matrix)?;
    let mut copy = matrix.here().unwrap_or_else(|| Matrix::zeros(rows, columns));
    world.bcast(&mut copy.elements, ROOT)?;
    Ok(copy)
}

/// Gathers the strips on the root.
fn gather(world: &World, Strip { rows, height }: Strip) -> Result<Rooted<Matrix>> {
    let counts = counts(height, rows.columns, world.size());
    let mut whole = (world.rank() == ROOT).then(|| Matrix::zeros(height, rows.columns));
    let room = whole.as_mut().map(|whole| (&mut whole.elements[..], &counts[..]));
    world.gatherv(&rows.elements, room, ROOT)?;
    Ok(whole.into())
}

/// Broadcasts the numbers of rows and columns of the root's matrix.
fn shape(world: &World, matrix: &Rooted<Matrix>) -> Result<[usize; 2]> {
    let mut shape = match matrix {
        Rooted::Here(matrix) => [matrix.rows, matrix.columns],
        Rooted::Elsewhere => [0; 2],
    };
    world.bcast(&mut shape, ROOT)?;
    Ok(shape)
}

/// The number of rows of `rank`'s strip, out of `height` rows. The heights of the strips differ by at most one. With
/// fewer rows than ranks some strips are empty.
fn strip_height(height: usize, ranks: usize, rank: Rank) -> usize {
    height / ranks + usize::from(rank < height % ranks)
}

/// The number of elements of each rank's strip.
fn counts(height: usize, columns: usize, ranks: usize) -> Vec<usize> {
    (0..ranks).map(|rank| strip_height(height, ranks, rank) * columns).collect()
}
