//! The house style, as far as a test can check it. Each test gives the reason of its rule.
use std::{
    path::{Path, PathBuf},
    process::Command,
};

use wb_tests::sources::{files, root, rust_sources, texts};

type Source = (PathBuf, String);

/// Lines of code, comments included.
fn longest(sources: &[Source], limit: usize) -> Vec<String> {
    let long = sources.iter().filter(|(_, text)| text.lines().count() > limit);
    long.map(|(path, text)| format!("{} has {} lines", path.display(), text.lines().count())).collect()
}

/// A file that has become a list wants to be a folder.
#[test]
fn files_stay_under_450_lines() {
    let found = longest(&rust_sources(), 450);
    assert!(found.is_empty(), "make it a folder:\n  {}", found.join("\n  "));
}

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

/// Clocks, sleeps, threads and chance would make the same task behave differently in a simulator.
fn impure_sources(sources: &[Source]) -> Vec<String> {
    const PURE: [&str; 8] = [
        "framework/barriers/src",
        "framework/collectives/src",
        "framework/world/src",
        "framework/shmem/src",
        "framework/task/src",
        "framework/trace/src",
        "framework/report/src",
        "tasks",
    ];
    const IMPURE: [&str; 6] =
        ["Instant::now", "SystemTime", "thread::sleep", "thread::spawn", "thread::scope", "rand::"];
    let mut found = vec![];
    for (path, text) in sources.iter().filter(|(path, _)| PURE.iter().any(|place| path.starts_with(place))) {
        for word in IMPURE.iter().filter(|word| text.contains(**word)) {
            found.push(format!("{} names {word}", path.display()));
        }
    }
    found
}

#[test]
fn algorithms_and_tasks_have_no_clock_thread_or_chance() {
    let found = impure_sources(&rust_sources());
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
    let folders = ["framework/barriers/src/catalogue", "framework/collectives/src/broadcast/catalogue"];
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
}

/// Sources and documents contain no path of one machine.
#[test]
fn no_file_names_a_path_of_one_machine() {
    let homes = ["/ro".to_owned() + "ot/", "/ho".to_owned() + "me/", "/wo".to_owned() + "rk/"];
    let all = texts(&[".rs", ".toml", ".md", ".yml", ".yaml", ".html", ".jsonl", "run"]);
    let offending = all.iter().filter(|(_, text)| homes.iter().any(|home| text.contains(home.as_str())));
    let found: Vec<_> = offending.map(|(path, _)| path).collect();
    assert!(found.is_empty(), "these files name a path of one machine: {found:?}");
}

#[test]
fn canaries_every_rule_finds_a_planted_fault() {
    let plant = |path: &str, text: &str| vec![(PathBuf::from(path), text.to_owned())];
    assert_eq!(longest(&plant("a.rs", &"x\n".repeat(451)), 450), ["a.rs has 451 lines"]);
    assert_eq!(without_opening(&plant("a.rs", "fn f() {}")), [Path::new("a.rs")]);
    assert_eq!(nameless(&plant("x/utils.rs", "")), [Path::new("x/utils.rs")]);
    assert_eq!(unfinished(&plant("a.rs", &("// TO".to_owned() + "DO")).clone()).len(), 1);
    assert_eq!(impure_sources(&plant("tasks/x/src/lib.rs", "std::thread::sleep(d)")).len(), 1);
    assert!(impure_sources(&plant("framework/functional/src/x.rs", "std::thread::sleep(d)")).is_empty());
}
