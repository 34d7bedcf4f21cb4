//! Tests that the limit holds for the sum of a pass's stages, also where no single stage exceeds it.
//!
//! The watchdog that interrupts a hanging pass checks one timed region at a time. The pipeline limits the sum of the
//! stages, which is tested here without a watchdog.
use std::{sync::Arc, time::Duration};

use wb_comm::{RankFunction, ThreadRanks, job::RankTermination};
use wb_runner::RankWatchdog;
use wb_task::Stage;

use super::{
    bench::RankBench,
    erased_task::ErasedTask,
    job_spec::{JobSpec, WorkloadRequest, tests::job_spec},
    measure_error::MeasureError,
    usage::CpuScope,
};
use crate::slow_stages::SlowStages;

const STAGE: Duration = Duration::from_millis(40);

/// The result of the measurement of [`SlowStages`] under this limit.
fn measured(limit: Duration) -> Result<usize, String> {
    let job: RankFunction = Arc::new(move |transport| {
        let watch =
            RankWatchdog::start(1, None, |_, _, _| unreachable!("nothing is watched")).expect("no thread");
        let bench = RankBench::new(transport, false, CpuScope::Thread, watch).expect("one rank");
        let mut order: JobSpec = job_spec();
        (order.ranks, order.limit) = (1, Some(limit));
        order.sampling.budget = Duration::ZERO;
        let request = WorkloadRequest { name: "any".into(), size: STAGE.as_nanos() as usize };
        let ended = SlowStages.measure(&bench, &order, &request, &mut None);
        Box::new(match ended {
            Ok(series) => Ok(series.len()),
            Err(MeasureError::Task(wb_task::Failure::Limit { stage, .. })) => Err(stage.name().to_owned()),
            Err(other) => Err(other.text().to_string()),
        })
    });
    let mut ranks = wb_threads::LocalThreads::DEFAULT.run(1, None, job).ranks;
    match ranks.remove(0) {
        RankTermination::Returned(value) => *value.downcast().expect("what the job returns"),
        _ => panic!("the rank did not return"),
    }
}

#[test]
fn the_sum_of_the_stages_is_limited_and_a_sum_within_the_limit_is_not() {
    assert_eq!(measured(STAGE * 50), Ok(2));
    assert_eq!(measured(STAGE + STAGE / 2), Err(Stage::Run.name().to_owned()));
}
