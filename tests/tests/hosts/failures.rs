//! Each failure of a host, once and many times.
use std::{thread, time::Duration};

use wb_tests::hosts::HostsError;

use crate::failure_trial::{Failure, FailureTrial, Starter, Work};

/// One trial of each of these, all at a time: they wait most of the time.
fn run_together(trials: &[FailureTrial]) -> Result<(), HostsError> {
    let results: Vec<Result<Vec<String>, HostsError>> = thread::scope(|scope| {
        let running: Vec<_> = trials.iter().map(|trial| scope.spawn(|| trial.run())).collect();
        running.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    let mut wrong = vec![];
    for (trial, result) in trials.iter().zip(results) {
        wrong.extend(result?.into_iter().map(|what| format!("{trial}: {what}")));
    }
    assert_eq!(wrong, [""; 0]);
    Ok(())
}

/// The trials that a number of repetitions has, in turn by work and by the moment of the failure.
fn trials(failure: Failure, starter: Starter, count: u32) -> impl Iterator<Item = FailureTrial> {
    (0..count).map(move |number| FailureTrial {
        failure,
        work: if number % 2 == 0 { Work::Tests } else { Work::Measurements },
        starter,
        delay: Duration::from_millis(u64::from(number) * 370),
    })
}

/// The variable that says how often each failure is tried, and the one that selects some by a part of their description.
const COUNT_VARIABLE: &str = "WBTEST_FAILURE_TRIALS";
const FILTER_VARIABLE: &str = "WBTEST_FAILURE_FILTER";

/// Every failure, many times: it takes an hour.
pub(crate) fn every_failure_many_times() -> Result<(), HostsError> {
    let count = std::env::var(COUNT_VARIABLE).map_or(10, |text| text.parse().expect("a number of trials"));
    let filter = std::env::var(FILTER_VARIABLE).unwrap_or_default();
    let of_starter =
        |starter| Failure::ALL.into_iter().flat_map(move |failure| trials(failure, starter, count));
    let all = [Starter::Library, Starter::Srun].into_iter().flat_map(of_starter);
    let mut wrong = vec![];
    for trial in all.filter(|trial| trial.to_string().contains(&filter)) {
        wrong.extend(trial.run()?.into_iter().map(|what| format!("{trial}: {what}")));
    }
    assert_eq!(wrong, [""; 0]);
    Ok(())
}

/// A command under a limit of its own, which is far above those of the trials.
pub(crate) fn every_failure_is_reported_and_leaves_nothing() -> Result<(), HostsError> {
    let trial = |failure, work| FailureTrial {
        failure,
        work,
        starter: Starter::Library,
        delay: Duration::from_millis(300),
    };
    run_together(&[
        trial(Failure::RankIsStopped, Work::Tests),
        trial(Failure::PacketsAreLost, Work::Tests),
        trial(Failure::FolderHangs, Work::Tests),
    ])?;
    run_together(&[
        trial(Failure::HostDies, Work::Measurements),
        trial(Failure::RankIsKilled, Work::Tests),
        trial(Failure::LinkGoesDown, Work::Tests),
    ])
}
