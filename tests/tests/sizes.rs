//! The size of a task's programs: a course of 450 tasks has 900 of them in one target folder.
//!
//! `Cargo.toml` and `.cargo/config.toml` keep them small: crates of the framework are optimised a little, each as one unit of
//! code; most have no tables of lines, and the tables that remain are compressed.
use std::{fs, path::PathBuf};

use wb_tests::artifacts;

/// 16.2 MB; 1 MB of them is the channel to the runner, with MessagePack for what passes through it.
const PROGRAM_BYTES_MAX: u64 = 16_200_000;

/// The programs that are too large, each with its size.
fn too_large(programs: &[PathBuf]) -> Vec<String> {
    let size = |path: &PathBuf| fs::metadata(path).expect("a program").len();
    let large = programs.iter().filter(|path| size(path) >= PROGRAM_BYTES_MAX);
    large.map(|path| format!("{}: {} bytes", path.display(), size(path))).collect()
}

#[test]
fn the_tests_and_the_benchmark_of_a_task_are_small() {
    let built = artifacts::executables(&["--test", "functional", "--bench", "performance"]);
    let of_tasks =
        built.into_iter().filter(|built| built.folder.parent().is_some_and(|at| at.ends_with("tasks")));
    let programs: Vec<PathBuf> = of_tasks.map(|built| built.path).collect();
    assert!(programs.len() >= 10, "two for each of the examples: {programs:?}");
    let found = too_large(&programs);
    assert!(
        found.is_empty(),
        "at least {PROGRAM_BYTES_MAX} bytes; is a new dependency of tasks needed? {found:#?}"
    );
}

#[test]
fn canary_a_large_program_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = |name: &str, bytes: u64| {
        let path = folder.path().join(name);
        fs::File::create(&path).and_then(|file| file.set_len(bytes)).expect("made");
        path
    };
    let programs = [program("small", PROGRAM_BYTES_MAX - 1), program("large", PROGRAM_BYTES_MAX)];
    let found = too_large(&programs);
    assert!(found.len() == 1 && found[0].ends_with("large: 16200000 bytes"), "{found:?}");
}
