//! The rank that `WB_DEBUG_RANK` names waits for a debugger, as `docs/student.md` says: gdb attaches and lets it continue.
use std::{
    fs,
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use wb_process::Job;
use wb_runner::launch;
use wb_tests::{canary_runner::canaries, sources::root};

const TEST: &str = "correct::a_right_one";

/// How long each step may take.
const SOON: Duration = Duration::from_secs(180);

/// How long a rank that does not wait would run at most.
const MEANWHILE: Duration = Duration::from_millis(500);

/// The output, when it contains this text.
fn output_with(path: &Path, text: &str) -> String {
    let start = Instant::now();
    loop {
        let output = fs::read_to_string(path).unwrap_or_default();
        if output.contains(text) {
            return output;
        }
        assert!(start.elapsed() < SOON, "without `{text}`: {output}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn the_named_rank_waits_for_a_debugger_and_continues_under_it() {
    let Some(library) = canaries().library() else { return };
    if Command::new("gdb").arg("--version").output().is_err() {
        eprintln!("1 skipped: gdb is not installed");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let output = folder.path().join("output");
    let mut ranks = launch::on_ranks(&library, 2, &Command::new(canaries().path())).expect("a launcher");
    ranks.args(["--exact", TEST]).env("WB_DEBUG_RANK", "1").env("WB_LANG", "en");
    let job = Job::spawn_to_files(ranks, &output, &output).expect("it starts");
    let waiting = output_with(&output, "rank 1 waits for a debugger: process ");
    let line = waiting.split_once("a debugger: process ").expect("found above").1;
    let (pid, rest) = line.split_once(" (").expect("the file is behind the number");
    let (file, _) = rest.split_once(')').expect("a closing parenthesis");
    assert_eq!(fs::read_to_string(file).expect("the file").trim(), pid);
    let program = Path::new(file).with_extension("");
    let real = |path: &Path| path.canonicalize().expect("a program");
    assert_eq!(real(&program), real(canaries().path()), "the program for a debugger");
    thread::sleep(MEANWHILE);
    let meanwhile = fs::read_to_string(&output).expect("ours");
    assert!(!meanwhile.contains("test result"), "it waits: {meanwhile}");
    let mut debugger = Command::new("gdb");
    debugger.args(["--batch", "-nx", "-p", pid, "-ex", "continue"]);
    let log = folder.path().join("gdb");
    let debugged = Job::spawn_to_files(debugger, &log, &log).and_then(|gdb| gdb.wait(SOON)).expect("its end");
    let ended = job.wait(SOON).expect("its end");
    let shown = fs::read_to_string(&output).expect("ours") + &fs::read_to_string(log).unwrap_or_default();
    assert!(ended.is_success() && !debugged.has_timed_out, "{shown}");
    assert!(shown.contains("1 passed") && shown.contains("exited normally"), "{shown}");
}

#[test]
fn the_entry_of_the_editor_names_the_program_of_the_waiting_rank() {
    let entries = fs::read_to_string(root().join(".vscode/launch.json")).expect("the entries");
    assert!(entries.contains("\"program\": \"${workspaceFolder}/target/wb/debugged-rank\""), "{entries}");
    let container =
        fs::read_to_string(root().join(".devcontainer/devcontainer.json")).expect("the container");
    for (kind, extension) in [("\"lldb\"", "vadimcn.vscode-lldb"), ("\"cppdbg\"", "ms-vscode.cpptools")] {
        assert!(entries.contains(kind) && container.contains(extension), "{extension}");
    }
}
