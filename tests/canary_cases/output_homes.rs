//! Problems whose input and output are at home on another rank than 0.
use workbench::{
    Assignment, AssignmentId, GradedInput, Invalid, Place, Problem, Rank, Result, Rooted, Task, Verdict,
    Workload, World, functional,
};

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
        let mut received = [0];
        match number {
            Some(number) => {
                world.send(&[*number], 0, 0)?;
                world.recv(&mut received, 0, 1)?;
                Ok(Some(received[0]))
            }
            None if world.rank() == 0 => {
                world.recv(&mut received, home, 0)?;
                world.send(&[received[0] + self.0], home, 1)?;
                Ok(None)
            }
            None => Ok(None),
        }
    }

    fn postprocessing(&self, _: &World, number: Option<u64>) -> Result<Rooted<u64>> {
        Ok(Rooted::on(number.is_some(), || number.unwrap_or_default()))
    }
}

impl Assignment for LastRankProblem {
    const ID: AssignmentId = AssignmentId::from_package("assignment_1_1_canary", env!("CARGO_MANIFEST_DIR"));

    type Reference = KnownEverywhere;

    fn graded_inputs(_: usize, _: u64) -> Vec<GradedInput<u64>> {
        vec![GradedInput::new("a number", NUMBER)]
    }

    fn refused_inputs(_: usize) -> Vec<GradedInput<u64>> {
        vec![]
    }

    fn compare(output: &u64, expected: &u64) -> Verdict {
        Verdict::same(&[*output], &[*expected])
    }
}

/// The reference of the assignment, whose output is on every rank.
#[derive(Default)]
struct KnownEverywhere;

impl Task for KnownEverywhere {
    type Problem = LastRankProblem;
    type Prepared = u64;
    type Raw = u64;

    const OUTPUT: Place = Place::Everywhere;

    fn validation(&self, _: &u64, _: usize) -> std::result::Result<(), Invalid> {
        Ok(())
    }

    fn preprocessing(&self, _: &World, input: Rooted<u64>) -> Result<u64> {
        Ok(input.here().expect("the only rank has the input"))
    }

    fn run(&self, _: &World, number: &u64) -> Result<u64> {
        Ok(*number)
    }

    fn postprocessing(&self, _: &World, number: u64) -> Result<Rooted<u64>> {
        Ok(Rooted::Here(number))
    }
}

/// Its outputs are right where they are: only the check of the place finds that they are not where the assignment wants them.
#[test]
fn the_output_is_at_another_place_than_the_assignment_s() {
    functional(RoundTrip(0)).ranks(ranks()).graded();
}

#[test]
fn the_output_at_home_is_wrong() {
    functional(RoundTrip(1)).ranks(ranks()).check(|_| [NUMBER]);
}

#[test]
fn the_output_at_home_is_right() {
    functional(RoundTrip(0)).ranks(ranks()).check(|_| [NUMBER]);
}
