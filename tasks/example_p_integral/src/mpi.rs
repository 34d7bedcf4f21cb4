//! The parallel version: every rank takes a block of the steps, the sums meet on rank 0.
//!
//! | stage | what happens | what travels |
//! |---|---|---|
//! | preprocessing | everybody learns the question and picks its block | two broadcasts, 32 bytes in all |
//! | run | each rank adds up its block, then the sums are reduced | one reduction of one number |
//! | postprocessing | the sum on rank 0 is the output | nothing |
//!
//! Work grows with the steps and communication does not, so for many steps the efficiency comes close to 1.
use std::ops::Range;

use workbench::{Invalid, Operation, Place, Rank, Result, Rooted, Task, World};

use crate::{
    problem::{Function, Input, Integral},
    seq::Seq,
    trapezoids::{flops, trapezoids},
};

/// The rank that has the input at the beginning and the output at the end.
const ROOT: Rank = 0;

/// Every rank takes a block of the steps.
pub struct Mpi;

/// What one rank needs for its share.
pub struct Share {
    input: Input,
    steps: Range<u64>,
}

impl Task for Mpi {
    type Problem = Integral;
    type Prepared = Share;
    type Raw = Rooted<f64>;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Input, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<Input>) -> Result<Share> {
        let input = share(world, input)?;
        let steps = block(input.steps, world.size() as u64, world.rank() as u64);
        Ok(Share { input, steps })
    }

    fn run(&self, world: &World, Share { input, steps }: &Share) -> Result<Rooted<f64>> {
        world.work(flops(input, steps), 0);
        let mine = trapezoids(input, steps.clone());
        let mut sum = [0.0];
        world.reduce(&[mine], Some(&mut sum), Operation::Sum, ROOT)?;
        Ok(Rooted::on(world.rank() == ROOT, || sum[0]))
    }

    fn postprocessing(&self, _world: &World, integral: Rooted<f64>) -> Result<Rooted<f64>> {
        Ok(integral)
    }
}

/// Gives everybody the input that is here on the root only.
///
/// Only plain numbers travel, so the whole ones go in one message and the fractional ones in another.
fn share(world: &World, input: Rooted<Input>) -> Result<Input> {
    let (mut whole, mut limits) = match input {
        Rooted::Here(input) => ([input.function as u64, input.steps], [input.from, input.to]),
        Rooted::Elsewhere => ([0; 2], [0.0; 2]),
    };
    world.bcast(&mut whole, ROOT)?;
    world.bcast(&mut limits, ROOT)?;
    let ([function, steps], [from, to]) = (whole, limits);
    Ok(Input { function: Function::ALL[function as usize], from, to, steps })
}

/// The steps of one rank out of `ranks`: consecutive, and no rank has more than one step more than another. With fewer
/// steps than ranks some blocks are empty.
fn block(steps: u64, ranks: u64, rank: u64) -> Range<u64> {
    let (each, left_over) = (steps / ranks, steps % ranks);
    // The first `left_over` ranks take one step more.
    let start = |rank: u64| rank * each + rank.min(left_over);
    start(rank)..start(rank + 1)
}
