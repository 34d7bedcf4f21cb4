//! The settings of an assignment's crate, and what they change in the settings of its tasks.
use std::{fs, path::Path};

use wb_config::{AssignmentCrate, ConfigError, TaskKind, TaskSettings};

const TASK: &str =
    "student: A B\ngroup: G\ntask_number: 1\nvariant: 20\nstatus: { seq: enabled, mpi: enabled }\n";
const ASSIGNMENT: &str =
    "kind: communication\nperformance:\n  workloads: [{ name: sine, size: 9 }]\n  ranks: [1, 3]\n";

/// A workspace with one task and the given assignments.
fn workspace(task: &str, assignments: &[(&str, &str)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a folder");
    let write = |path: &str, text: &str| {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        fs::write(path, text).expect("written");
    };
    write("Cargo.toml", "[workspace]\n");
    write("tasks/ivanov_i_sum/task.yaml", task);
    for (name, text) in assignments {
        write(&format!("tasks/{name}/Cargo.toml"), "");
        write(&format!("tasks/{name}/assignment.yaml"), text);
    }
    root
}

fn load(root: &Path) -> Result<TaskSettings, String> {
    TaskSettings::load(&root.join("tasks/ivanov_i_sum")).map_err(|error| error.to_string())
}

#[test]
fn the_assignment_sets_what_is_measured() {
    let root = workspace(TASK, &[("assignment_1_20_integral", ASSIGNMENT), ("assignment_1_2_sum", "wrong")]);
    let task = load(root.path()).expect("both files are right");
    assert_eq!((task.kind, task.performance.ranks), (TaskKind::Communication, vec![1, 3]));
    assert_eq!(task.performance.workloads[0].name, "sine");
}

#[test]
fn without_an_assignment_the_task_sets_it() {
    let root = workspace(TASK, &[("assignment_1_2_sum", ASSIGNMENT)]);
    let error = load(root.path()).expect_err("the task sets nothing");
    assert!(error.contains("task.yaml:1:1: missing field `kind`"), "{error}");
    let own = workspace(&format!("{TASK}{ASSIGNMENT}"), &[]);
    assert_eq!(load(own.path()).expect("the task sets all").performance.ranks, [1, 3]);
}

#[test]
fn what_the_assignment_sets_the_task_must_not() {
    for (key, line) in
        [("kind: computation\n", 6), ("performance: { workloads: [{ name: a, size: 1 }], ranks: [1] }\n", 6)]
    {
        let root = workspace(&format!("{TASK}{key}"), &[("assignment_1_20_integral", ASSIGNMENT)]);
        let error = load(root.path()).expect_err("it is set twice");
        let name = key.split(':').next().expect("a key");
        let expected = format!("{name}: tasks/assignment_1_20_integral/assignment.yaml sets this");
        assert!(error.contains(&expected) && error.contains(&format!("task.yaml:{line}:")), "{error}");
    }
}

#[test]
fn a_mistake_of_the_assignment_names_its_file_and_line() {
    let fallen = ASSIGNMENT.replace("[1, 3]", "[3, 1]");
    for (text, place) in [
        (fallen.as_str(), "assignment.yaml:4:14: performance.ranks[1]"),
        ("kind: fast\n", "assignment.yaml:1:7: kind"),
        ("kind: computation\nrank: 2\n", "assignment.yaml:2:1: unknown field `rank`"),
        ("", "assignment.yaml:1:1: the file is empty"),
    ] {
        let root = workspace(TASK, &[("assignment_1_20_integral", text)]);
        let error = load(root.path()).expect_err("a mistake");
        assert!(error.contains(place), "{error}");
    }
}

#[test]
fn two_assignments_of_one_variant_are_refused() {
    let both = [("assignment_1_20_integral", ASSIGNMENT), ("assignment_1_20_sum", ASSIGNMENT)];
    let root = workspace(TASK, &both);
    let found = AssignmentCrate::folder(root.path(), 1, 20);
    assert!(matches!(found, Err(ConfigError::TwoAssignments { .. })), "{found:?}");
    let none = AssignmentCrate::folder(root.path(), 1, 2).expect("no error");
    assert_eq!(none, None, "1.20 is not 1.2");
}
