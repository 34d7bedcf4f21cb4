//! The limit of a pipeline, exact to the nanosecond: in virtual time a stage takes the time that it declares.
use std::time::Duration;

use wb_local::sim::{Link, Machine};
use wb_task::{Failure, Input, Invalid, Pipeline, Place, Problem, Progress, Stage, Task, Verdict, Workload};
use wb_world::{Result, Rooted, World};

/// Nanoseconds that each stage but validation takes on each rank.
type Stages = [u64; 3];

struct TimedProblem;

impl Problem for TimedProblem {
    type Input = Stages;
    type Output = ();

    fn workload(_: &Workload) -> Option<Stages> {
        None
    }

    fn check(_: &Stages, (): &()) -> Verdict {
        Verdict::Right
    }
}

/// Only spends the time that its input says.
struct Busy(Stages);

impl Busy {
    fn spend(&self, world: &World, stage: usize) {
        world.work(self.0[stage], 0);
    }
}

impl Task for Busy {
    type Problem = TimedProblem;
    type Prepared = ();
    type Raw = ();

    const OUTPUT: Place = Place::Everywhere;

    fn validation(&self, _: &Input<Self>, _: usize) -> std::result::Result<(), Invalid> {
        Ok(())
    }

    fn preprocessing(&self, world: &World, _: Rooted<Input<Self>>) -> Result<()> {
        self.spend(world, 0);
        Ok(())
    }

    fn run(&self, world: &World, (): &()) -> Result<()> {
        self.spend(world, 1);
        Ok(())
    }

    fn postprocessing(&self, world: &World, (): ()) -> Result<Rooted<()>> {
        self.spend(world, 2);
        Ok(Rooted::Here(()))
    }
}

/// How the pipeline ends on one rank after this number of runs.
fn run_pipeline(stages: Stages, runs: usize, limit: Option<u64>) -> std::result::Result<(), Failure> {
    let link = Link {
        latency: 0,
        overhead: 0,
        gap: 0,
        per_byte: 0,
        processor_per_byte: 0,
        eager_limit: 4096,
        segments: Vec::new(),
    };
    let mut ended = wb_local::sim::run(Machine::flat("flat", link), 1, move |transport| {
        let (world, progress, task) = (World::new(transport), Progress::default(), Busy(stages));
        let submitted = Pipeline::new(&task, &world, &progress, Rooted::Here(stages), 0);
        let validated = submitted.limit(limit.map(Duration::from_nanos)).validation()?;
        let prepared = validated.preprocessing()?;
        (0..runs).try_for_each(|_| prepared.run())?;
        prepared.postprocessing(()).map(drop)
    });
    ended.pop().expect("one rank").0
}

#[test]
fn the_sum_of_the_stages_may_reach_the_limit_and_not_exceed_it() {
    let stages = [3000, 4000, 5000];
    assert_eq!(run_pipeline(stages, 1, None), Ok(()));
    assert_eq!(run_pipeline(stages, 1, Some(12_000)), Ok(()));
    for (limit, stage, spent) in [
        (11_999, Stage::Postprocessing, 12_000),
        (7000, Stage::Postprocessing, 12_000),
        (6999, Stage::Run, 7000),
        (3000, Stage::Run, 7000),
        (2999, Stage::Preprocessing, 3000),
        (0, Stage::Preprocessing, 3000),
    ] {
        let (spent, limit_of) = (Duration::from_nanos(spent), Duration::from_nanos(limit));
        let expected = Failure::Limit { stage, rank: 0, spent, limit: limit_of };
        assert_eq!(run_pipeline(stages, 1, Some(limit)), Err(expected), "limit {limit} ns");
    }
}

#[test]
fn of_several_runs_the_last_one_counts() {
    assert_eq!(run_pipeline([3000, 4000, 5000], 10, Some(12_000)), Ok(()));
}
