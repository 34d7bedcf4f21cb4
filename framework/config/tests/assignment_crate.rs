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
fn a_variant_that_the_course_does_not_have_is_named_before_the_keys_of_its_crate() {
    let root =
        workspace(&TASK.replace("variant: 20", "variant: 77"), &[("assignment_1_20_integral", ASSIGNMENT)]);
    fs::write(root.path().join("tasks/course.yaml"), include_str!("../../../tasks/course.yaml"))
        .expect("written");
    let error = load(root.path()).expect_err("there is no such variant");
    assert!(error.contains("task.yaml:4:10: variant: assignment 1 has no variant 77"), "{error}");
    assert!(error.contains("expected a whole number from 1 to ") && !error.contains("kind"), "{error}");
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

/// A workspace whose assignment has these files, and the error of its settings with `files`.
fn load_with_files(files: &str) -> (tempfile::TempDir, Result<TaskSettings, String>) {
    let assignment = format!("{ASSIGNMENT}files: {files}\n");
    let root = workspace(TASK, &[("assignment_1_20_integral", &assignment)]);
    let folder = root.path().join("tasks/assignment_1_20_integral/files");
    fs::create_dir_all(folder.join("folder")).expect("created");
    fs::write(folder.join("matrix.bin"), [1]).expect("written");
    #[cfg(unix)]
    std::os::unix::fs::symlink("../assignment.yaml", folder.join("link.bin")).expect("made");
    let loaded = load(root.path());
    (root, loaded)
}

#[test]
fn an_assignment_may_list_files_that_its_tasks_read() {
    let (root, loaded) = load_with_files("[matrix.bin]");
    let files = loaded.expect("it is there").files.expect("of an assignment");
    let folder = root.path().join("tasks/assignment_1_20_integral/files");
    assert_eq!((files.folder, files.names), (folder, vec!["matrix.bin".to_owned()]));
    let none = workspace(TASK, &[("assignment_1_20_integral", ASSIGNMENT)]);
    assert_eq!(load(none.path()).expect("right").files.expect("of an assignment").names, [""; 0]);
    let own = workspace(&format!("{TASK}{ASSIGNMENT}"), &[]);
    assert_eq!(load(own.path()).expect("right").files, None);
}

#[test]
fn a_task_cannot_allow_files_itself() {
    let root = workspace(&format!("{TASK}files: [a]\n"), &[("assignment_1_20_integral", ASSIGNMENT)]);
    let error = load(root.path()).expect_err("the assignment decides");
    assert!(error.contains("task.yaml:6:1: unknown field `files`"), "{error}");
}

#[test]
fn a_file_that_is_not_one_of_the_crate_is_refused_with_its_line() {
    let not_a_name = "is not the name of a file, expected 1 to 64 Latin letters, digits";
    let missing = "beside this file does not exist or is not a regular file";
    for (files, place, problem) in [
        ("[matrix.bin, ../assignment.yaml]", "5:21: files[1]", not_a_name),
        ("[/etc/passwd]", "5:9: files[0]", not_a_name),
        ("[.hidden]", "5:9: files[0]", not_a_name),
        ("['a,b']", "5:9: files[0]", not_a_name),
        ("['']", "5:9: files[0]", not_a_name),
        ("[matrix.bin, matrix.bin]", "5:21: files[1]", "listed twice"),
        ("[gone.bin]", "5:9: files[0]", missing),
        ("[folder]", "5:9: files[0]", missing),
        #[cfg(unix)]
        ("[link.bin]", "5:9: files[0]", missing),
        ("matrix.bin", "5:8: files", "expected a sequence"),
    ] {
        let error = load_with_files(files).1.expect_err(files);
        let is_named = error.contains(&format!("assignment.yaml:{place}: ")) && error.contains(problem);
        assert!(is_named, "{files}: {error}");
    }
}
