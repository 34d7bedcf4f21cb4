//! `.ci/file-times`: a fresh checkout of what was built before is not built again, and what differs is.

use std::{
    fs,
    path::Path,
    process::Command,
    time::{Duration, SystemTime},
};

use crate::workspace::write;

/// A framework whose build script reads a folder, and a task that depends on it, built and saved.
fn built() -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a folder");
    let path = |name: &str| root.path().join(name);
    write(&path("Cargo.toml"), "[workspace]\nresolver = \"3\"\nmembers = [\"framework\", \"task\"]\n");
    write(&path("framework/Cargo.toml"), "[package]\nname = \"framework\"\nversion = \"0.1.0\"\n");
    write(&path("framework/src/lib.rs"), "pub fn answer() -> u32 { 42 }\n");
    write(&path("framework/build.rs"), "fn main() { println!(\"cargo::rerun-if-changed=list\"); }\n");
    write(&path("framework/list/one.txt"), "one\n");
    write(&path("framework/list/two.txt"), "two\n");
    let task = "[package]\nname = \"task\"\nversion = \"0.1.0\"\n[dependencies]\nframework.path = \"../framework\"\n";
    write(&path("task/Cargo.toml"), task);
    write(&path("task/src/lib.rs"), "pub fn task() -> u32 { framework::answer() }\n");
    write(&path(".gitignore"), "/target\n/Cargo.lock\n");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.ci/file-times");
    fs::create_dir(path(".ci")).expect("made");
    fs::copy(script, path(".ci/file-times")).expect("copied");
    run(root.path(), "git", &["init", "--quiet"]);
    check_out(root.path());
    assert_eq!(compiled(root.path()), ["framework", "task"]);
    run(root.path(), ".ci/file-times", &["save"]);
    root
}

fn run(root: &Path, program: &str, arguments: &[&str]) -> String {
    let program = if program.starts_with('.') { root.join(program) } else { program.into() };
    let mut command = Command::new(&program);
    command.args(arguments).current_dir(root).env_remove("CARGO_TARGET_DIR");
    let output = command.output().expect("it starts");
    assert!(output.status.success(), "{program:?}: {output:?}");
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}

/// The state after a checkout: the index has all files, and every file and folder is newer than what was built.
fn check_out(root: &Path) {
    fn renew(path: &Path) {
        if path.is_dir() && !path.ends_with("target") && !path.ends_with(".git") {
            let entries = fs::read_dir(path).expect("a folder");
            entries.for_each(|entry| renew(&entry.expect("an entry").path()));
        }
        let file = fs::File::open(path).expect("it opens");
        file.set_modified(SystemTime::now() + Duration::from_secs(60)).expect("set");
    }
    run(root, "git", &["add", "-A"]);
    renew(root);
}

/// The crates that cargo builds.
fn compiled(root: &Path) -> Vec<String> {
    let printed = run(root, "cargo", &["build", "--offline", "--verbose"]);
    let lines = printed.lines().filter_map(|line| line.trim_start().strip_prefix("Compiling "));
    lines.filter_map(|line| line.split(' ').next().map(str::to_owned)).collect()
}

#[test]
fn a_fresh_checkout_of_the_same_files_is_not_built_again() {
    let root = built();
    check_out(root.path());
    let printed = run(root.path(), ".ci/file-times", &["restore"]);
    assert!(printed.contains("different: 0"), "{printed}");
    assert_eq!(compiled(root.path()), [""; 0]);
}

#[test]
fn canary_without_the_old_dates_everything_is_built_again() {
    let root = built();
    check_out(root.path());
    assert_eq!(compiled(root.path()), ["framework", "task"]);
}

#[test]
fn only_what_depends_on_a_different_file_is_built() {
    let change = |what: fn(&Path), expected: &[&str]| {
        let root = built();
        what(root.path());
        check_out(root.path());
        run(root.path(), ".ci/file-times", &["restore"]);
        assert_eq!(compiled(root.path()), expected);
    };
    change(|root| write(&root.join("task/src/lib.rs"), "pub fn task() -> u32 { 1 }\n"), &["task"]);
    change(
        |root| fs::remove_file(root.join("framework/list/two.txt")).expect("removed"),
        &["framework", "task"],
    );
    change(|root| write(&root.join("framework/list/three.txt"), "three\n"), &["framework", "task"]);
    const SAME_SIZE: &str = "pub fn answer() -> u32 { 43 }\n";
    change(|root| write(&root.join("framework/src/lib.rs"), SAME_SIZE), &["framework", "task"]);
}

#[test]
fn a_checkout_without_a_saved_list_keeps_its_dates() {
    let root = built();
    fs::remove_file(root.path().join("target/wb/built-files")).expect("removed");
    check_out(root.path());
    assert!(run(root.path(), ".ci/file-times", &["restore"]).contains("no files were built before"));
    assert_eq!(compiled(root.path()), ["framework", "task"]);
}
