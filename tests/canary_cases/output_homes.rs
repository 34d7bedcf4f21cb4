//! Problems whose input and output are at home on another rank than 0.
use workbench::{Invalid, Place, Problem, Rank, Result, Rooted, Task, Verdict, Workload, World, functional};

use crate::number_task::{NUMBER, ranks};

/// The input is on the last rank, and the output belongs there.
struct LastRankProblem;

impl Problem for LastRankProblem {
    type Input = u64;
    type Output = u64;

    fn home(_: &u64, ranks: usize) -> Rank {
        ranks - 1
    }

    fn workload(_: &Workload) -> Option<u64> {
        None
    }

    fn check(input: &u64, output: &u64) -> Verdict {
        Verdict::same(&[*output], &[*input])
    }
}

/// Sends the number from its home to rank 0 and back, which adds something on the way.
struct RoundTrip(u64);

impl Task for RoundTrip {
    type Problem = LastRankProblem;
    type Prepared = Option<u64>;
    type Raw = Option<u64>;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, _: &u64, _: usize) -> std::result::Result<(), Invalid> {
        Ok(())
    }

    fn preprocessing(&self, _: &World, input: Rooted<u64>) -> Result<Option<u64>> {
        Ok(input.here())
    }

    fn run(&self, world: &World, number: &Option<u64>) -> Result<Option<u64>> {
        let home = world.size() - 1;
        let mut came = [0];
        match number {
            Some(number) => {
                world.send(&[*number], 0, 0)?;
                world.recv(&mut came, 0, 1)?;
                Ok(Some(came[0]))
            }
            None if world.rank() == 0 => {
                world.recv(&mut came, home, 0)?;
                world.send(&[came[0] + self.0], home, 1)?;
                Ok(None)
            }
            None => Ok(None),
        }
    }

    fn postprocessing(&self, _: &World, number: Option<u64>) -> Result<Rooted<u64>> {
        Ok(Rooted::on(number.is_some(), || number.unwrap_or_default()))
    }
}

#[test]
fn the_output_at_home_is_wrong() {
    functional(RoundTrip(1)).ranks(ranks()).check(|_| [NUMBER]);
}

#[test]
fn the_output_at_home_is_right() {
    functional(RoundTrip(0)).ranks(ranks()).check(|_| [NUMBER]);
}
