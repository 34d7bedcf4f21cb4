//! The limit holds for the sum of a pass's stages, also where no stage alone exceeds it.
//!
//! The watch that interrupts a hanging pass sees one timed region at a time. That the stages' sum is limited too is the
//! pipeline's affair, and is held here: without a watch.
use std::{path::Path, sync::Arc, time::Duration};

use wb_comm::{Threads, ThreadsJob, job::Ended};
use wb_task::Stage;

use super::{
    bench::Bench,
    measure::{Solution, Stopped},
    order::{Order, Request, tests::order},
    usage::Whose,
    watch::Watch,
};
use crate::slow_stages::SlowStages;

const STAGE: Duration = Duration::from_millis(40);

/// How the measurement of [`SlowStages`] ends under this limit.
fn measured(limit: Duration) -> Result<usize, String> {
    let job: ThreadsJob = Arc::new(move |transport| {
        let watch = Watch::start(1, None, |_, _, _| unreachable!("nothing is watched")).expect("no thread");
        let bench = Bench::new(transport, false, Whose::Thread, watch).expect("one rank");
        let mut order: Order = order(Path::new("/"));
        (order.ranks, order.limit) = (1, Some(limit));
        order.sampling.budget = Duration::ZERO;
        let request = Request { name: "any".into(), size: STAGE.as_nanos() as usize };
        let ended = SlowStages.measure(&bench, &order, &request, &mut None);
        Box::new(match ended {
            Ok(series) => Ok(series.len()),
            Err(Stopped::Task(wb_task::Failure::Limit { stage, .. })) => Err(stage.name().to_owned()),
            Err(other) => Err(other.text().to_string()),
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
