//! Small workspaces made for a test, and the command run in them.
#![allow(dead_code)] // Each test file is its own program and uses its own part.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

const MANIFEST: &str = r#"
[workspace]
resolver = "3"
members = ["tasks/*"]
[workspace.package]
version = "0.1.0"
edition = "2024"
rust-version = "1.88"
license = "MIT"
publish = false
[workspace.lints.rust]
[workspace.dependencies]
workbench = { path = "workbench" }
rstest = "*"
approx = "*"
"#;
/// What the graded programs of a task use of the workbench. A measurement writes the file `predicted.jsonl` of the task, or fails, and leaves
/// its arguments in `target/arguments.txt`.
const WORKBENCH: &str = r#"//! Tests and measurements that do nothing.
pub trait Task { type Problem; }
pub trait Assignment { type Reference: Default; }
pub struct Functional;
pub fn functional<T: Task>(_: T) -> Functional { Functional }
impl Functional {
    pub fn against_reference(self) -> Self { self }
    pub fn ranks(self, _: [usize; 1]) -> Self { self }
    pub fn graded(self) {}
}
pub fn measure() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../tasks/ivanov_i_scatter/predicted.jsonl");
    let words = std::env::args().collect::<Vec<_>>().join(" ");
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/../target/arguments.txt"), words).unwrap();
    let Ok(text) = std::fs::read_to_string(file) else { std::process::exit(7) };
    let records = std::env::args().skip_while(|word| word != "--wb-records").nth(1).unwrap();
    let now = std::process::Command::new("date").args(["-u", "+%FT%TZ"]).output().unwrap().stdout;
    std::fs::write(records, text.replace("NOW", String::from_utf8_lossy(&now).trim())).unwrap();
}
#[macro_export]
macro_rules! performance {
    ($seq:expr, $mpi:expr) => { fn main() { let _ = ($seq, $mpi); $crate::measure() } };
}
"#;
const TESTS: &str = "#[test]\nfn passes() {}\n#[test]\n#[ignore]\nfn waits() {}\n";
pub(crate) const TASK: &str = "\
student: Ivan Ivanov
group: 3823B1PR1
task_number: 2
variant: 4
kind: communication
status: { seq: enabled, mpi: disabled }
performance:
  workloads:
    - { name: int, size: 1000 }
  ranks: [1, 2]
";

/// A workspace with this repository's course and one task, whose settings are `yaml`.
pub(crate) fn workspace(yaml: &str) -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a folder");
    write(&root.path().join("Cargo.toml"), MANIFEST);
    let workbench = "[package]\nname = \"workbench\"\nversion = \"0.1.0\"\n[features]\nmpi = []\n";
    write(&root.path().join("workbench/Cargo.toml"), workbench);
    write(&root.path().join("workbench/src/lib.rs"), WORKBENCH);
    let course = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tasks/course.yaml");
    let course = fs::read_to_string(course).expect("the course of this workspace");
    write(&root.path().join("tasks/course.yaml"), &course);
    let task = root.path().join("tasks/ivanov_i_scatter");
    let manifest = "[package]\nname = \"ivanov_i_scatter\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
        [package.metadata.task]\n[[bench]]\nname = \"performance\"\nharness = false\n";
    write(&task.join("Cargo.toml"), manifest);
    write(&task.join("task.yaml"), yaml);
    write(&task.join("src/lib.rs"), "//! Nothing.\n");
    write(&task.join("tests/functional.rs"), TESTS);
    write(&task.join("benches/performance.rs"), "fn main() {\n    std::process::exit(7)\n}\n");
    root
}

/// The library of a task that solves the problem of an assignment.
pub(crate) fn solution(problem: &str) -> String {
    ["Seq", "Mpi"]
        .map(|version| {
            format!(
                "pub struct {version};\nimpl workbench::Task for {version} {{ type Problem = {problem}; }}\n"
            )
        })
        .concat()
}

/// The library of an assignment.
pub(crate) const PRODUCT: &str = "pub struct Product;\n#[derive(Default)]\npub struct Reference;\n\
    impl workbench::Assignment for Product { type Reference = Reference; }\n\
    impl workbench::Task for Reference { type Problem = Product; }\n";

pub(crate) fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("making it");
    fs::write(path, text).expect("writing");
}

pub(crate) fn wb(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wb"));
    command.args(arguments).current_dir(folder).env("WB_LANG", "en").env_remove("CARGO_TARGET_DIR");
    command.output().expect("starting wb")
}

#[track_caller]
pub(crate) fn output_text(output: &Output, code: i32) -> String {
    let message =
        [&output.stdout, &output.stderr].map(|stream| String::from_utf8_lossy(stream).into_owned()).concat();
    assert_eq!(output.status.code(), Some(code), "{message}");
    message
}
