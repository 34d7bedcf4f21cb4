//! `cargo wb watch` in a pseudo-terminal: what the screen shows after saves and keys, and what is left after its end.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    os::unix::fs::symlink,
    path::Path,
    process::Command,
};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::{
    pseudo_terminal::PseudoTerminal,
    workspace::{TASK, output_text, wb, workspace, write},
};

const NAME: &str = "ivanov_i_scatter";
const PASSES: &str = "#[test]\nfn passes() {}\n";
const FAILS: &str =
    "#[test]\nfn passes() {\n    panic!(\"{}\", std::env::var(\"WB_TEST_BACKENDS\").unwrap());\n}\n";
const WAITS: &str =
    "#[test]\nfn passes() {\n    std::thread::sleep(std::time::Duration::from_secs(600));\n}\n";

/// `cargo wb watch` in this workspace.
fn watch(root: &TempDir, arguments: &[&str]) -> PseudoTerminal {
    PseudoTerminal::start(&watch_command(root, arguments))
}

fn watch_command(root: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wb"));
    command.arg("watch").args(arguments).current_dir(root.path());
    command
        .env("WB_LANG", "en")
        .env("TERM", "xterm-256color")
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("NO_COLOR");
    command
}

/// Saves a file of the task as an editor does: into a new file that gets the name of the old one.
fn save(root: &TempDir, name: &str, text: &str) {
    let file = root.path().join("tasks").join(NAME).join(name);
    let new = file.with_extension("new");
    write(&new, text);
    fs::rename(&new, &file).expect("renamed");
}

/// Whether the row of threads has this result.
fn has_result(rows: &[String], result: &str) -> bool {
    rows.iter().any(|row| row.contains("threads, virtual time  ") && row.contains(result))
}

/// Sends SIGTERM, of which the program dies.
fn terminate(terminal: &mut PseudoTerminal) {
    let pid = Pid::from_raw(terminal.id().cast_signed()).expect("a process");
    kill_process(pid, Signal::TERM).expect("it runs");
    assert_eq!(terminal.end().code(), None, "it dies of the signal");
}

fn contains(rows: &[String], text: &str) -> bool {
    rows.iter().any(|row| row.contains(text))
}

/// The terminal is restored, and neither a process nor a file of the run is left.
fn leaves_nothing(terminal: &PseudoTerminal, root: &TempDir) {
    assert!(terminal.is_restored());
    assert_eq!(terminal.processes(), Vec::<String>::new());
    let logs = fs::read_dir(root.path().join("target/wb/watch")).map(|found| found.flatten().count());
    assert_eq!(logs.unwrap_or(0), 0);
}

#[test]
fn saves_are_followed_by_verdicts_and_q_restores_the_terminal() {
    let root = workspace(TASK);
    let mut terminal = watch(&root, &[]);
    terminal.wait_for("nothing runs before a save", |rows| contains(rows, "Save a file of a task"));
    assert!(!terminal.is_restored(), "the check of the end would find nothing");
    save(&root, "tests/functional.rs", PASSES);
    terminal.wait_for("a verdict on the task of the saved file", |rows| {
        contains(rows, &format!("cargo wb watch: {NAME}")) && has_result(rows, "1 passed, 0 failed")
    });
    save(&root, "tests/functional.rs", FAILS);
    terminal.wait_for("a failure with its line, and what became worse", |rows| {
        has_result(rows, "FAILED")
            && contains(rows, "worse on threads, virtual time: passes")
            && contains(rows, "tests/functional.rs:3")
            && contains(rows, "threads,virtual-time")
    });
    save(&root, "src/lib.rs", "pub fn three() -> i32 {\n    \"3\"\n}\n");
    terminal.wait_for("a compile error as cargo shows it", |rows| {
        contains(rows, "error[E0308]") && contains(rows, "src/lib.rs:2:5")
    });
    assert!(terminal.is_coloured("error[E0308]"));
    write(&root.path().join("tasks").join(NAME).join("tests/functional.rs"), PASSES);
    save(&root, "src/lib.rs", "//! Nothing.\n");
    terminal.wait_for("the failure before the compile error counts", |rows| {
        has_result(rows, "PASSED") && contains(rows, "better on threads, virtual time: passes")
    });
    write(&root.path().join("notes.txt"), "text");
    terminal.wait_for("a file of no task", |rows| contains(rows, "notes.txt belongs to no task"));
    terminal.press(b"q");
    assert_eq!(terminal.end().code(), Some(0));
    leaves_nothing(&terminal, &root);
}

#[test]
fn a_save_ends_the_run_and_a_small_terminal_shows_what_fits() {
    let root = workspace(TASK);
    save(&root, "tests/functional.rs", WAITS);
    let mut terminal = watch(&root, &["-p", NAME]);
    terminal.wait_for_process("functional-");
    terminal.resize(8, 30);
    terminal.wait_for("a small screen", |rows| rows.len() == 8 && rows[7].starts_with("r: run again"));
    save(&root, "tests/functional.rs", PASSES);
    terminal.wait_for("the run is ended and another one starts", |rows| contains(rows, "PASSED"));
    terminal.resize(24, 80);
    terminal.wait_for("a large screen", |rows| has_result(rows, "PASSED"));
    fs::rename(root.path().join("tasks").join(NAME), root.path().join("renamed")).expect("renamed");
    terminal.wait_for("a renamed folder", |rows| contains(rows, &format!("The task {NAME} does not exist")));
    let waiting: Vec<_> =
        terminal.processes().into_iter().filter(|name| name.contains("functional-")).collect();
    assert_eq!(waiting, [""; 0]);
    fs::rename(root.path().join("renamed"), root.path().join("tasks").join(NAME)).expect("renamed");
    terminal.wait_for("the folder is there again", |rows| has_result(rows, "PASSED"));
    terminal.press(b"q");
    assert_eq!(terminal.end().code(), Some(0));
}

#[test]
fn ctrl_c_and_sigterm_leave_nothing_of_a_run() {
    let root = workspace(TASK);
    save(&root, "tests/functional.rs", WAITS);
    let mut terminal = watch(&root, &["-p", NAME]);
    terminal.wait_for_process("functional-");
    terminal.press(b"\x03");
    assert_eq!(terminal.end().code(), Some(0));
    leaves_nothing(&terminal, &root);

    let mut terminal = watch(&root, &["-p", NAME]);
    terminal.wait_for_process("functional-");
    terminate(&mut terminal);
    leaves_nothing(&terminal, &root);
}

#[test]
fn keys_run_the_tests_again_and_other_commands_on_the_main_screen() {
    let root = workspace(TASK);
    let mut terminal = watch(&root, &[]);
    terminal.wait_for("no task", |rows| contains(rows, "Save a file of a task"));
    terminal.press(b"r");
    terminal.wait_for("what is missing", |rows| contains(rows, "No task is selected yet"));
    save(&root, "tests/functional.rs", PASSES);
    terminal.wait_for("a verdict", |rows| has_result(rows, "PASSED"));
    // The task of the workspace has its parallel version disabled, which the command refuses.
    terminal.press(b"c");
    terminal.wait_for("the output of the check", |rows| {
        contains(rows, NAME) && contains(rows, "Press a key to return")
    });
    assert!(!terminal.is_alternate());
    terminal.press(b" ");
    terminal.wait_for("the screen is back", |rows| has_result(rows, "PASSED"));
    terminal.press(b"t");
    terminal.wait_for("the output of the trace", |rows| contains(rows, "Press a key to return"));
    save(&root, "tests/functional.rs", FAILS);
    // Both rows, since a result that the key ends is compared with the one before it.
    let have_failed = |rows: &[String]| rows.iter().filter(|row| row.starts_with("FAILED")).count() == 2;
    terminal.wait_for("a save returns to the screen", have_failed);
    terminal.press(b"r");
    terminal
        .wait_for("the same verdict again", |rows| has_result(rows, "FAILED") && !contains(rows, "worse on"));
    terminal.press(b"q");
    assert_eq!(terminal.end().code(), Some(0));
    leaves_nothing(&terminal, &root);
}

#[test]
fn without_mpi_the_screen_says_what_is_tested() {
    let root = workspace(TASK);
    let programs = tempfile::tempdir().expect("a folder");
    let search_path = std::env::var("PATH").expect("a search path");
    let find = |name: &str| {
        std::env::split_paths(&search_path).map(|folder| folder.join(name)).find(|file| file.exists())
    };
    for name in ["cc", "ld", "as", "sh", "setsid", "git"] {
        symlink(find(name).expect("an installed program"), programs.path().join(name)).expect("linked");
    }
    let toolchain = Path::new(env!("CARGO")).parent().expect("its folder");
    let search_path = std::env::join_paths([programs.path(), toolchain]).expect("a search path");
    let start = |arguments: &[&str]| {
        let mut command = watch_command(&root, arguments);
        // A search for libclang would be a job.
        command.env("PATH", &search_path).env("LIBCLANG_PATH", programs.path());
        PseudoTerminal::start(&command)
    };
    let mut terminal = start(&[]);
    terminal.wait_for("no job has run", |rows| contains(rows, "No MPI is installed"));
    terminate(&mut terminal);
    leaves_nothing(&terminal, &root);
    let mut terminal = start(&["-p", NAME]);
    terminal.wait_for("a verdict without MPI", |rows| {
        contains(rows, "No MPI is installed") && has_result(rows, "PASSED") && !contains(rows, "running")
    });
    terminal.press(b"q");
    assert_eq!(terminal.end().code(), Some(0));
}

/// The status of the answer to a request that is sent like this.
fn status(host: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(host).expect("it listens");
    stream.write_all(format!("{request}\r\nConnection: close\r\n\r\n").as_bytes()).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer.lines().next().unwrap_or_default().split(' ').nth(1).unwrap_or_default().to_owned()
}

#[test]
fn the_page_is_for_this_machine_and_who_knows_its_token() {
    let root = workspace(TASK);
    let mut terminal = watch(&root, &["--page"]);
    let address = terminal.wait_for_word("the address", "http://127.0.0.1:");
    let (host, path) = address.strip_prefix("http://").and_then(|rest| rest.split_once('/')).expect("a host");
    let name = format!("Host: {host}");
    let guess = path.replace(|digit: char| digit.is_ascii_digit(), "x");
    for (line, host_line, expected) in [
        (format!("GET /{path}"), name.as_str(), "200"),
        ("GET /".to_owned(), &name, "403"),
        (format!("GET /{guess}"), &name, "403"),
        (format!("GET /{path}"), "Host: rebound.example", "403"),
        (format!("GET /{path}"), "X: no host", "403"),
        (format!("POST /{path}"), &name, "405"),
        (format!("HEAD /{path}"), &name, "405"),
        (format!("GET /{path}trace.html"), &name, "404"),
        (format!("GET /{path}../Cargo.toml"), &name, "404"),
    ] {
        assert_eq!(status(host, &format!("{line} HTTP/1.1\r\n{host_line}")), expected, "{line}, {host_line}");
    }
    let port = host.rsplit(':').next().expect("a port").parse::<u16>().expect("a number");
    let hex = format!(":{port:04X}");
    let listens = fs::read_to_string("/proc/net/tcp").expect("Linux");
    let mut own = listens.lines().filter(|line| line.contains(&hex) && line.contains(" 0A "));
    assert!(own.all(|line| line.contains("0100007F:")), "on the loopback device only: {listens}");
    terminal.press(b"q");
    assert_eq!(terminal.end().code(), Some(0));
}

#[test]
fn what_cannot_be_watched_is_refused() {
    let root = workspace(TASK);
    let refused = output_text(&wb(root.path(), &["watch"]), 2);
    assert!(refused.contains("needs a terminal") && refused.contains("cargo wb test -p TASK"), "{refused}");
    let mut terminal = watch(&root, &["-p", "ivanov_i_scater"]);
    terminal.wait_for("a suggestion", |rows| contains(rows, &format!("`{NAME}`")));
    assert_eq!(terminal.end().code(), Some(2));
    assert!(Path::new(root.path()).exists() && terminal.is_restored());
}
