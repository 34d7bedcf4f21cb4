//! The house style, as far as a test can check it. Each test gives the reason of its rule.
use std::{
    path::{Path, PathBuf},
    process::Command,
};

use wb_tests::{
    sources::{files, root, rust_sources, texts},
    tokens::used_names,
};

type Source = (PathBuf, String);

/// What a rule finds in sources that keep it.
const NONE: [&Path; 0] = [];

/// The first line of every module states what it is; a reader decides there whether to read on.
fn without_opening(sources: &[Source]) -> Vec<&Path> {
    let opened = |text: &str| text.trim_start().starts_with("//!");
    sources.iter().filter(|(_, text)| !opened(text)).map(|(path, _)| path.as_path()).collect()
}

#[test]
fn every_module_opens_with_what_it_is() {
    let sources: Vec<_> = rust_sources()
        .into_iter()
        .filter(|(path, _)| !path.starts_with("framework/task/tests/compile_fail"))
        .collect();
    let found = without_opening(&sources);
    assert!(found.is_empty(), "these files do not open with `//!`: {found:?}");
}

/// Names without a subject collect code that belongs elsewhere.
fn nameless(sources: &[Source]) -> Vec<&Path> {
    const EMPTY: [&str; 7] = ["util", "utils", "common", "helper", "helpers", "misc", "imp"];
    let empty = |path: &Path| path.file_stem().is_some_and(|stem| EMPTY.iter().any(|name| stem == *name));
    sources.iter().map(|(path, _)| path.as_path()).filter(|path| empty(path)).collect()
}

#[test]
fn no_file_has_a_name_without_a_subject() {
    let sources = rust_sources();
    let found = nameless(&sources);
    assert!(found.is_empty(), "give these files the name of a thing: {found:?}");
}

/// Work that is not done is an issue, not a comment; and a macro that panics is not an implementation.
fn unfinished(sources: &[Source]) -> Vec<String> {
    let marks = [
        "TO".to_owned() + "DO",
        "FIX".to_owned() + "ME",
        "to".to_owned() + "do!(",
        "unimple".to_owned() + "mented!(",
    ];
    let mut found = vec![];
    for (path, text) in sources {
        for (number, line) in text.lines().enumerate() {
            if marks.iter().any(|mark| line.contains(mark.as_str())) {
                found.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
            }
        }
    }
    found
}

#[test]
fn nothing_is_left_unfinished() {
    let templates = |path: &Path| path.starts_with("framework/cli/templates");
    let sources: Vec<_> = rust_sources().into_iter().filter(|(path, _)| !templates(path)).collect();
    let found = unfinished(&sources);
    assert!(found.is_empty(), "unfinished:\n  {}", found.join("\n  "));
}

/// The folders of pure code.
const PURE: [&str; 7] = [
    "framework/algorithms/src",
    "framework/world/src",
    "framework/shmem/src",
    "framework/task/src",
    "framework/record/src/trace_analysis",
    "framework/report/src",
    "tasks",
];

/// Parts of pure folders that are not pure: their modules' paths begin so.
const IMPURE_PARTS: [&str; 4] = [
    "framework/shmem/src/ascend",
    "framework/shmem/src/oshmem",
    "framework/report/src/demo",
    "framework/report/src/scoreboard",
];

fn is_pure(path: &Path) -> bool {
    let is_impure = |part: &&str| path.to_string_lossy().starts_with(*part);
    PURE.iter().any(|folder| path.starts_with(folder)) && !IMPURE_PARTS.iter().any(is_impure)
}

/// Clocks, sleeps, threads and chance would make the same task behave differently in a simulator.
fn impure_sources(sources: &[Source]) -> Vec<String> {
    // The whole module `std::thread` is excluded, because `thread::Builder` starts threads too.
    const IMPURE: [&str; 8] =
        ["Instant", "SystemTime", "thread", "sleep", "rand", "getrandom", "oorandom", "jiff"];
    let mut found = vec![];
    for (path, text) in sources.iter().filter(|(path, _)| is_pure(path)) {
        let names = used_names(text);
        let impure = IMPURE.iter().filter(|name| names.contains(**name));
        found.extend(impure.map(|name| format!("{} names {name}", path.display())));
    }
    found
}

#[test]
fn algorithms_and_tasks_have_no_clock_thread_or_chance() {
    let found = impure_sources(&rust_sources());
    let missing: Vec<_> =
        PURE.iter().chain(&IMPURE_PARTS).filter(|folder| !root().join(folder).is_dir()).collect();
    assert!(missing.is_empty(), "the list of pure folders names some that do not exist: {missing:?}");
    assert!(found.is_empty(), "see docs/ARCHITECTURE.md, what must be absent:\n  {}", found.join("\n  "));
}

/// `cargo fmt` follows declared modules; those of barriers and broadcasts are declared by a build script.
fn unformatted(sources: &[PathBuf]) -> Vec<String> {
    let checked = Command::new("rustfmt")
        .args(["--edition", "2024", "--check", "--files-with-diff", "--config-path"])
        .arg(root())
        .args(sources)
        .output()
        .expect("rustfmt is there");
    String::from_utf8_lossy(&checked.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn barriers_and_broadcasts_are_formatted() {
    let folders = [
        "framework/algorithms/src/barriers/catalogue",
        "framework/algorithms/src/collectives/broadcast/catalogue",
        "framework/algorithms/src/collectives/shared_memory/catalogue",
    ];
    let sources =
        files(&[".rs"]).into_iter().filter(|path| folders.iter().any(|folder| path.starts_with(folder)));
    let sources: Vec<_> = sources.map(|path| root().join(path)).collect();
    assert!(sources.len() > 2, "the search is broken: {sources:?}");
    let found = unformatted(&sources);
    assert!(found.is_empty(), "run rustfmt --edition 2024 on\n  {}", found.join("\n  "));
}

#[test]
fn canary_an_unformatted_file_is_found() {
    let file = tempfile::Builder::new().suffix(".rs").tempfile().expect("a temporary file");
    std::fs::write(file.path(), "fn  f( ) { }").expect("a temporary file");
    assert_eq!(unformatted(&[file.path().to_owned()]).len(), 1);
    std::fs::write(file.path(), "fn f() {}\n").expect("a temporary file");
    assert_eq!(unformatted(&[file.path().to_owned()]), [""; 0]);
}

/// Sources and documents contain no path of one machine.
fn files_with_paths_of_one_machine(files: &[Source]) -> Vec<&Path> {
    let homes = ["/ro".to_owned() + "ot/", "/ho".to_owned() + "me/", "/wo".to_owned() + "rk/"];
    let offending = files.iter().filter(|(_, text)| homes.iter().any(|home| text.contains(home.as_str())));
    offending.map(|(path, _)| path.as_path()).collect()
}

#[test]
fn no_file_names_a_path_of_one_machine() {
    let all = texts(&[".rs", ".toml", ".md", ".yml", ".yaml", ".html", ".jsonl", "run"]);
    let found = files_with_paths_of_one_machine(&all);
    assert!(found.is_empty(), "these files name a path of one machine: {found:?}");
}

fn source(path: &str, text: &str) -> Vec<Source> {
    vec![(PathBuf::from(path), text.to_owned())]
}

#[test]
fn canary_a_module_without_an_opening_is_found() {
    assert_eq!(without_opening(&source("a.rs", "fn f() {}")), [Path::new("a.rs")]);
    assert_eq!(without_opening(&source("a.rs", "\n//! An opening.\nfn f() {}")), NONE);
}

#[test]
fn canary_a_file_name_without_a_subject_is_found() {
    for name in ["x/utils.rs", "common.rs", "src/imp.rs"] {
        assert_eq!(nameless(&source(name, "")), [Path::new(name)]);
    }
    for name in ["x/utilisation.rs", "common/plan.rs"] {
        assert_eq!(nameless(&source(name, "")), NONE, "{name}");
    }
}

#[test]
fn canary_unfinished_work_is_found() {
    let marks = [
        "// TO".to_owned() + "DO: x",
        "// FIX".to_owned() + "ME",
        "    to".to_owned() + "do!()",
        "unimple".to_owned() + "mented!()",
    ];
    for mark in marks {
        let found = unfinished(&source("a.rs", &format!("fn f() {{\n{mark}\n}}")));
        assert_eq!(found, [format!("a.rs:2: {}", mark.trim())]);
    }
    assert_eq!(unfinished(&source("a.rs", "// To do it is the duty of f.\nlet todos = 1;")), [""; 0]);
}

#[test]
fn canary_a_clock_a_thread_and_chance_are_found() {
    let impure = [
        ("std::thread::sleep(d)", vec!["thread", "sleep"]),
        ("use std::thread;\nfn f() { thread::Builder::new(); }", vec!["thread"]),
        ("use std::{cell::Cell, thread::{self, Builder}};", vec!["thread"]),
        ("use std::time::Instant as Now;", vec!["Instant"]),
        ("fn f() { vec![oorandom::Rand32::new(1)] }", vec!["oorandom"]),
    ];
    for (text, names) in impure {
        let expected: Vec<_> = names.iter().map(|name| format!("tasks/x/src/lib.rs names {name}")).collect();
        assert_eq!(impure_sources(&source("tasks/x/src/lib.rs", text)), expected, "{text}");
    }
    let pure = "//! One thread calls Instant::now.\nlet text = \"thread::spawn\";\n/* thread */ let threads = thread_of(x);";
    assert_eq!(impure_sources(&source("tasks/x/src/lib.rs", pure)), [""; 0]);
    assert_eq!(impure_sources(&source("framework/local/src/sim/x.rs", "std::thread::sleep(d)")), [""; 0]);
}

#[test]
fn canary_a_path_of_one_machine_is_found() {
    let home = "see /ho".to_owned() + "me/student/x";
    assert_eq!(files_with_paths_of_one_machine(&source("a.md", &home)), [Path::new("a.md")]);
    assert_eq!(files_with_paths_of_one_machine(&source("a.md", "see home/student, /work")), NONE);
}
