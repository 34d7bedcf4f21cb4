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
    rules::{self, RuleOptions, SourceRule},
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
        let mut options = RuleOptions::default();
        let words =
            manifest.map_or("", |file| file.text.as_str()).split(|c: char| !c.is_alphanumeric() && c != '_');
        options.assignment_crate =
            words.filter(|word| word.starts_with("assignment_")).map(str::to_owned).next();
        // The broadcast is the only task of a variant with this rule.
        if folder.ends_with("nalitov_d_broadcast") {
            options.variant_rules = vec![SourceRule::SendAndReceiveOnly, SourceRule::NoTopologyCommunicators];
        }
        assert_eq!(rules::check(&files, &options), [], "{}", folder.display());
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
    assert_eq!(rules::check(&files, &RuleOptions::default()), []);
}

/// Methods of `World` that communicate nothing, or complete what others have started.
const SILENT: [&str; 30] = [
    "abort",
    "reduce_local",
    "buffer_attach",
    "buffer_detach",
    "start_all",
    "wait_all",
    "wait_any",
    "wait_some",
    "test_all",
    "test_any",
    "test_some",
    "compare",
    "set_name",
    "name",
    "new",
    "rank",
    "size",
    "backend",
    "now",
    "counts",
    "rounds",
    "last_error_site",
    "first_collective",
    "has_received",
    "work",
    "barriers",
    "broadcasts",
    "chosen_barrier_name",
    "read",
    "is_silent",
];

/// A method of `World` that is in neither list would be a verb that no rule knows.
#[test]
fn every_method_of_world_is_a_verb_or_known_to_be_silent() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../world/src");
    let verbs: BTreeSet<_> = rules::WORLD_VERBS.iter().map(|verb| verb.name).collect();
    let mut count = 0;
    for name in [
        "world.rs",
        "world/point_to_point.rs",
        "world/communicators.rs",
        "world/sends.rs",
        "world/matched_probe.rs",
        "world/layouts.rs",
        "completion.rs",
        "nonblocking.rs",
        "persistent.rs",
        "persistent/collective.rs",
        "topology.rs",
        "intercommunicator/creation.rs",
        "file.rs",
        "collective.rs",
        "barrier.rs",
        "stage_calls.rs",
        "window.rs",
    ] {
        let text = fs::read_to_string(root.join(name)).expect("a source of World");
        for method in methods_of_world(&text) {
            let internal = ["transport", "traced", "traced_with", "record_stage", "stage_barrier"];
            let is_known =
                verbs.contains(&*method) || SILENT.contains(&&*method) || internal.contains(&&*method);
            assert!(is_known, "{name}: {method} is in no list");
            count += 1;
        }
    }
    assert!(count > 40, "the search is broken: {count} methods");
}

/// The names of the public methods in the blocks `impl World`.
fn methods_of_world(text: &str) -> Vec<String> {
    let mut is_inside = false;
    let mut found = vec![];
    for line in text.lines() {
        is_inside |= line.starts_with("impl World {");
        is_inside &= !line.starts_with('}');
        if let Some(rest) = line.strip_prefix("    pub fn ").filter(|_| is_inside) {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').expect("a name ends");
            found.push(rest[..end].to_owned());
        }
    }
    found
}

#[test]
fn a_symbolic_link_is_found() {
    let options = RuleOptions { links: vec!["src/other.rs".into()], ..RuleOptions::default() };
    assert_eq!(found(&[], &options), [("src/other.rs".to_owned(), 1, "included-files".to_owned())]);
}
