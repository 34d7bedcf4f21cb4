//! The workflows of the repository: what an untrusted pull request must not get. `.ci/run` reads their syntax.
use wb_tests::sources::texts;

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
