//! `cargo wb test -p TASK` where the style of the task is wrong.
mod workspace;

use workspace::{TASK, output_text, wb, workspace, write};

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
