//! The parallel version: the rows are distributed cyclically, and the pivot row is broadcast in each step.
//!
//! | stage | operations | communication (n equations, P ranks) |
//! |---|---|---|
//! | preprocessing | each rank gets every P-th row | n^2 doubles in one scatter |
//! | run, forwards | n steps: broadcast the pivot row, eliminate in the own rows | n broadcasts of n - k + 1 doubles |
//! | run, backwards | n steps: broadcast an unknown, substitute it in the own rows | n broadcasts of one double |
//! | postprocessing | the solution is on every rank; the root returns it | none |
//!
//! The eliminations take 2 n^3 / 3 operations, which are divided by P; the 2 n broadcasts take ceil(log2 P) rounds each. A
//! step waits for its pivot row, so the time is about
//!
//! ```text
//! 2 n^3 c / (3 P) + 2 n a ceil(log2 P) + n^2 b ceil(log2 P) / 2
//! ```
//!
//! with `c` for an operation, `a` for the latency, `b` for a double. For n = 1000 on two ranks of one machine the
//! communication is a few per cent of the computation. For small n the latency of 2 n broadcasts is more than the
//! computation, and the efficiency is low.
use workbench::{Invalid, Place, Rank, Result, Rooted, Task, World};

use crate::{
    elimination::{Rows, count, in_order, pivot},
    problem::{LinearSystem, Solving},
    seq::{Seq, augmented},
};

/// The rank that has the system at the beginning and the solution at the end.
const ROOT: Rank = 0;

/// Solves the system on all ranks.
pub struct Mpi;

/// The input of one rank's `run`.
pub struct Share {
    rows: Rows,
    /// The pivots below which the matrix counts as singular.
    smallest: f64,
}

impl Task for Mpi {
    type Problem = Solving;
    type Prepared = Share;
    type Raw = Option<Vec<f64>>;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &LinearSystem, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<LinearSystem>) -> Result<Share> {
        let (ranks, first) = (world.size(), world.rank());
        let system = input.here();
        let mut size = [system.as_ref().map_or(0, |system| system.b.len())];
        world.bcast(&mut size, ROOT)?;
        let mut smallest = [system.as_ref().map_or(0.0, LinearSystem::smallest_pivot)];
        world.bcast(&mut smallest, ROOT)?;
        let ([size], [smallest]) = (size, smallest);
        let width = size + 1;
        let counts: Vec<usize> = (0..ranks).map(|rank| count(size, rank, ranks) * width).collect();
        let by_rank = system.as_ref().map(|system| by_rank(&augmented(system), width, ranks));
        let mut elements = vec![0.0; counts[first]];
        world.scatterv(by_rank.as_ref().map(|rows| (&rows[..], &counts[..])), &mut elements, ROOT)?;
        Ok(Share { rows: Rows { size, first, stride: ranks, elements }, smallest })
    }

    fn run(&self, world: &World, Share { rows, smallest }: &Share) -> Result<Option<Vec<f64>>> {
        let mut rows = rows.clone();
        let Some(exchanges) = forwards(world, &mut rows, *smallest)? else { return Ok(None) };
        let x = backwards(world, &mut rows)?;
        Ok(Some(in_order(&x, &exchanges)))
    }

    fn postprocessing(&self, world: &World, x: Option<Vec<f64>>) -> Result<Rooted<Option<Vec<f64>>>> {
        Ok(Rooted::on(world.rank() == ROOT, || x))
    }
}

/// Eliminates the unknowns; returns the exchanges of columns, or `None` if the matrix is singular. Every rank has the same
/// pivot row, so all ranks find the same pivot, and stop in the same step.
fn forwards(world: &World, rows: &mut Rows, smallest: f64) -> Result<Option<Vec<usize>>> {
    let mut exchanges = vec![];
    for k in 0..rows.size {
        let mut row = if rows.has(k) { rows.pivot_row(k).to_vec() } else { vec![0.0; rows.size + 1 - k] };
        world.bcast(&mut row, k % rows.stride)?;
        let Some(pivot) = pivot(&row, smallest) else { return Ok(None) };
        let (flops, bytes) = rows.cost(k);
        world.work(flops, bytes);
        rows.eliminate(k, &row, pivot);
        exchanges.push(pivot);
    }
    Ok(Some(exchanges))
}

/// Computes the unknowns from the last one to the first one, in the order of the exchanged columns.
fn backwards(world: &World, rows: &mut Rows) -> Result<Vec<f64>> {
    let mut x = vec![0.0; rows.size];
    for k in (0..rows.size).rev() {
        if rows.has(k) {
            x[k] = rows.unknown(k);
        }
        world.bcast(&mut x[k..=k], k % rows.stride)?;
        rows.substitute(k, x[k]);
    }
    Ok(x)
}

/// The rows in the order in which they are scattered: all of rank 0, all of rank 1, ...
fn by_rank(rows: &[f64], width: usize, ranks: usize) -> Vec<f64> {
    let of = |rank: Rank| rows.chunks_exact(width).skip(rank).step_by(ranks).flatten();
    (0..ranks).flat_map(of).copied().collect()
}
