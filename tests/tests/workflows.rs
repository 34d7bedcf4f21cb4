//! The workflows of the repository: their syntax by actionlint, and what an untrusted pull request must not get.
//!
//! Where actionlint cannot be had, the tests that need it are skipped with the reason, and counted as that; in CI they fail.
use std::{env, fs, process::Command};

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use wb_tests::sources::{root, texts};

/// The exit code of the script where neither actionlint nor npm is installed.
const SKIPPED: i32 = 77;

/// The result of a test that may be skipped.
type TestResult = Result<Completion, Failed>;

fn main() {
    let trials = vec![
        Trial::ignorable_test("the_workflows_are_valid", the_workflows_are_valid),
        Trial::ignorable_test(
            "canary_a_workflow_with_a_misspelt_key_is_refused",
            canary_a_workflow_with_a_misspelt_key_is_refused,
        ),
        Trial::test("a_pull_request_gets_no_secret_and_no_right_to_write", || {
            a_pull_request_gets_no_secret_and_no_right_to_write();
            Ok(())
        }),
        Trial::test("canary_unsafe_workflows_are_found", || {
            canary_unsafe_workflows_are_found();
            Ok(())
        }),
        Trial::test("without_actionlint_the_tests_are_skipped_and_fail_in_ci", || {
            without_actionlint_the_tests_are_skipped_and_fail_in_ci();
            Ok(())
        }),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// What `.ci/lint-workflows` says.
enum LintResult {
    /// Its findings.
    Findings(String),
    /// Why it cannot run.
    Skipped(String),
}

impl LintResult {
    /// The result of a test that asserts something of the findings, if there are any.
    fn check(self, is_ci: bool, assert: impl FnOnce(&str)) -> TestResult {
        match self {
            Self::Findings(findings) => {
                assert(&findings);
                Ok(Completion::Completed)
            }
            Self::Skipped(reason) if is_ci => Err(format!("in CI actionlint must be there: {reason}").into()),
            Self::Skipped(reason) => Ok(Completion::ignored_with(reason)),
        }
    }
}

/// Runs the script on these files, all without any, with these variables.
fn lint(files: &[&str], variables: &[(&str, &str)]) -> LintResult {
    let mut command = Command::new(root().join(".ci/lint-workflows"));
    let output = command.args(files).envs(variables.iter().copied()).output().expect("bash starts");
    let printed = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).trim().to_owned();
    match output.status.code() {
        Some(0) => LintResult::Findings(String::new()),
        Some(SKIPPED) => LintResult::Skipped(printed),
        _ => LintResult::Findings(printed),
    }
}

fn is_ci() -> bool {
    env::var_os("CI").is_some()
}

fn the_workflows_are_valid() -> TestResult {
    lint(&[], &[]).check(is_ci(), |findings| assert_eq!(findings, ""))
}

fn canary_a_workflow_with_a_misspelt_key_is_refused() -> TestResult {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("wrong.yml");
    let workflow = "on: push\njobs:\n  one:\n    runs-onn: ubuntu-latest\n    steps:\n      - run: true\n";
    fs::write(&path, workflow).expect("written");
    // A right one beside it must not hide it.
    let files = [".github/workflows/pr.yml", path.to_str().expect("a name")];
    lint(&files, &[]).check(is_ci(), |findings| assert!(findings.contains("runs-onn"), "{findings}"))
}

fn without_actionlint_the_tests_are_skipped_and_fail_in_ci() {
    let folder = tempfile::tempdir().expect("a folder");
    for program in ["bash", "dirname"] {
        let found = ["/usr/bin", "/bin"].map(|folder| format!("{folder}/{program}"));
        let found =
            found.iter().find(|path| fs::exists(path).is_ok_and(|is| is)).expect("a system's program");
        std::os::unix::fs::symlink(found, folder.path().join(program)).expect("a link");
    }
    let path = folder.path().to_str().expect("a name");
    let without = || lint(&[], &[("PATH", path), ("ACTIONLINT_NPM", path)]);
    let never = |_: &str| panic!("actionlint has run");
    let Ok(Completion::Ignored { reason: Some(reason) }) = without().check(false, never) else {
        panic!("not skipped");
    };
    assert_eq!(reason, "neither actionlint nor npm is installed");
    let Err(failed) = without().check(true, never) else { panic!("no failure in CI") };
    assert_eq!(
        failed.message(),
        Some("in CI actionlint must be there: neither actionlint nor npm is installed")
    );
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
