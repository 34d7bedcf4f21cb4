//! The course's limit applies to the stages of a task: the shortest path through the harness, in virtual time.
use std::{sync::Arc, time::Duration};

use wb_config::{CourseSettings, IGNORE_LIMITS, TASK_LIMIT};
use wb_task::{Progress, Stage};
use workbench::in_one_process;

use crate::test::suite::{Case, Functional};
use crate::{
    evidence::rank_report::RankOutcome,
    rank_side::{threads, virtual_time::VirtualTimeThreads},
    slow_stages::SlowStages,
    test::limit,
};

/// How a run ends whose stages take this time each.
fn run_outcome(stage: Duration) -> (RankOutcome, Option<Stage>) {
    let ns = u64::try_from(stage.as_nanos()).expect("a short time");
    let trials =
        Functional::new(in_one_process(), SlowStages).test_runs("limited", 1, None, [Case::unnamed(ns)]);
    let progress: Arc<[Progress]> = [Progress::default()].into();
    let ran = threads::run(&VirtualTimeThreads(in_one_process().virtual_time), &trials[0], &progress);
    (ran.reports[0].outcome, ran.reports[0].stage)
}

#[test]
fn stages_that_are_too_long_together_are_over_the_course_s_limit() {
    let course = CourseSettings::find(&limit::search_start()).expect("the workspace has a course");
    let set = [TASK_LIMIT, IGNORE_LIMITS].iter().any(|name| std::env::var_os(name).is_some());
    let expected = limit::time_limit();
    assert!(set || expected == Some(course.limits.functional), "{expected:?}");
    match expected {
        // Lifted for all tests.
        None => assert_eq!(run_outcome(Duration::from_secs(60)), (RankOutcome::Returned, None)),
        Some(limit) => {
            assert_eq!(run_outcome(limit / 4), (RankOutcome::Returned, None));
            // Each stage alone stays below the limit.
            assert_eq!(run_outcome(limit / 5 * 2), (RankOutcome::TimedOut, Some(Stage::Postprocessing)));
        }
    }
}
