//! A benchmark with the instructor's version beside the student's.
use workbench::{Input, Invalid, Place, Problem, Result, Rooted, Task, Verdict, Workload, World};

struct Numbers;

impl Problem for Numbers {
    type Input = u64;
    type Output = u64;

    fn workload(request: &Workload) -> Option<u64> {
        Some(request.seed)
    }

    fn check(_: &u64, _: &u64) -> Verdict {
        Verdict::Right
    }
}

struct Version<P>(P);

impl<P: Problem<Input = u64, Output = u64>> Task for Version<P> {
    type Problem = P;
    type Prepared = u64;
    type Raw = u64;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, _: &Input<Self>, _: usize) -> std::result::Result<(), Invalid> {
        Ok(())
    }

    fn preprocessing(&self, _: &World, input: Rooted<u64>) -> Result<u64> {
        Ok(input.here().unwrap_or_default())
    }

    fn run(&self, _: &World, number: &u64) -> Result<u64> {
        Ok(*number)
    }

    fn postprocessing(&self, world: &World, number: u64) -> Result<Rooted<u64>> {
        Ok(Rooted::on(world.rank() == 0, || number))
    }
}

workbench::performance!(Version(Numbers), Version(Numbers), reference = Version(Numbers));
