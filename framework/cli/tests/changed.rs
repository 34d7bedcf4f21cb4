//! `cargo wb test --changed`: what a change can affect is checked, and nothing else is built.

use std::{path::Path, process::Command};

use crate::workspace::{TASK, output_text, wb, workspace, write};

const CHANGED: [&str; 4] = ["test", "--backend", "threads", "--changed"];

#[track_caller]
fn git(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=Student", "-c", "user.email=student@example.org"]).args(arguments);
    command.current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    let output = command.output().expect("starting git");
    assert!(output.status.success(), "git {arguments:?}: {output:?}");
}

/// Two tasks on the main branch; one of them does not compile and has wrong settings. The clone is on a branch of its own.
fn repository() -> tempfile::TempDir {
    let root = workspace(TASK);
    let broken = root.path().join("tasks/petrov_p_sum");
    let manifest = "[package]\nname = \"petrov_p_sum\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[package.metadata.task]\n";
    write(&broken.join("Cargo.toml"), manifest);
    write(&broken.join("task.yaml"), "student: 1\n");
    write(&broken.join("src/lib.rs"), "no Rust\n");
    write(&root.path().join(".gitignore"), "/target\n/Cargo.lock\n");
    git(root.path(), &["init", "--quiet", "--initial-branch", "main"]);
    commit(root.path());
    git(root.path(), &["switch", "--quiet", "-c", "branch"]);
    root
}

fn commit(folder: &Path) {
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "--quiet", "-m", "Work"]);
}

#[test]
fn one_changed_task_is_tested_and_nothing_else_is_built() {
    let root = repository();
    let source = root.path().join("tasks/ivanov_i_scatter/src/lib.rs");
    write(&source, "//! Something else.\n");
    commit(root.path());
    let passed = output_text(&wb(root.path(), &CHANGED), 0);
    assert!(
        passed.contains(": 1 files\n  changed, or dependent on a changed assignment: ivanov_i_scatter\n"),
        "{passed}"
    );
    assert!(passed.contains("[4/4] cargo test -p ivanov_i_scatter\n"), "{passed}");
    assert!(passed.lines().any(|line| line == "1 passed, 0 failed, 1 skipped"), "{passed}");

    // Not committed, and a test that fails.
    write(
        &root.path().join("tasks/ivanov_i_scatter/tests/new.rs"),
        "#[test]\nfn fails() {\n    panic!()\n}\n",
    );
    let failed = output_text(&wb(root.path(), &[&CHANGED[..], &["main"]].concat()), 1);
    assert!(failed.contains(": 2 files\n"), "{failed}");
    assert!(failed.lines().any(|line| line == "1 passed, 1 failed, 1 skipped"), "{failed}");
}

/// The page of a change that gives the task this source.
fn summary_of(source: &str) -> String {
    let root = repository();
    let task = root.path().join("tasks/ivanov_i_scatter");
    write(&task.join("src/lib.rs"), source);
    write(&task.join("benches/performance.rs"), "fn main() {}\n");
    commit(root.path());
    let page = root.path().join("page.md");
    let output = ["--output", page.to_str().expect("a name")];
    let _failed = wb(root.path(), &[&["summary", "main", "--backend", "threads"], &output[..]].concat());
    std::fs::read_to_string(page).expect("the page")
}

#[test]
fn rules_are_checked_before_the_program_of_a_change_is_started() {
    const RULES: &str = "| cargo wb rules -p ivanov_i_scatter |";
    let page = summary_of("//! Something.\n");
    assert!(page.contains(&format!("{RULES} passed |")) && page.contains("test passes ... ok"), "{page}");
    let page = summary_of("//! Something.\n\n/// Ends.\npub fn end() {\n    std::process::exit(0)\n}\n");
    assert!(page.contains(&format!("{RULES} **FAILED** |")) && !page.contains("test passes"), "{page}");
    assert_eq!(page.matches("| not run: the sources break a rule |").count(), 3, "{page}");
}

#[test]
fn canary_a_change_of_the_broken_task_is_found() {
    let root = repository();
    write(&root.path().join("tasks/petrov_p_sum/src/lib.rs"), "still no Rust\n");
    let wrong = output_text(&wb(root.path(), &CHANGED), 3);
    assert!(wrong.contains("tasks/petrov_p_sum/task.yaml"), "{wrong}");
}

#[test]
fn a_change_outside_of_tasks_checks_everything() {
    let root = repository();
    write(&root.path().join("workbench/src/lib.rs"), "//! Something.\n");
    let all = output_text(&wb(root.path(), &CHANGED), 1);
    assert!(all.contains("workbench/src/lib.rs can affect everything"), "{all}");
    assert!(all.contains("[1/4] cargo fmt --all --check") && all.contains("FAILED"), "{all}");
}

#[test]
fn nothing_runs_where_nothing_has_changed() {
    let root = repository();
    let nothing = output_text(&wb(root.path(), &CHANGED), 0);
    assert!(nothing.contains(": 0 files\n  nothing that is tested has changed\n"), "{nothing}");
    std::fs::remove_dir_all(root.path().join("tasks/petrov_p_sum")).expect("removing it");
    let removed = output_text(&wb(root.path(), &CHANGED), 0);
    assert!(removed.contains("tasks/petrov_p_sum is removed: nothing to test\n"), "{removed}");
}

#[test]
fn a_base_that_is_no_commit_is_a_wrong_command_line() {
    let root = repository();
    for base in ["nosuch", "--output=stolen", "HEAD:Cargo.toml"] {
        let changed = format!("--changed={base}");
        let refused = output_text(&wb(root.path(), &["test", "--backend", "threads", &changed]), 2);
        assert!(refused.contains(&format!("there is no commit `{base}`")), "{refused}");
    }
    git(root.path(), &["branch", "--quiet", "-D", "main"]);
    let refused = output_text(&wb(root.path(), &CHANGED), 2);
    assert!(refused.contains("the names origin/main, main were tried"), "{refused}");
    assert!(!root.path().join("stolen").exists());
}
