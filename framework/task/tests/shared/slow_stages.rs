//! A task whose stages take as long as its input says, for tests of limits in real and in virtual time.
use wb_task::{Input, Invalid, Place, Problem, Task, Verdict, Workload};
use wb_world::{Result, Rooted, World};

/// The input is the time of each stage in nanoseconds.
pub(crate) struct TimedProblem;

impl Problem for TimedProblem {
    type Input = u64;
    type Output = u64;

    fn workload(request: &Workload) -> Option<u64> {
        Some(request.size as u64)
    }

    fn check(_: &u64, _: &u64) -> Verdict {
        Verdict::Right
    }
}

/// Spends the time in preprocessing, in run and in postprocessing.
pub(crate) struct SlowStages;

/// Computes until this time has passed.
fn spend(world: &World, ns: u64) -> Result<u64> {
    let until = world.now() + ns;
    while world.now() < until {
        world.work(10_000_000, 0);
    }
    Ok(ns)
}

impl Task for SlowStages {
    type Problem = TimedProblem;
    type Prepared = u64;
    type Raw = u64;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, _: &Input<Self>, _: usize) -> std::result::Result<(), Invalid> {
        Ok(())
    }

    fn preprocessing(&self, world: &World, input: Rooted<u64>) -> Result<u64> {
        spend(world, input.here().unwrap_or_default())
    }

    fn run(&self, world: &World, ns: &u64) -> Result<u64> {
        spend(world, *ns)
    }

    fn postprocessing(&self, world: &World, ns: u64) -> Result<Rooted<u64>> {
        let ns = spend(world, ns)?;
        Ok(Rooted::on(world.rank() == 0, || ns))
    }
}
