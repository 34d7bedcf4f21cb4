//! `cargo wb test -p TASK` where the style of the task is wrong, and where no test leaves a result.

use crate::workspace::{TASK, output_text, wb, workspace, write};

/// The tests run also where the style is wrong; their total must not look like the result of the command.
#[test]
fn the_tests_of_one_task_end_with_the_style_that_is_wrong() {
    let root = workspace(TASK);
    write(
        &root.path().join("tasks/ivanov_i_scatter/src/lib.rs"),
        "//! Nothing.\n\npub  fn one()->i32{return 1}\n",
    );
    let arguments = ["test", "-p", "ivanov_i_scatter", "--backend", "threads"];
    let shown = output_text(&wb(root.path(), &arguments), 1);
    assert!(shown.lines().any(|line| line == "1 passed, 0 failed, 1 skipped"), "{shown}");
    let style =
        "the style is not right, see above: cargo fmt -p ivanov_i_scatter, cargo clippy -p ivanov_i_scatter";
    assert!(shown.lines().any(|line| line == style), "{shown}");
}

#[test]
fn a_program_that_a_test_replaces_by_another_one_is_no_success() {
    let root = workspace(TASK);
    let test = "#[test]\nfn replaces() {\n    use std::os::unix::process::CommandExt;\n    \
        panic!(\"{}\", std::process::Command::new(\"true\").exec());\n}\n";
    write(&root.path().join("tasks/ivanov_i_scatter/tests/functional.rs"), test);
    let shown = output_text(&wb(root.path(), &["test", "-p", "ivanov_i_scatter", "--backend", "threads"]), 1);
    assert!(shown.lines().any(|line| line == "0 passed, 0 failed, 0 skipped"), "{shown}");
    assert!(shown.contains("no test has left a result"), "{shown}");
}
