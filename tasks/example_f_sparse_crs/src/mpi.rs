//! The parallel version: A is scattered in strips of about the same work, B is broadcast, the strips of C are gathered.
//!
//! | stage | operations | communication (z(X): the stored elements of X; P ranks) |
//! |---|---|---|
//! | preprocessing | the root divides the rows; each rank gets its strip of A and the whole of B | z(A) + (P - 1) z(B) columns and values |
//! | run | each rank multiplies its strip by B | none |
//! | postprocessing | the root gathers the strips of C | z(C) columns and values |
//!
//! In `run` no rank waits for another, and a strip differs from its share of the multiplications by less than those of one row.
//! So the efficiency of `run` is near 1. The whole pipeline gains less: on every rank the product must be long compared with
//! the transfer of B and C. It is, where many products are added in each element of C, as near a diagonal; where nearly each
//! product is an element of its own, the transfer takes longer than the product.
use workbench::{Invalid, Place, Rank, Result, Rooted, Task, World};

use crate::{
    crs::Crs,
    problem::{SparseFactors, SparseProduct},
    product::{cost, multiplications, product},
    seq::Seq,
    strips::{gather, heights, replicate, scatter},
};

/// The rank that has A and B at the beginning and C at the end.
const ROOT: Rank = 0;

/// Multiplies by strips.
pub struct Mpi;

/// The input of one rank's `run`.
pub struct Share {
    /// This rank's strip of A.
    a: Crs,
    b: Crs,
    /// The number of rows of each rank's strip.
    heights: Vec<usize>,
}

/// A strip of C, and the number of rows of each rank's strip.
pub struct Strip {
    c: Crs,
    heights: Vec<usize>,
}

impl Task for Mpi {
    type Problem = SparseProduct;
    type Prepared = Share;
    type Raw = Strip;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &SparseFactors, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<SparseFactors>) -> Result<Share> {
        let (a, b) = input.here().map(|SparseFactors { a, b }| (a, b)).unzip();
        let work = a.as_ref().zip(b.as_ref()).map(|(a, b)| multiplications(a, b));
        let mut heights = work.map_or_else(|| vec![0; world.size()], |work| heights(&work, world.size()));
        world.bcast(&mut heights, ROOT)?;
        let b = replicate(world, b, ROOT)?;
        Ok(Share { a: scatter(world, a.as_ref(), b.height(), &heights, ROOT)?, b, heights })
    }

    fn run(&self, world: &World, Share { a, b, heights }: &Share) -> Result<Strip> {
        let (flops, bytes) = cost(a, b);
        world.work(flops, bytes);
        Ok(Strip { c: product(a, b), heights: heights.clone() })
    }

    fn postprocessing(&self, world: &World, Strip { c, heights }: Strip) -> Result<Rooted<Crs>> {
        Ok(gather(world, &c, &heights, ROOT)?.into())
    }
}
