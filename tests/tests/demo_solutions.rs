//! The solutions of a synthetic course are programs: each way of the parallel version compiles as a part of its task.
use std::{collections::BTreeMap, env, fs, path::Path, process::Command};

use wb_report::demo::{DemoFile, DemoInput, RepositoryFiles, course};
use wb_tests::{artifacts::artifacts, sources};

/// The ways of the parallel version, each right, and one of them also wrong.
const SOLUTIONS: usize = 6;

fn demo() -> Vec<DemoFile> {
    let read = |name: &str| fs::read_to_string(sources::root().join(name)).expect("a file of the repository");
    let course_text = read("tasks/course.yaml");
    let repository = RepositoryFiles {
        folder: "/somewhere",
        manifest: &read("Cargo.toml"),
        lock: &read("Cargo.lock"),
        cargo_config: &read(".cargo/config.toml"),
        toolchain: "",
        rustfmt: "",
        clippy: "",
        course: &course_text,
    };
    course(&DemoInput { students: 150, seed: 1, repository }).expect("a course")
}

/// The folder of one task for each way of the parallel version, and of one with the mistake that some tasks have.
fn chosen(files: &[DemoFile]) -> BTreeMap<String, &str> {
    let parallel =
        files.iter().filter(|file| file.path.starts_with("tasks/") && file.path.ends_with("/src/mpi.rs"));
    let mut chosen = BTreeMap::new();
    for file in parallel {
        let is_wrong = file.text.contains(".len() / 4 * 4]");
        let kind = if is_wrong { "wrong" } else { file.text.lines().next().expect("its way") };
        chosen.entry(kind.to_owned()).or_insert(file.path.strip_suffix("/src/mpi.rs").expect("filtered"));
    }
    chosen
}

/// Compiles the library of a task; the words of the compiler where it refuses it.
fn compile(
    files: &[DemoFile],
    folder: &str,
    workbench: &Path,
    change: impl Fn(&str) -> String,
) -> Result<(), String> {
    let scratch = tempfile::tempdir().expect("a folder");
    let source = format!("{folder}/src/");
    for file in files.iter().filter(|file| file.path.starts_with(&source)) {
        fs::write(scratch.path().join(&file.path[source.len()..]), change(&file.text)).expect("written");
    }
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(["--edition", "2024", "--crate-type=lib", "--emit=metadata", "--deny=warnings", "lib.rs"]);
    rustc.arg(format!("--extern=workbench={}", workbench.display()));
    rustc.arg(format!("-Ldependency={}", workbench.parent().expect("a folder").display()));
    let output = rustc.current_dir(scratch.path()).output().expect("the compiler starts");
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(()) } else { Err(words) }
}

#[test]
fn every_way_of_the_parallel_version_compiles() {
    let files = demo();
    let chosen = chosen(&files);
    assert_eq!(chosen.len(), SOLUTIONS, "{chosen:?}");
    let workbench = artifacts(&["--test", "compiled"]).libraries["workbench"].clone();
    for (kind, folder) in &chosen {
        let compiled = compile(&files, folder, &workbench, str::to_owned);
        assert_eq!(compiled, Ok(()), "{kind}: {folder}");
    }
    let folder = chosen.values().next().expect("a task");
    let wrong = compile(&files, folder, &workbench, |text| text.replace("world.rank()", "world.ranks()"));
    assert!(
        wrong.is_err_and(|words| words.contains("no method named `ranks`")),
        "canary: a wrong call is found"
    );
}
