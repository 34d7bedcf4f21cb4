//! The limit holds for the sum of a pass's stages, also where no stage alone exceeds it.
//!
//! The watch that interrupts a hanging pass sees one timed region at a time. That the stages' sum is limited too is the
//! pipeline's affair, and is held here: without a watch.
use std::{path::Path, sync::Arc, thread, time::Duration};

use wb_comm::{Threads, ThreadsJob, job::Ended};
use wb_task::{Input, Invalid, Place, Problem, Stage, Task, Verdict, Workload};
use wb_world::{Result, Rooted, World};

use super::{
    bench::Bench,
    measure::{Solution, Stopped},
    order::{Order, Request, tests::order},
    usage::Whose,
    watch::Watch,
};

const STAGE: Duration = Duration::from_millis(40);

struct Waiting;

impl Problem for Waiting {
    type Input = u64;
    type Output = u64;

    fn workload(request: &Workload) -> Option<u64> {
        Some(request.seed)
    }

    fn check(_: &u64, _: &u64) -> Verdict {
        Verdict::Right
    }
}

/// Takes its time in two stages.
struct TwoSlowStages;

impl Task for TwoSlowStages {
    type Problem = Waiting;
    type Prepared = u64;
    type Raw = u64;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, _: &Input<Self>, _: usize) -> std::result::Result<(), Invalid> {
        Ok(())
    }

    fn preprocessing(&self, _: &World, input: Rooted<u64>) -> Result<u64> {
        thread::sleep(STAGE);
        Ok(input.here().unwrap_or_default())
    }

    fn run(&self, _: &World, number: &u64) -> Result<u64> {
        thread::sleep(STAGE);
        Ok(*number)
    }

    fn postprocessing(&self, world: &World, number: u64) -> Result<Rooted<u64>> {
        Ok(Rooted::on(world.rank() == 0, || number))
    }
}

/// How the measurement of [`TwoSlowStages`] ends under this limit.
fn measured(limit: Duration) -> std::result::Result<usize, String> {
    let job: ThreadsJob = Arc::new(move |transport| {
        let watch = Watch::start(1, None, |_, _, _| unreachable!("nothing is watched")).expect("no thread");
        let bench = Bench::new(transport, false, Whose::Thread, watch).expect("one rank");
        let mut order: Order = order(Path::new("/"));
        (order.ranks, order.limit) = (1, Some(limit));
        order.sampling.budget = Duration::ZERO;
        let request = Request { name: "any".into(), size: 1 };
        let ended = TwoSlowStages.measure(&bench, &order, &request, &mut None);
        Box::new(match ended {
            Ok(series) => Ok(series.len()),
            Err(Stopped::Task(wb_task::Failure::Limit { stage, .. })) => Err(stage.name().to_owned()),
            Err(other) => Err(other.to_string()),
        })
    });
    let mut ranks = wb_threads::Local::USUAL.run(1, None, job).ranks;
    match ranks.remove(0) {
        Ended::Returned(value) => *value.downcast().expect("what the job returns"),
        _ => panic!("the rank did not return"),
    }
}

#[test]
fn the_sum_of_the_stages_is_limited_and_a_sum_within_the_limit_is_not() {
    assert_eq!(measured(STAGE * 50), Ok(2));
    assert_eq!(measured(STAGE + STAGE / 2), Err(Stage::Run.name().to_owned()));
}
