//! The workflows of the repository: their syntax by actionlint, and what an untrusted pull request must not get.
use std::{fs, process::Command};

use wb_tests::sources::{root, texts};

/// The exit code of the script where neither actionlint nor npm is installed.
const SKIPPED: i32 = 77;

/// Runs `.ci/lint-workflows` on these files, all without any: its findings, `None` where it cannot run.
fn lint(files: &[&str]) -> Option<String> {
    let output = Command::new(root().join(".ci/lint-workflows")).args(files).output().expect("bash starts");
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    match output.status.code() {
        Some(0) => Some(String::new()),
        Some(SKIPPED) => {
            eprintln!("1 skipped: {printed}");
            None
        }
        _ => Some(printed),
    }
}

#[test]
fn the_workflows_are_valid() {
    if let Some(found) = lint(&[]) {
        assert_eq!(found, "");
    }
}

#[test]
fn canary_a_workflow_with_a_misspelt_key_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("wrong.yml");
    let workflow = "on: push\njobs:\n  one:\n    runs-onn: ubuntu-latest\n    steps:\n      - run: true\n";
    fs::write(&path, workflow).expect("written");
    if let Some(found) = lint(&[path.to_str().expect("a name")]) {
        assert!(found.contains("runs-onn"), "{found}");
    }
}

/// The reasons why a workflow is unsafe for the code of strangers.
fn unsafe_for_strangers(workflow: &str) -> Vec<&'static str> {
    let code: String = workflow
        .lines()
        .map(|line| line.split(" #").next().unwrap_or(line))
        .filter(|line| !line.starts_with('#'))
        .fold(String::new(), |text, line| text + line + "\n");
    let is_for_strangers = code.contains("\n  pull_request:") || code.contains("[pull_request");
    let mut found = vec![];
    if code.contains("pull_request_target") || code.contains("workflow_run") {
        found.push("an event that gives the code of strangers the rights of the repository");
    }
    if is_for_strangers && code.contains("secrets.") {
        found.push("a secret");
    }
    if is_for_strangers && code.contains(": write") {
        found.push("a right to write");
    }
    if !code.contains("\npermissions:\n") {
        found.push("no statement of the rights");
    }
    found
}

#[test]
fn a_pull_request_gets_no_secret_and_no_right_to_write() {
    let workflows = texts(&[".yml"]);
    let workflows = workflows.iter().filter(|(path, _)| path.starts_with(".github/workflows"));
    let mut count = 0;
    for (path, text) in workflows {
        count += 1;
        assert_eq!(unsafe_for_strangers(text), [""; 0], "{}", path.display());
    }
    assert!(count >= 5, "{count} workflows");
}

#[test]
fn canary_unsafe_workflows_are_found() {
    let safe = "on:\n  pull_request:\npermissions:\n  contents: read\n";
    assert_eq!(unsafe_for_strangers(safe), [""; 0]);
    for (from, to) in [
        ("pull_request:", "pull_request_target:"),
        ("contents: read", "contents: write"),
        ("permissions:", "env:\n  X: ${{ secrets.TOKEN }}\npermissions:"),
        ("permissions:\n", "env:\n"),
    ] {
        assert_eq!(unsafe_for_strangers(&safe.replace(from, to)).len(), 1, "{to}");
    }
}
