//! The parallel version: every rank sums a block of the steps, and a reduction adds the sums on rank 0.
//!
//! | stage | operations | communication |
//! |---|---|---|
//! | preprocessing | every rank gets the input and selects its block | two broadcasts, 32 bytes in all |
//! | run | each rank sums its block, then the sums are reduced | one reduction of one number |
//! | postprocessing | the sum on rank 0 is the output | none |
//!
//! The work is proportional to the number of steps, the communication is not. So for many steps the efficiency
//! approaches 1.
use std::ops::Range;

use assignment_1_20_integral::{Function, Input, Integral};
use workbench::{Invalid, Operation, Place, Rank, Result, Rooted, Task, World};

use crate::{
    seq::Seq,
    trapezoids::{flops, trapezoids},
};

/// The rank that has the input at the beginning and the output at the end.
const ROOT: Rank = 0;

/// Every rank computes a block of the steps.
pub struct Mpi;

/// The input of one rank's `run`.
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

/// Broadcasts the input from the root to every rank.
///
/// The integers are sent in one message and the floating-point numbers in another.
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

/// The block of steps of one of `ranks` ranks. The steps of a block are consecutive. The lengths of the blocks differ
/// by at most one. With fewer steps than ranks some blocks are empty.
fn block(steps: u64, ranks: u64, rank: u64) -> Range<u64> {
    let (each, left_over) = (steps / ranks, steps % ranks);
    // Each of the first `left_over` ranks gets one more step.
    let start = |rank: u64| rank * each + rank.min(left_over);
    start(rank)..start(rank + 1)
}
