//! Output that cannot be written: a full device, a reader that has gone, a full disk, another command at work.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

const MANIFEST: &str = "\
[workspace]
resolver = \"3\"
members = [\"tasks/*\"]
";
const TASK_MANIFEST: &str = "\
[package]
name = \"ivanov_i_sum\"
version = \"0.1.0\"
edition = \"2024\"
[features]
mpi = []
[package.metadata.task]
[[bench]]
name = \"performance\"
harness = false
";
const TASK: &str = "\
student: Ivan Ivanov
group: 3823B1PR1
task_number: 1
variant: 4
kind: computation
status: { seq: enabled, mpi: enabled }
performance:
  workloads:
    - { name: small, size: 1000 }
  ranks: [1, 2]
";
/// A benchmark that leaves the records and the trace that lie in its package, as records of this run.
const BENCHMARK: &str = r#"
fn main() {
    let words: Vec<String> = std::env::args().collect();
    let after = |flag| words.iter().position(|word| word == flag).map(|at| &words[at + 1]);
    for (flag, text) in [
        ("--wb-records", include_str!("records.jsonl")),
        ("--wb-trace", include_str!("trace.json")),
    ] {
        let now = std::process::Command::new("date").args(["-u", "+%FT%TZ"]).output().unwrap().stdout;
        let text = text.replace("NOW", String::from_utf8_lossy(&now).trim());
        after(flag).map(|path| std::fs::write(path, text).unwrap());
    }
}
"#;

fn write(path: PathBuf, text: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("making it");
    fs::write(path, text).expect("writing");
}

/// A record of the task.
fn example() -> wb_record::Record {
    let mut record = wb_record::example();
    record.subject.task = "ivanov_i_sum".into();
    record
}

/// A workspace with one task that is measured in no time.
fn workspace() -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a folder");
    write(root.path().join("Cargo.toml"), MANIFEST);
    write(root.path().join("tasks/course.yaml"), include_str!("../../../tasks/course.yaml"));
    let task = root.path().join("tasks/ivanov_i_sum");
    write(task.join("Cargo.toml"), TASK_MANIFEST);
    write(task.join("task.yaml"), TASK);
    write(task.join("src/lib.rs"), "//! Nothing.\n");
    write(task.join("tests/functional.rs"), "#[test]\nfn passes() {}\n");
    write(task.join("benches/performance.rs"), BENCHMARK);
    let record = wb_record::Record { at: "NOW".into(), ..example() };
    write(task.join("benches/records.jsonl"), &format!("{}\n", record.to_line()));
    write(task.join("benches/trace.json"), &wb_record::example_trace().to_line());
    root
}

fn wb(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wb"));
    command.args(arguments.split_whitespace()).current_dir(folder);
    command.env("WB_LANG", "en").env_remove("CARGO_TARGET_DIR").stdin(Stdio::null());
    command
}

fn stderr_text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Every command that prints, with what makes it print as early as can be.
const COMMANDS: [&str; 27] = [
    "list",
    "top",
    "list --json",
    "test --backend threads -p ivanov_i_sum",
    "perf --backend threads -p ivanov_i_sum",
    "perf --backend threads -p ivanov_i_sum --json",
    "trace --backend threads -p ivanov_i_sum -n 2 --output page.html",
    "simulate -p ivanov_i_sum -n 2 --json",
    "report --backend threads --quick",
    "report --render",
    "doctor",
    "doctor --json",
    "explain WB0012",
    "explain",
    "collectives list",
    "collectives plan allgather --ranks 4",
    "barriers list",
    "barriers prove tree --max-ranks 4",
    "barriers plan tree --ranks 4",
    "barriers simulate --ranks 2",
    "broadcasts list",
    "broadcasts prove --max-ranks 3",
    "machines",
    "rules --all",
    "similar",
    "course check",
    // The last: its task needs more than this workspace has.
    "new petrov_p_sum --student P --group G --task 1 --variant 1",
];

/// Those that print what a benchmark or a job prints, nothing before they have built one or installed something, or nothing where there is
/// no terminal.
const PRINT_NOTHING_EARLY: [&str; 9] =
    ["check", "calibrate", "setup", "summary", "judge", "book", "grade", "watch", "preload"];

#[test]
fn a_full_device_is_an_error_of_every_command_and_no_panic() {
    let root = workspace();
    for arguments in COMMANDS.iter().chain(&["--help", "perf --help"]) {
        let full = File::options().write(true).open("/dev/full").expect("the device");
        let output = wb(root.path(), arguments).stdout(full).output().expect("starting wb");
        let message = stderr_text(&output);
        assert_eq!(output.status.code(), Some(1), "{arguments}: {message}");
        assert!(message.contains("cannot write the standard output"), "{arguments}: {message}");
        assert!(!message.contains("panicked"), "{arguments}: {message}");
    }
}

#[test]
fn no_command_is_left_out_of_the_table() {
    let root = workspace();
    let help = wb(root.path(), "--help").output().expect("starting wb");
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    let commands = help.lines().take_while(|line| *line != "Options:");
    // A continued help text is indented further.
    let names = commands.filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')));
    let names: Vec<_> = names.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() > 10, "{help}");
    for name in names {
        let is_first = |line: &&&str| line.split_whitespace().next() == Some(name);
        assert!(COMMANDS.iter().chain(&PRINT_NOTHING_EARLY).any(|line| is_first(&line)), "{name}");
    }
}

#[test]
fn a_full_standard_error_is_no_panic_either() {
    let root = workspace();
    let full = File::options().write(true).open("/dev/full").expect("the device");
    let output = wb(root.path(), "perf -p nobody").stderr(full).output().expect("starting wb");
    assert_eq!(output.status.code(), Some(2), "the code of a wrong command line");
}

#[test]
fn a_reader_that_has_gone_ends_a_command_quietly() {
    let root = workspace();
    for arguments in ["explain", "barriers list", "--help"] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = wb(root.path(), arguments).stdout(writer).output().expect("starting wb");
        assert_eq!(stderr_text(&output), "", "{arguments}");
        assert!(!output.status.success(), "{arguments}");
    }
}

#[test]
fn a_full_disk_leaves_the_pages_as_they_were() {
    let root = workspace();
    let folder = root.path().join("reports/ivanov_i_sum");
    write(folder.join("records.jsonl"), &format!("{}\n", example().to_line()));
    let rendered = wb(root.path(), "report --render").output().expect("starting wb");
    assert!(rendered.status.success(), "{}", stderr_text(&rendered));
    let pages = ["report.html", "report.md"].map(|page| folder.join(page));
    pages.iter().for_each(|page| fs::write(page, "the old page\n").expect("writing"));
    let files = || fs::read_dir(&folder).expect("a folder").count();
    let before = files();
    // Files of this shell's children end at 512 bytes: as on a full disk, a write stops in the middle.
    let mut limited = Command::new("sh");
    limited.args(["-c", r#"trap "" XFSZ; ulimit -f 1; exec "$@""#, "sh", env!("CARGO_BIN_EXE_wb")]);
    limited.args(["report", "--render"]).current_dir(root.path()).env("WB_LANG", "en");
    let output = limited.output().expect("a shell");
    assert_eq!(output.status.code(), Some(1), "{}", stderr_text(&output));
    assert!(stderr_text(&output).contains("cannot write"), "{}", stderr_text(&output));
    for page in &pages {
        assert_eq!(fs::read_to_string(page).expect("there"), "the old page\n", "{}", page.display());
    }
    assert_eq!(files(), before, "an unfinished file is left");
}

#[test]
fn a_second_command_on_a_task_names_the_first_and_touches_nothing() {
    let root = workspace();
    let locks = root.path().join("target/wb/locks/ivanov_i_sum.lock");
    let held = wb_process::FileLock::try_acquire(&locks).expect("free");
    let records = root.path().join("target/wb/records/ivanov_i_sum.jsonl");
    write(records.clone(), "of the first\n");
    for command in ["perf", "simulate", "trace", "check"] {
        let arguments = format!("{command} -p ivanov_i_sum");
        let output = wb(root.path(), &arguments).output().expect("starting wb");
        assert_eq!(output.status.code(), Some(1), "{command}: {}", stderr_text(&output));
        let holder = format!("another command works on `ivanov_i_sum` (process {})", std::process::id());
        assert!(stderr_text(&output).contains(&holder), "{command}: {}", stderr_text(&output));
    }
    assert_eq!(fs::read_to_string(&records).expect("there"), "of the first\n");
    drop(held);
    let output = wb(root.path(), "perf --backend threads -p ivanov_i_sum").output().expect("starting wb");
    assert!(output.status.success(), "{}", stderr_text(&output));
}
