//! The assignment of the cheats: the sum of the squares of numbers.
use workbench::{
    Assignment, AssignmentId, GradedInput, Input, Invalid, Operation, Place, Problem, Result, Rooted, Task,
    Verdict, Workload, World,
};

/// The sum of the squares of numbers.
pub(crate) struct Squares;

/// The right answer.
pub(crate) fn sum_of_squares(numbers: &[u64]) -> u64 {
    numbers.iter().map(|number| number * number).sum()
}

impl Problem for Squares {
    type Input = Vec<u64>;
    type Output = u64;

    fn workload(request: &Workload) -> Option<Vec<u64>> {
        Some((0..request.size as u64).map(|at| (request.seed ^ at) % 1000).collect())
    }

    fn check(input: &Vec<u64>, output: &u64) -> Verdict {
        Verdict::equal(output, &sum_of_squares(input))
    }
}

impl Assignment for Squares {
    const ID: AssignmentId = AssignmentId::from_package("assignment_2_7_squares", "");
    const GRADED_RANKS: &'static [usize] = &[2];
    type Reference = Reference;

    fn graded_inputs(ranks: usize, seed: u64) -> Vec<GradedInput<Vec<u64>>> {
        let numbers = |salt: u64| (1..20 + ranks as u64).map(|at| (seed ^ (salt * at)) % 1000).collect();
        vec![GradedInput::new("first", numbers(7)), GradedInput::new("second", numbers(13))]
    }

    fn refused_inputs(_ranks: usize) -> Vec<GradedInput<Vec<u64>>> {
        vec![]
    }

    fn compare(output: &u64, expected: &u64) -> Verdict {
        Verdict::equal(output, expected)
    }
}

/// The sequential version, which is also the student's: the cheats are parallel versions.
#[derive(Default)]
pub(crate) struct Reference;

impl Task for Reference {
    type Problem = Squares;
    type Prepared = Vec<u64>;
    type Raw = u64;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, _: &Input<Self>, _: usize) -> std::result::Result<(), Invalid> {
        Ok(())
    }

    fn preprocessing(&self, _: &World, input: Rooted<Vec<u64>>) -> Result<Vec<u64>> {
        Ok(input.here().unwrap_or_default())
    }

    fn run(&self, _: &World, numbers: &Vec<u64>) -> Result<u64> {
        Ok(sum_of_squares(numbers))
    }

    fn postprocessing(&self, _: &World, sum: u64) -> Result<Rooted<u64>> {
        Ok(Rooted::Here(sum))
    }
}

/// The sum of what all ranks have.
pub(crate) fn reduced(world: &World, mine: u64) -> Result<u64> {
    let mut sum = [0];
    world.reduce(&[mine], (world.rank() == 0).then_some(&mut sum[..]), Operation::Sum, 0)?;
    Ok(sum[0])
}
