//! The parallel version: strips of rows, and a ring on which the blocks of unknowns go round.
//!
//! | stage | operations | communication (n equations, P ranks) |
//! |---|---|---|
//! | preprocessing | each rank gets its strip of A and b, and a place on the ring | n^2 + n doubles |
//! | run, each step | the blocks of x go once around the ring, then the largest change is reduced | P (P - 1) messages, n (P - 1) doubles; 1 collective call |
//! | postprocessing | the root gathers the blocks of x | n doubles |
//!
//! The ring is a Cartesian communicator of one periodic dimension: the library knows who the neighbours are, and its messages meet no
//! others. A shift by one along it gives both neighbours, and `sendrecv` cannot deadlock, however long the blocks are. On one rank the ring
//! has no link to use.
use assignment_2_18_jacobi::{Jacobi, LinearSystem};
use workbench::{CartesianWorld, Invalid, Matrix, Operation, Place, Rank, Result, Rooted, Task, World};

use crate::{
    seq::Seq,
    step::{cost, subtract_products, update},
};

/// The rank that has the system at the beginning and the solution at the end.
const ROOT: Rank = 0;

/// The tag of the blocks.
const BLOCK_TAG: i32 = 1;

/// Iterates on a ring of ranks.
pub struct Mpi;

/// The input of one rank's `run`.
pub struct Share {
    ring: CartesianWorld,
    /// The number of equations.
    size: usize,
    tolerance: f64,
    /// This rank's rows of A.
    rows: Matrix,
    /// The right-hand sides of these rows.
    b: Vec<f64>,
}

impl Task for Mpi {
    type Problem = Jacobi;
    type Prepared = Share;
    type Raw = Vec<f64>;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &LinearSystem, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<LinearSystem>) -> Result<Share> {
        let ring = world.cart_create(&[world.size()], &[true], false)?.expect("the ring has all ranks");
        let input = input.here();
        let mut size = [input.as_ref().map_or(0, |system| system.b.len())];
        ring.bcast(&mut size, ROOT)?;
        let mut tolerance = [input.as_ref().map_or(0.0, |system| system.tolerance)];
        ring.bcast(&mut tolerance, ROOT)?;
        let ([size], [tolerance]) = (size, tolerance);
        let strips = Strips::of(&ring, size);
        let height = strips.height(ring.rank());
        let (mut rows, mut b) = (Matrix::zeros(height, size), vec![0.0; height]);
        let (heights, lengths) = (strips.heights(1), strips.heights(size));
        let (all_rows, all_b) = input.as_ref().map(|system| (&system.a.elements[..], &system.b[..])).unzip();
        ring.scatterv(all_rows.map(|all| (all, &lengths[..])), &mut rows.elements, ROOT)?;
        ring.scatterv(all_b.map(|all| (all, &heights[..])), &mut b, ROOT)?;
        Ok(Share { ring, size, tolerance, rows, b })
    }

    fn run(&self, world: &World, Share { ring, size, tolerance, rows, b }: &Share) -> Result<Vec<f64>> {
        let first = Strips::of(ring, *size).first(ring.rank());
        let (flops, bytes) = cost(rows.elements.len());
        let mut x = vec![0.0; b.len()];
        loop {
            let sums = subtract_all_products(ring, rows, b, &x)?;
            world.work(flops, bytes);
            let (mine, mut change) = ([update(&mut x, &sums, rows, first)], [0.0]);
            ring.allreduce(&mine, &mut change, Operation::Max)?;
            if change[0] <= *tolerance {
                return Ok(x);
            }
        }
    }

    fn postprocessing(&self, world: &World, x: Vec<f64>) -> Result<Rooted<Vec<f64>>> {
        let (mut size, height) = ([0], [x.len()]);
        world.allreduce(&height, &mut size, Operation::Sum)?;
        let heights = Strips::of(world, size[0]).heights(1);
        let mut whole = (world.rank() == ROOT).then(|| vec![0.0; size[0]]);
        world.gatherv(&x, whole.as_mut().map(|whole| (&mut whole[..], &heights[..])), ROOT)?;
        Ok(whole.into())
    }
}

/// This rank's right-hand sides without the products of its rows with all unknowns: the blocks go once around the ring.
fn subtract_all_products(ring: &CartesianWorld, rows: &Matrix, b: &[f64], x: &[f64]) -> Result<Vec<f64>> {
    let strips = Strips::of(ring, rows.columns);
    let (before, next) = ring.cart_shift(0, 1)?;
    let (mut sums, mut block) = (b.to_vec(), x.to_vec());
    for distance in 0..ring.size() {
        let owner = |distance| (ring.rank() + ring.size() - distance) % ring.size();
        subtract_products(&mut sums, rows, strips.first(owner(distance)), &block);
        if distance + 1 < ring.size() {
            let mut received = vec![0.0; strips.height(owner(distance + 1))];
            ring.sendrecv(&block, next, BLOCK_TAG, &mut received, before, BLOCK_TAG)?;
            block = received;
        }
    }
    Ok(sums)
}

/// The strips of `size` rows. Their heights differ by at most one; with fewer rows than ranks some strips are empty.
struct Strips {
    size: usize,
    ranks: usize,
}

impl Strips {
    fn of(world: &World, size: usize) -> Self {
        Self { size, ranks: world.size() }
    }

    fn height(&self, rank: Rank) -> usize {
        self.size / self.ranks + usize::from(rank < self.size % self.ranks)
    }

    /// The first row of a rank's strip.
    fn first(&self, rank: Rank) -> usize {
        rank * (self.size / self.ranks) + rank.min(self.size % self.ranks)
    }

    /// The height of each strip, times a number of columns.
    fn heights(&self, columns: usize) -> Vec<usize> {
        (0..self.ranks).map(|rank| self.height(rank) * columns).collect()
    }
}
