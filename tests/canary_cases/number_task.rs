//! The problem that all canaries have: a number from rank 0 is wanted on every rank.
use workbench::{Invalid, Place, Problem, Result, Rooted, Task, Verdict, Workload, World, functional};

/// The number.
pub(crate) const NUMBER: u64 = 42;

/// The problem.
pub(crate) struct NumberEverywhere;

impl Problem for NumberEverywhere {
    type Input = u64;
    type Output = u64;

    fn workload(_: &Workload) -> Option<u64> {
        None
    }

    fn check(input: &u64, output: &u64) -> Verdict {
        Verdict::same(&[*output], &[*input])
    }
}

/// A solution, given by its stages.
#[derive(Clone, Copy)]
pub(crate) struct StageSolution {
    pub(crate) run: fn(&World, Option<u64>) -> Result<u64>,
    pub(crate) postprocessing: fn(u64) -> u64,
}

impl Task for StageSolution {
    type Problem = NumberEverywhere;
    type Prepared = Option<u64>;
    type Raw = u64;

    const OUTPUT: Place = Place::Everywhere;

    fn validation(&self, input: &u64, _ranks: usize) -> std::result::Result<(), Invalid> {
        Invalid::unless(*input > 0, "the number is zero")
    }

    fn preprocessing(&self, _world: &World, input: Rooted<u64>) -> Result<Option<u64>> {
        Ok(input.here())
    }

    fn run(&self, world: &World, data: &Option<u64>) -> Result<u64> {
        (self.run)(world, *data)
    }

    fn postprocessing(&self, _world: &World, raw: u64) -> Result<Rooted<u64>> {
        Ok(Rooted::Here((self.postprocessing)(raw)))
    }
}

/// The right way: rank 0 sends to every other.
pub(crate) fn distribute(world: &World, number: Option<u64>) -> Result<u64> {
    match number {
        Some(number) => {
            (1..world.size()).try_for_each(|rank| world.send(&[number], rank, 0))?;
            Ok(number)
        }
        None => {
            let mut number = [0];
            world.recv(&mut number, 0, 0)?;
            Ok(number[0])
        }
    }
}

/// A solution that only has a run.
pub(crate) fn solution(run: fn(&World, Option<u64>) -> Result<u64>) -> StageSolution {
    StageSolution { run, postprocessing: |number| number }
}

/// The numbers of ranks that the canaries run on: two and four, unless `WBTEST_CANARY_RANKS` names one.
pub(crate) fn ranks() -> Vec<usize> {
    match std::env::var("WBTEST_CANARY_RANKS") {
        Ok(only) => vec![only.parse().expect("a number of ranks")],
        Err(_) => vec![2, 4],
    }
}

/// Tests a run on these numbers of ranks.
pub(crate) fn test(run: fn(&World, Option<u64>) -> Result<u64>) {
    functional(solution(run)).ranks(ranks()).check(|_| [NUMBER]);
}
