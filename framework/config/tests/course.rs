//! The settings of this workspace itself, and the limits in force.

use std::{path::Path, time::Duration};

use wb_config::{AssignmentCrate, CourseSettings, TaskSettings, TimeLimits};
use wb_record::statistics::{EfficiencyBand, Estimate, grade};

fn manifest_dir() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn course() -> CourseSettings {
    CourseSettings::find(manifest_dir()).expect("tasks/course.yaml of this workspace")
}

#[test]
fn the_course_is_found_from_any_crate_of_the_workspace() {
    let tasks = manifest_dir().join("../../tasks").canonicalize().expect("the folder of tasks");
    assert_eq!(CourseSettings::file(&tasks.join("example_p_integral")), Some(tasks.join("course.yaml")));
    assert_eq!(
        CourseSettings::file(manifest_dir()).and_then(|file| file.canonicalize().ok()),
        Some(tasks.join("course.yaml"))
    );
}

#[test]
fn every_task_of_the_workspace_has_settings() {
    let tasks = manifest_dir().join("../../tasks");
    let folders =
        std::fs::read_dir(tasks).expect("the folder of tasks").map(|entry| entry.expect("an entry").path());
    let mut read = 0;
    for folder in folders.filter(|folder| folder.join("Cargo.toml").is_file()) {
        let is_assignment =
            folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with("assignment_"));
        match is_assignment {
            true => AssignmentCrate::load(&folder).map(|_| ()).unwrap_or_else(|error| panic!("{error}")),
            false => TaskSettings::load(&folder).map(|_| ()).unwrap_or_else(|error| panic!("{error}")),
        }
        read += 1;
    }
    assert!(read >= 3);
}

#[test]
fn the_processes_semester_is_worth_70_points() {
    let points: Vec<u32> = course().assignments.iter().map(|assignment| assignment.points.total()).collect();
    assert_eq!(points, [12, 23, 35]);
}

#[test]
fn efficiency_earns_the_share_of_its_band() {
    let bands: Vec<EfficiencyBand> = course().efficiency_bands.iter().map(Into::into).collect();
    for (efficiency, share) in
        [(100.0, 100), (50.0, 100), (49.9, 90), (42.0, 80), (25.0, 10), (24.99, 0), (0.0, 0)]
    {
        let estimate = Estimate { value: efficiency / 100.0, interval: None };
        assert_eq!(grade(&bands, &estimate).share, f64::from(share) / 100.0, "{efficiency} %");
    }
}

fn limits(variables: &[(&str, &str)]) -> wb_config::Result<TimeLimits> {
    TimeLimits::from_environment(&course(), |name| {
        variables.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).into())
    })
}

fn seconds(seconds: f64) -> Option<Duration> {
    Some(Duration::from_secs_f64(seconds))
}

#[test]
fn the_limits_are_the_courses_unless_the_environment_overrides_them() {
    assert_eq!(
        limits(&[]).expect("no override"),
        TimeLimits { functional: seconds(1.0), performance: seconds(10.0), program: seconds(600.0) }
    );
    let overridden = limits(&[("WB_TASK_MAX_TIME", "2.5"), ("WB_PERF_MAX_TIME", "60")]).expect("two numbers");
    assert_eq!((overridden.functional, overridden.performance), (seconds(2.5), seconds(60.0)));
    let widest =
        limits(&[("WB_TASK_MAX_TIME", "0.001"), ("WB_PERF_MAX_TIME", "3600")]).expect("both allowed");
    assert_eq!((widest.functional, widest.performance), (seconds(0.001), seconds(3600.0)));
    let of_tests = limits(&[("WB_TASK_MAX_TIME", "none")]).expect("allowed");
    assert_eq!(of_tests, TimeLimits { functional: None, performance: seconds(10.0), program: None });
    let of_measurements = limits(&[("WB_PERF_MAX_TIME", "none")]).expect("allowed");
    assert_eq!((of_measurements.performance, of_measurements.program), (None, seconds(600.0)));
    let debugged = limits(&[("WB_DEBUG_RANK", "1")]).expect("a rank");
    assert_eq!(debugged, TimeLimits { functional: None, performance: None, program: None });
}

#[test]
fn a_bad_override_is_an_error() {
    for (name, value) in [
        ("WB_TASK_MAX_TIME", "2s"),
        ("WB_TASK_MAX_TIME", "0"),
        ("WB_PERF_MAX_TIME", ""),
        ("WB_PERF_MAX_TIME", "NaN"),
        ("WB_PERF_MAX_TIME", "-1"),
        ("WB_PERF_MAX_TIME", "inf"),
        ("WB_PERF_MAX_TIME", "3600.001"),
        ("WB_TASK_MAX_TIME", "7200"),
        ("WB_TASK_MAX_TIME", "0.0009"),
        ("WB_TASK_MAX_TIME", "None"),
        ("WB_DEBUG_RANK", "one"),
        ("WB_DEBUG_RANK", "-1"),
    ] {
        let message = limits(&[(name, value)]).expect_err("it is no such value").to_string();
        assert!(
            message.starts_with(&format!("the environment variable {name} is `{value}`, but it must be ")),
            "{message}"
        );
    }
}
