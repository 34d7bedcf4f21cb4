//! The parallel version: A is dealt out in strips of rows, B goes to everybody, the strips of C are gathered.
//!
//! | stage | what happens | what travels (n x n matrices, P ranks) |
//! |---|---|---|
//! | preprocessing | each rank gets its strip of A and the whole of B | n^2 + (P - 1) n^2 doubles |
//! | run | each rank multiplies its strip with B | nothing |
//! | postprocessing | the strips of C meet on the root | n^2 doubles |
//!
//! So `run` measures the product with the data in place. Its speed-up, `S_run`, is near P, because the work n^3 is
//! divided and nobody waits for anybody. The speed-up of the whole pipeline, `S_total`, also pays for the way of the
//! data, which grows with P; it comes near `S_run` only when n^3 outweighs P n^2. A report should give both.
use workbench::{Invalid, Place, Rank, Result, Rooted, Task, World};

use crate::{
    matrix::Matrix,
    problem::{Input, Product},
    product::{cost, product},
    seq::Seq,
};

/// The rank that has A and B at the beginning and C at the end.
const ROOT: Rank = 0;

/// Multiplies by strips.
pub struct Mpi;

/// A strip of the rows of a matrix that is spread over the ranks, in rank order.
pub struct Strip {
    /// This rank's rows.
    rows: Matrix,
    /// How many rows all the strips have together.
    height: usize,
}

/// What one rank multiplies.
pub struct Share {
    a: Strip,
    b: Matrix,
}

impl Task for Mpi {
    type Problem = Product;
    type Prepared = Share;
    type Raw = Strip;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Input, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<Input>) -> Result<Share> {
        let (a, b) = match input {
            Rooted::Here(Input { a, b }) => (Rooted::Here(a), Rooted::Here(b)),
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

/// Deals the matrix that is here on the root out in strips.
fn scatter(world: &World, matrix: Rooted<Matrix>) -> Result<Strip> {
    let [height, columns] = shape(world, &matrix)?;
    let counts = counts(height, columns, world.size());
    let mut rows = Matrix::zeros(strip_height(height, world.size(), world.rank()), columns);
    let whole = matrix.as_ref().here().map(|matrix| (&matrix.elements[..], &counts[..]));
    world.scatterv(whole, &mut rows.elements, ROOT)?;
    Ok(Strip { rows, height })
}

/// Gives everybody the matrix that is here on the root.
fn replicate(world: &World, matrix: Rooted<Matrix>) -> Result<Matrix> {
    let [rows, columns] = shape(world, &matrix)?;
    let mut copy = matrix.here().unwrap_or_else(|| Matrix::zeros(rows, columns));
    world.bcast(&mut copy.elements, ROOT)?;
    Ok(copy)
}

/// Puts the strips together on the root.
fn gather(world: &World, Strip { rows, height }: Strip) -> Result<Rooted<Matrix>> {
    let counts = counts(height, rows.columns, world.size());
    let mut whole = (world.rank() == ROOT).then(|| Matrix::zeros(height, rows.columns));
    let room = whole.as_mut().map(|whole| (&mut whole.elements[..], &counts[..]));
    world.gatherv(&rows.elements, room, ROOT)?;
    Ok(whole.into())
}

/// Rows and columns of the matrix that is here on the root only.
fn shape(world: &World, matrix: &Rooted<Matrix>) -> Result<[usize; 2]> {
    let mut shape = match matrix {
        Rooted::Here(matrix) => [matrix.rows, matrix.columns],
        Rooted::Elsewhere => [0; 2],
    };
    world.bcast(&mut shape, ROOT)?;
    Ok(shape)
}

/// How many rows `rank` gets out of `height`: no strip has more than one row more than another, and with fewer rows than
/// ranks some strips are empty.
fn strip_height(height: usize, ranks: usize, rank: Rank) -> usize {
    height / ranks + usize::from(rank < height % ranks)
}

/// How many elements each rank's strip has.
fn counts(height: usize, columns: usize, ranks: usize) -> Vec<usize> {
    (0..ranks).map(|rank| strip_height(height, ranks, rank) * columns).collect()
}
