//! Every rule finds the places that its canaries mark, and nothing in their right twins.
//!
//! A canary is a text with several files: `//@ path` begins one, `//~ rule` marks a line, a rule named twice is
//! broken twice. Canaries are texts and not sources, because they contain what no source of the workspace may contain.
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use crate::source::{
    SourceFile,
    rules::{self, SourceRule},
};

/// File, line and rule.
type Broken = (String, usize, String);

fn canaries(ending: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/source/canaries");
    let entries = fs::read_dir(folder).expect("the canaries").map(|entry| entry.expect("a file").path());
    let mut paths: Vec<_> = entries.filter(|path| path.to_string_lossy().ends_with(ending)).collect();
    paths.sort();
    let read = |path: PathBuf| (path.clone(), fs::read_to_string(path).expect("a canary"));
    paths.into_iter().map(read).collect()
}

fn files(text: &str) -> Vec<SourceFile> {
    let parts = text.split("//@ ").skip(1).map(|part| part.split_once('\n').expect("a path and a text"));
    parts.map(|(path, text)| SourceFile::new(path, text)).collect()
}

fn marks(files: &[SourceFile]) -> Vec<Broken> {
    let mut found = vec![];
    for file in files {
        for (line, text) in file.text.lines().enumerate() {
            let rules = text.split_once("//~ ").map_or("", |(_, rules)| rules).split_whitespace();
            found.extend(rules.map(|rule| (file.path.clone(), line + 1, rule.to_owned())));
        }
    }
    found.sort();
    found
}

fn found(files: &[SourceFile], links: &[String]) -> Vec<Broken> {
    let findings = rules::check(files, links, false);
    let of = |finding: rules::SourceFinding| (finding.file, finding.line, finding.rule.name().to_owned());
    let mut found: Vec<_> = findings.into_iter().map(of).collect();
    found.sort();
    found
}

#[test]
fn every_marked_place_is_found_and_no_other() {
    let canaries = canaries(".broken.txt");
    let mut seen = BTreeSet::new();
    for (path, text) in &canaries {
        let files = files(text);
        let expected = marks(&files);
        assert!(!expected.is_empty(), "{} marks nothing", path.display());
        let found = found(&files, &[]);
        let missed: Vec<_> = expected.iter().filter(|mark| !found.contains(mark)).collect();
        let wrong: Vec<_> = found.iter().filter(|mark| !expected.contains(mark)).collect();
        assert!(found == expected, "{}: missed {missed:?}, wrong {wrong:?}, of {found:?}", path.display());
        seen.extend(expected.into_iter().map(|(_, _, rule)| rule));
    }
    let all: BTreeSet<_> = SourceRule::ALL.iter().map(|rule| rule.name().to_owned()).collect();
    assert_eq!(seen, all, "every rule has a canary");
}

#[test]
fn right_twins_are_clean() {
    let twins = canaries(".right.txt");
    let names: BTreeSet<_> = twins
        .iter()
        .filter_map(|(path, _)| path.file_name()?.to_str()?.strip_suffix(".right.txt").map(str::to_owned))
        .collect();
    let all: BTreeSet<_> = SourceRule::ALL.iter().map(|rule| rule.name().to_owned()).collect();
    assert_eq!(names, all, "every rule has a right twin");
    for (path, text) in &twins {
        assert_eq!(found(&files(text), &[]), [], "{}", path.display());
    }
}

#[test]
fn at_least_twenty_five_evasions_are_known() {
    let count: usize = canaries(".broken.txt").iter().map(|(_, text)| marks(&files(text)).len()).sum();
    assert!(count >= 100, "{count} places");
}

/// The sources of a folder below the workspace, as `cargo wb rules` reads them.
fn sources(folder: &Path) -> Vec<SourceFile> {
    let mut found = vec![];
    let mut open = vec![folder.to_owned()];
    while let Some(current) = open.pop() {
        for entry in fs::read_dir(&current).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(folder).expect("below the folder").to_string_lossy().into_owned();
            if path.is_dir() {
                open.push(path);
            } else if name.ends_with(".rs") || name.ends_with(".toml") {
                found.push(SourceFile::new(name, fs::read_to_string(&path).expect("a text")));
            }
        }
    }
    found
}

#[test]
fn the_tasks_of_the_workspace_are_clean() {
    let tasks = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tasks");
    let mut count = 0;
    for entry in fs::read_dir(tasks).expect("the tasks") {
        let folder = entry.expect("an entry").path();
        let files = if folder.is_dir() { sources(&folder) } else { vec![] };
        let manifest = files.iter().find(|file| file.path == "Cargo.toml");
        if !manifest.is_some_and(|file| file.text.contains("[package.metadata.task]")) {
            continue;
        }
        assert_eq!(rules::check(&files, &[], false), [], "{}", folder.display());
        count += 1;
    }
    assert!(count >= 5, "the search is broken: {count} tasks");
}

/// A new task begins without a finding.
#[test]
fn the_templates_are_clean() {
    let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/templates");
    let mut files = vec![];
    for name in ["mpi", "seq", "problem"] {
        let text = fs::read_to_string(templates.join(format!("{name}.rs.template"))).expect("a template");
        files.push(SourceFile::new(format!("src/{name}.rs"), text));
    }
    assert_eq!(rules::check(&files, &[], false), []);
}

#[test]
fn the_encoding_of_a_source_that_is_not_utf8_is_named() {
    let bytes: Vec<u8> = "\u{feff}fn a() {}\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let found = rules::check(&[SourceFile::new("src/mpi.rs", String::from_utf8_lossy(&bytes))], &[], false);
    assert_eq!((found.len(), found[0].rule), (1, SourceRule::Readable), "{found:?}");
    assert!(found[0].reason.en.contains("it is in UTF-16"), "{found:?}");
}

#[test]
fn a_task_opens_files_only_where_its_assignment_has_some() {
    let file = SourceFile::new("src/mpi.rs", "fn f(world: &World) { world.file_open(name, mode); }\n");
    let found =
        [false, true].map(|has_files| rules::check(std::slice::from_ref(&file), &[], has_files).len());
    assert_eq!(found, [1, 0]);
}

#[test]
fn a_symbolic_link_is_found() {
    let marked = [("src/other.rs".to_owned(), 1, "included-files".to_owned())];
    assert_eq!(found(&[], &["src/other.rs".into()]), marked);
}
