//! Every wrong file of settings is refused with the place, its text and the allowed values.

use std::path::Path;

use wb_config::{ConfigError, CourseSettings, TaskSettings};

const TASK: &str = "\
student: Ivan Ivanov
group: 3823B1PR1
task_number: 2
variant: 4
title:
  en: Scatter
kind: communication
status:
  seq: enabled
  mpi: disabled
performance:
  workloads:
    - { name: int, size: 1000 }
    - { name: double, size: 1000 }
  ranks: [1, 2, 4]
";

const COURSE: &str = "\
limits: { functional_seconds: 1.0, performance_seconds: 10, program_seconds: 600 }
efficiency_bands:
  - { from_percent: 50, points_percent: 100 }
  - { from_percent: 45, points_percent: 90 }
assignments:
  - { number: 1, title: {}, points: { mpi: 8, seq: 2, performance: 0, report: 2 }, deadline: 2027-03-07 }
  - { number: 2, title: {}, points: { mpi: 12, seq: 3, performance: 5, report: 3 }, deadline: 2027-04-11 }
  - { number: 3, title: {}, points: { mpi: 16, seq: 4, performance: 10, report: 5 }, deadline: 2027-05-16 }
penalties: { late_points_per_day: 1, copied_share_of_solution: 0.5 }
";

/// Asserts that the task above, with `from` replaced by `to`, is refused at `line:column` with `problem`.
#[track_caller]
fn assert_task_error(from: &str, to: &str, place: &str, problem: &str) {
    assert_eq!(TASK.matches(from).count(), 1, "`{from}` must be unique");
    let message = TaskSettings::parse(Path::new("t/task.yaml"), &TASK.replace(from, to));
    assert_error(message.expect_err("it must be refused"), place, problem);
}

#[track_caller]
fn assert_course_error(from: &str, to: &str, place: &str, problem: &str) {
    assert_eq!(COURSE.matches(from).count(), 1, "`{from}` must be unique");
    let message = CourseSettings::parse(Path::new("t/task.yaml"), &COURSE.replace(from, to));
    assert_error(message.expect_err("it must be refused"), place, problem);
}

#[track_caller]
fn assert_error(error: ConfigError, place: &str, problem: &str) {
    let message = error.to_string();
    assert_eq!(message.lines().next(), Some(format!("t/task.yaml:{place}: {problem}").as_str()), "{message}");
}

#[test]
fn the_correct_task_is_read() {
    let task = TaskSettings::parse(Path::new("task.yaml"), TASK).expect("it is correct");
    assert_eq!((task.task_number, task.variant), (2, 4));
    assert_eq!((task.title.en.as_deref(), task.title.ru), (Some("Scatter"), None));
    assert_eq!(task.performance.workloads[1].size, 1000);
    assert_eq!(task.performance.ranks, [1, 2, 4]);
}

#[test]
fn the_whole_message_shows_the_line_and_the_column() {
    let error = TaskSettings::parse(Path::new("t/task.yaml"), &TASK.replace("variant: 4", "variant: 124"));
    assert_eq!(
        error.expect_err("no assignment has as many variants").to_string(),
        "t/task.yaml:4:10: variant: invalid value: integer `124`, expected a whole number from 1 to 99\n \
         4 | variant: 124\n   \
         |          ^"
    );
}

#[test]
fn unknown_keys() {
    let keys = "expected one of `student`, `login`, `group`, `task_number`, `variant`, `title`, `kind`, `status`, `performance`";
    assert_task_error("group:", "grup:", "2:1", &format!("unknown field `grup`, {keys}"));
    assert_task_error("  mpi:", "  omp:", "10:3", "status: unknown field `omp`, expected `seq` or `mpi`");
    assert_task_error(
        "name: double,",
        "nome: double,",
        "14:9",
        "performance.workloads[1]: unknown field `nome`, expected `name` or `size`",
    );
}

#[test]
fn wrong_types() {
    assert_task_error(
        "task_number: 2",
        "task_number: two",
        "3:14",
        "task_number: invalid type: string \"two\", expected a whole number from 1 to 3",
    );
    assert_task_error(
        "task_number: 2",
        "task_number: 2.5",
        "3:14",
        "task_number: invalid type: floating point `2.5`, expected a whole number from 1 to 3",
    );
    assert_task_error(
        "group: 3823B1PR1",
        "group: 3823",
        "2:8",
        "group: invalid type: integer `3823`, expected a text that is not empty (quote it if it looks like a number)",
    );
    assert_task_error(
        "student: Ivan Ivanov",
        "student: \"\"",
        "1:10",
        "student: invalid value: string \"\", expected a text that is not empty (quote it if it looks like a number)",
    );
    assert_task_error(
        "seq: enabled",
        "seq: true",
        "9:8",
        "status.seq: unknown variant `true`, expected `enabled` or `disabled`",
    );
    assert_task_error(
        "ranks: [1, 2, 4]",
        "ranks: 4",
        "15:10",
        "performance.ranks: invalid type: integer `4`, expected a sequence",
    );
}

#[test]
fn repeated_keys() {
    assert_task_error(
        "variant: 4",
        "variant: 4\nvariant: 5",
        "5:1",
        "the key `variant` is here a second time; keep one of the two",
    );
    assert_task_error(
        "seq: enabled",
        "seq: enabled\n  seq: enabled",
        "10:3",
        "status: the key `seq` is here a second time; keep one of the two",
    );
}

#[test]
fn values_out_of_range() {
    assert_task_error(
        "task_number: 2",
        "task_number: 4",
        "3:14",
        "task_number: invalid value: integer `4`, expected a whole number from 1 to 3",
    );
    assert_task_error(
        "variant: 4",
        "variant: 0",
        "4:10",
        "variant: invalid value: integer `0`, expected a whole number from 1 to 99",
    );
    assert_task_error(
        "variant: 4",
        "variant: -1",
        "4:10",
        "variant: invalid type: integer `-1`, expected a whole number from 1 to 99",
    );
    assert_task_error(
        "ranks: [1, 2, 4]",
        "ranks: [1, 0]",
        "15:14",
        "performance.ranks[1]: invalid value: integer `0`, expected a whole number from 1 to 1024",
    );
}

#[test]
fn values_that_contradict_each_other() {
    assert_task_error(
        "ranks: [1, 2, 4]",
        "ranks: [1, 4, 2]",
        "15:17",
        "performance.ranks[2]: 2 after 4, expected numbers of ranks that increase",
    );
    assert_task_error(
        "ranks: [1, 2, 4]",
        "ranks: [1, 2, 2]",
        "15:17",
        "performance.ranks[2]: 2 after 2, expected numbers of ranks that increase",
    );
    assert_task_error(
        "ranks: [1, 2, 4]",
        "ranks: []",
        "15:10",
        "performance.ranks: the list is empty, expected at least one number of ranks",
    );
    assert_task_error(
        "name: double",
        "name: int",
        "14:7",
        "performance.workloads[1]: this workload is listed already, expected each one once",
    );
    assert_task_error(
        "    - { name: double, size: 1000 }\n",
        "    - { name: double, size: 1000 }\n    - { name: int, size: 1000 }\n",
        "15:7",
        "performance.workloads[2]: this workload is listed already, expected each one once",
    );
}

#[test]
fn missing_keys_and_broken_yaml() {
    assert_task_error("variant: 4\n", "", "1:1", "missing field `variant`");
    assert_task_error(
        "kind: communication",
        "kind: [communication",
        "8:7",
        "did not find expected ',' or ']' at line 8 column 7, while parsing a flow sequence at line 7 column 7",
    );
}

#[test]
fn a_missing_file_is_named() {
    let error = TaskSettings::load(Path::new("no/such/folder")).expect_err("there is none");
    assert!(error.to_string().starts_with("cannot read no/such/folder/task.yaml: "), "{error}");
}

#[test]
fn the_course_is_as_strict() {
    assert!(CourseSettings::parse(Path::new("course.yaml"), COURSE).is_ok());
    assert_course_error(
        "performance_seconds: 10",
        "performance_seconds: 0",
        "1:57",
        "limits.performance_seconds: invalid value: floating point `0.0`, expected seconds, from 0.001 to 3600",
    );
    assert_course_error(
        "2027-03-07",
        "2027-02-30",
        "6:94",
        "assignments[0].deadline: invalid value: string \"2027-02-30\", expected a day or a moment that exists, in the \
         course's time zone, written like 2027-03-14 or 2027-03-14T18:00",
    );
    assert_course_error(
        "number: 2",
        "number: 3",
        "7:15",
        "assignments[1].number: assignment 3 at place 2, expected the assignments 1, 2, 3 in order",
    );
    assert_course_error(
        "from_percent: 45",
        "from_percent: 55",
        "4:5",
        "efficiency_bands[1]: expected less efficiency and fewer points than the band before",
    );
    assert_course_error(
        "copied_share_of_solution: 0.5",
        "copied_share_of_solution: 1.5",
        "9:64",
        "penalties.copied_share_of_solution: invalid value: floating point `1.5`, expected a number from 0 to 1",
    );
}
