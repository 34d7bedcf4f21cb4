//! The course's limit reaches the stages of a task: the shortest way through the harness, in virtual time.
use std::{sync::Arc, time::Duration};

use wb_config::{CourseSettings, IGNORE_LIMITS, TASK_LIMIT};
use wb_task::{Progress, Stage};
use workbench::in_one_process;

use super::Functional;
use crate::{
    functional::{entry::How, limit, threads, virtual_time::InVirtualTime},
    slow_stages::SlowStages,
};

/// How a run ends whose stages take so much each.
fn ends(stage: Duration) -> (How, Option<Stage>) {
    let ns = u64::try_from(stage.as_nanos()).expect("a short time");
    let trials = Functional::new(in_one_process(), SlowStages).trials("limited", 1, None, [ns]);
    let progress: Arc<[Progress]> = [Progress::default()].into();
    let ran = threads::run(&InVirtualTime(in_one_process().virtual_time), &trials[0], &progress);
    (ran.entries[0].how, ran.entries[0].stage)
}

#[test]
fn stages_that_are_too_long_together_are_over_the_course_s_limit() {
    let course = CourseSettings::find(&limit::start()).expect("the workspace has a course");
    let set = [TASK_LIMIT, IGNORE_LIMITS].iter().any(|name| std::env::var_os(name).is_some());
    let expected = limit::functional();
    assert!(set || expected == Some(course.limits.functional), "{expected:?}");
    match expected {
        // Lifted for all tests.
        None => assert_eq!(ends(Duration::from_secs(60)), (How::Returned, None)),
        Some(limit) => {
            assert_eq!(ends(limit / 4), (How::Returned, None));
            // Each stage alone would do.
            assert_eq!(ends(limit / 5 * 2), (How::Limit, Some(Stage::Postprocessing)));
        }
    }
}
