//! Every rule finds the places that its canaries mark, and nothing in their right twins.
//!
//! A canary is a text with several files: `//@ path` begins one, `//~ rule` (or `#~ rule`) marks a line, a rule named twice is
//! broken twice. Canaries are texts and not sources, because they contain what no source of the workspace may contain.
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use wb_source::{
    SourceFile,
    rules::{self, RuleOptions, SourceFinding, SourceRule},
};

/// File, line and rule.
type Broken = (String, usize, String);

fn canaries(ending: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/canaries");
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
            let mark = text.split_once("//~ ").or_else(|| text.split_once("#~ "));
            let rules = mark.map_or("", |(_, rules)| rules).split_whitespace();
            found.extend(rules.map(|rule| (file.path.clone(), line + 1, rule.to_owned())));
        }
    }
    found.sort();
    found
}

fn options() -> RuleOptions {
    let variant_rules = vec![SourceRule::SendAndReceiveOnly, SourceRule::NoTopologyCommunicators];
    RuleOptions {
        assignment_crate: Some("assignment_1_9_dot".into()),
        variant_rules,
        ..RuleOptions::default()
    }
}

fn found(files: &[SourceFile], options: &RuleOptions) -> Vec<Broken> {
    let findings = rules::check(files, options);
    let of = |finding: rules::SourceFinding| (finding.file, finding.line, finding.rule.name().to_owned());
    let mut found: Vec<_> = findings.into_iter().map(of).collect();
    found.sort();
    found
}

/// Rules of variants are on only in their own canaries, so that the others may call all verbs.
fn options_of(path: &Path) -> RuleOptions {
    let name = path.file_name().expect("a file").to_string_lossy().into_owned();
    let mut options = options();
    options.variant_rules.retain(|rule| name.starts_with(rule.name()));
    if name.starts_with("system-files") {
        options.files = ["input.bin", "image.pgm"].map(str::to_owned).into();
        options.variant_rules = vec![SourceRule::SendAndReceiveOnly];
    }
    options
}

#[test]
fn every_marked_place_is_found_and_no_other() {
    let canaries = canaries(".broken.txt");
    let mut seen = BTreeSet::new();
    for (path, text) in &canaries {
        let files = files(text);
        let expected = marks(&files);
        assert!(!expected.is_empty(), "{} marks nothing", path.display());
        let found = found(&files, &options_of(path));
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
        assert_eq!(found(&files(text), &options_of(path)), [], "{}", path.display());
    }
}

#[test]
fn rules_of_variants_are_off_by_default() {
    for name in ["send-and-receive-only", "no-topology-communicators"] {
        let all = canaries(".broken.txt");
        let (_, text) = all.iter().find(|(path, _)| path.to_string_lossy().contains(name)).expect("a canary");
        assert_eq!(found(&files(text), &RuleOptions::default()), [], "{name}");
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

/// The tasks of variants that have the rule `send-and-receive-only`.
const TRANSFERS: [&str; 3] = ["example_c_gather", "example_d_reduce", "nalitov_d_broadcast"];

#[test]
fn the_tasks_of_the_workspace_are_clean() {
    let tasks = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tasks");
    let (mut count, mut transfers) = (0, 0);
    for entry in fs::read_dir(tasks).expect("the tasks") {
        let folder = entry.expect("an entry").path();
        let files = if folder.is_dir() { sources(&folder) } else { vec![] };
        let manifest = files.iter().find(|file| file.path == "Cargo.toml");
        if !manifest.is_some_and(|file| file.text.contains("[package.metadata.task]")) {
            continue;
        }
        let mut options = RuleOptions::default();
        let words =
            manifest.map_or("", |file| file.text.as_str()).split(|c: char| !c.is_alphanumeric() && c != '_');
        options.assignment_crate =
            words.filter(|word| word.starts_with("assignment_")).map(str::to_owned).next();
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        if files.iter().any(|file| file.is_rust() && file.text.contains("\nimpl Communication for ")) {
            options.variant_rules.push(SourceRule::NoTopologyCommunicators);
        }
        if TRANSFERS.contains(&&*name) {
            options.variant_rules.push(SourceRule::SendAndReceiveOnly);
            transfers += 1;
        }
        assert_eq!(rules::check(&files, &options), [], "{}", folder.display());
        count += 1;
    }
    assert_eq!(transfers, TRANSFERS.len());
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
    assert_eq!(rules::check(&files, &RuleOptions::default()), []);
}

/// A place that several functions share is one finding, with one path.
#[test]
fn a_place_is_one_finding_of_a_rule() {
    for (path, text) in canaries(".broken.txt") {
        let findings = rules::check(&files(&text), &options_of(&path));
        let calls = findings.iter().filter(|finding| {
            [SourceRule::SequentialVersion, SourceRule::SendAndReceiveOnly].contains(&finding.rule)
        });
        let mut seen = BTreeSet::new();
        for SourceFinding { file, line, column, rule, .. } in calls {
            assert!(seen.insert((file, line, column, rule)), "{}: {file}:{line}:{column}", path.display());
        }
    }
}

#[test]
fn the_encoding_of_a_source_that_is_not_utf8_is_named() {
    let bytes: Vec<u8> = "\u{feff}fn a() {}\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for path in ["src/mpi.rs", "Cargo.toml"] {
        let file = SourceFile::new(path, String::from_utf8_lossy(&bytes));
        let found = rules::check(&[file], &options());
        assert_eq!((found.len(), found[0].rule), (1, SourceRule::Readable), "{found:?}");
        assert!(found[0].reason.en.contains("it is in UTF-16"), "{found:?}");
    }
}

#[test]
fn a_symbolic_link_is_found() {
    let options = RuleOptions { links: vec!["src/other.rs".into()], ..RuleOptions::default() };
    assert_eq!(found(&[], &options), [("src/other.rs".to_owned(), 1, "included-files".to_owned())]);
}
