//! The parallel version: Cannon's algorithm on the largest square grid of ranks.
//!
//! | stage | operations | communication (n x n matrices, q x q ranks) |
//! |---|---|---|
//! | preprocessing | each rank of the grid gets its skewed block of A and of B | 2 n^2 doubles in 2 (q^2 - 1) messages |
//! | run | q steps: multiply two blocks, and shift A to the left and B upwards meanwhile | 2 (q - 1) n^2 doubles |
//! | postprocessing | the root collects the blocks of C | n^2 doubles in q^2 - 1 messages |
//!
//! In `run` each rank computes 2 n^3 / q^2 operations and sends 2 (q - 1) n^2 / q^2 doubles. The shifts are started before
//! the product and completed after it, so a network that works by itself transfers the blocks during the product. For
//! large n the speed-up approaches q^2.
//!
//! **The efficiency is low where P is not a square**: the other ranks compute nothing, as the assignment demands. On two ranks
//! the grid is 1 x 1, so E(2) is at most 50 %; on four ranks E is near 1.
//!
//! Only the root has more than a few blocks at a time: two that are multiplied, two that arrive, two that leave, and that
//! of C.
use assignment_3_1_cannon::{BlockProduct, SquareFactors};
use workbench::{Invalid, Matrix, Place, Rank, Result, Rooted, Task, World};

use crate::{
    grid::Grid,
    product::{add_product, cost},
    seq::Seq,
};

/// The rank that has A and B at the beginning and C at the end.
const ROOT: Rank = 0;

/// The tags of the blocks.
const A_TAG: i32 = 1;
const B_TAG: i32 = 2;
const C_TAG: i32 = 3;

/// Multiplies in blocks.
pub struct Mpi;

/// The blocks of one rank of the grid before the first step, and the size of the whole matrices.
pub struct Blocks {
    a: Matrix,
    b: Matrix,
    size: usize,
}

/// The block of C of one rank of the grid, and the size of the whole matrix.
pub struct Product {
    c: Matrix,
    size: usize,
}

impl Task for Mpi {
    type Problem = BlockProduct;
    /// Nothing on a rank outside the grid.
    type Prepared = Option<Blocks>;
    type Raw = Option<Product>;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &SquareFactors, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<SquareFactors>) -> Result<Option<Blocks>> {
        let grid = Grid::of(world.size());
        let mut size = [input.as_ref().here().map_or(0, |input| input.a.rows)];
        world.bcast(&mut size, ROOT)?;
        let [size] = size;
        if world.rank() >= grid.ranks() {
            return Ok(None);
        }
        let Some(SquareFactors { a, b }) = input.here() else {
            let length = grid.block_size(size);
            let [a, b] = [receive(world, length, A_TAG)?, receive(world, length, B_TAG)?];
            return Ok(Some(Blocks { a, b, size }));
        };
        let skewed = |rank: Rank| {
            let [i, j] = grid.place(rank);
            [grid.block(&a, i, i + j), grid.block(&b, i + j, j)]
        };
        for rank in 1..grid.ranks() {
            let [a, b] = skewed(rank);
            world.send(&a.elements, rank, A_TAG)?;
            world.send(&b.elements, rank, B_TAG)?;
        }
        let [a, b] = skewed(ROOT);
        Ok(Some(Blocks { a, b, size }))
    }

    fn run(&self, world: &World, blocks: &Option<Blocks>) -> Result<Option<Product>> {
        let Some(Blocks { a, b, size }) = blocks else { return Ok(None) };
        let grid = Grid::of(world.size());
        let ([i, j], last) = (grid.place(world.rank()), grid.side - 1);
        let [left, right] = [grid.rank_at(i, j + last), grid.rank_at(i, j + 1)];
        let [above, below] = [grid.rank_at(i + last, j), grid.rank_at(i + 1, j)];
        let (mut a, mut b) = (a.clone(), b.clone());
        let mut c = Matrix::zeros(a.rows, b.columns);
        for _ in 0..last {
            // The receives are started first, so that the blocks arrive during the product.
            let next_a = world.irecv::<f64>(a.elements.len(), right, A_TAG)?;
            let next_b = world.irecv::<f64>(b.elements.len(), below, B_TAG)?;
            let sent_a = world.isend(a.elements.clone(), left, A_TAG)?;
            let sent_b = world.isend(b.elements.clone(), above, B_TAG)?;
            multiply(world, &mut c, &a, &b);
            a.elements = next_a.wait()?.0;
            b.elements = next_b.wait()?.0;
            sent_a.wait()?;
            sent_b.wait()?;
        }
        multiply(world, &mut c, &a, &b);
        Ok(Some(Product { c, size: *size }))
    }

    fn postprocessing(&self, world: &World, product: Option<Product>) -> Result<Rooted<Matrix>> {
        let Some(Product { c, size }) = product else { return Ok(Rooted::Elsewhere) };
        if world.rank() != ROOT {
            world.send(&c.elements, ROOT, C_TAG)?;
            return Ok(Rooted::Elsewhere);
        }
        let grid = Grid::of(world.size());
        let mut whole = Matrix::zeros(size, size);
        grid.put(&mut whole, &c, 0, 0);
        let mut block = c;
        for rank in 1..grid.ranks() {
            world.recv(&mut block.elements, rank, C_TAG)?;
            let [i, j] = grid.place(rank);
            grid.put(&mut whole, &block, i, j);
        }
        Ok(Rooted::Here(whole))
    }
}

/// Adds the product of two blocks to `c`.
fn multiply(world: &World, c: &mut Matrix, a: &Matrix, b: &Matrix) {
    let (flops, bytes) = cost(a, b);
    world.work(flops, bytes);
    add_product(c, a, b);
}

/// Receives a block of `size` rows from the root.
fn receive(world: &World, size: usize, tag: i32) -> Result<Matrix> {
    let mut block = Matrix::zeros(size, size);
    world.recv(&mut block.elements, ROOT, tag)?;
    Ok(block)
}
