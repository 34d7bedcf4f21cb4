//! The architecture document is a test: its dependency table is held against `cargo metadata`, its table of places where
//! `unsafe` is allowed with the sources.
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};
use wb_tests::sources::{root, rust_sources};

type Allowed = BTreeMap<String, BTreeSet<String>>;

fn metadata() -> Metadata {
    MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .exec()
        .expect("cargo metadata runs")
}

/// The rows of the table that follows `<!-- marker -->`, without its two header lines.
fn table(marker: &str) -> Vec<Vec<String>> {
    let text =
        fs::read_to_string(root().join("docs/ARCHITECTURE.md")).expect("docs/ARCHITECTURE.md is there");
    let (_, after) = text.split_once(&format!("<!-- {marker} -->\n")).expect("the marker is there");
    let rows = after.lines().take_while(|line| line.starts_with('|')).skip(2);
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    rows.map(cells).collect()
}

fn allowed() -> Allowed {
    let names = |cell: &str| cell.split(", ").filter(|name| !name.is_empty()).map(str::to_owned).collect();
    table("dependency-table").into_iter().map(|row| (row[0].clone(), names(&row[1]))).collect()
}

fn is_task(package: &Package) -> bool {
    package.manifest_path.parent().and_then(|p| p.parent()).is_some_and(|p| p.ends_with("tasks"))
}

/// The row of a package in the table.
fn row(package: &Package) -> &str {
    match package.name.as_str() {
        name if !is_task(package) => name,
        name if is_assignment(name) => "tasks/assignment_*",
        _ => "tasks/*",
    }
}

/// Is this the crate of an assignment, on which tasks may depend?
fn is_assignment(name: &str) -> bool {
    name.starts_with("assignment_")
}

/// Every normal or build dependency on a package of the workspace that the table does not allow.
fn offences<'a>(packages: impl Iterator<Item = &'a Package>, allowed: &Allowed) -> Vec<String> {
    let mut offences = vec![];
    for package in packages.filter(|package| package.name.as_str() != "wb-tests") {
        let row = row(package);
        let Some(allowed) = allowed.get(row) else {
            offences.push(format!("{row} has no row in the table"));
            continue;
        };
        let inside =
            package.dependencies.iter().filter(|d| d.path.is_some() && d.kind != DependencyKind::Development);
        let is_allowed = |name: &str| {
            allowed.contains(name) || is_assignment(name) && allowed.contains("tasks/assignment_*")
        };
        let foreign = inside.filter(|d| !is_allowed(&d.name));
        offences.extend(foreign.map(|d| format!("{} depends on {}", package.name, d.name)));
    }
    offences
}

#[test]
fn crates_depend_only_on_what_the_table_allows() {
    let metadata = metadata();
    let found = offences(metadata.packages.iter(), &allowed());
    assert!(found.is_empty(), "docs/ARCHITECTURE.md does not allow:\n  {}", found.join("\n  "));
}

/// Every dependency of these packages, also for tests, on a task or an assignment. A sandbox shows a task neither the other tasks nor
/// what depends on them.
fn dependencies_on_tasks<'a>(packages: impl Iterator<Item = &'a Package>) -> Vec<String> {
    let tasks = root().join("tasks");
    let of_package = |package: &'a Package| {
        let is_of_course = |path: Option<&Path>| path.is_some_and(|path| path.starts_with(&tasks));
        let needed = package.dependencies.iter();
        let needed = needed.filter(|needed| is_of_course(needed.path.as_deref().map(AsRef::as_ref)));
        needed.map(|needed| format!("{} depends on {}", package.name, needed.name)).collect::<Vec<_>>()
    };
    packages.flat_map(of_package).collect()
}

#[test]
fn the_framework_depends_on_no_task_also_in_its_tests() {
    let metadata = metadata();
    let is_framework =
        |package: &&Package| package.manifest_path.as_std_path().starts_with(root().join("framework"));
    let found = dependencies_on_tasks(metadata.packages.iter().filter(is_framework));
    assert!(found.is_empty(), "{}", found.join("\n"));
    let canary = dependencies_on_tasks(metadata.packages.iter());
    assert!(canary.contains(&"wb-tests depends on nalitov_d_broadcast".to_owned()), "{canary:?}");
}

#[test]
fn the_table_names_no_crate_that_does_not_exist() {
    let metadata = metadata();
    let names: BTreeSet<_> = metadata.packages.iter().map(|p| p.name.to_string()).collect();
    let table = allowed();
    let named = table.keys().chain(table.values().flatten()).filter(|row| !row.starts_with("tasks/"));
    let unknown: BTreeSet<_> = named.filter(|name| !names.contains(*name)).collect();
    assert!(unknown.is_empty(), "the table names crates that do not exist: {unknown:?}");
}

#[test]
fn canary_a_forbidden_dependency_is_found() {
    let metadata = metadata();
    let mut table = allowed();
    table.get_mut("wb-world").expect("a row").remove("wb-comm");
    table.remove("wb-local");
    table.get_mut("tasks/*").expect("a row").remove("tasks/assignment_*");
    let found = offences(metadata.packages.iter(), &table);
    assert!(found.contains(&"wb-world depends on wb-comm".to_owned()), "{found:?}");
    let task = "example_p_integral depends on assignment_1_20_integral".to_owned();
    assert!(found.contains(&task), "{found:?}");
    assert!(found.contains(&"wb-local has no row in the table".to_owned()), "{found:?}");
}

#[test]
fn only_the_mpi_crate_links_a_c_library() {
    let metadata = metadata();
    for package in &metadata.packages {
        let links_mpi = package.dependencies.iter().any(|d| d.name == "mpi");
        assert_eq!(links_mpi, package.name.as_str() == "wb-mpi", "{} and the crate mpi", package.name);
    }
}

#[test]
fn yaml_is_known_in_config_only() {
    let metadata = metadata();
    for package in &metadata.packages {
        let knows = package.dependencies.iter().any(|d| d.name == "serde_yaml");
        assert_eq!(knows, package.name.as_str() == "wb-config", "{} and the crate serde_yaml", package.name);
    }
}

/// Files with the keyword `unsafe` (outside comments) that lie at none of the allowed places.
fn unsafe_offences(files: &[(PathBuf, String)], places: &[String]) -> Vec<PathBuf> {
    let keyword = |line: &str| {
        let code = line.split("//").next().unwrap_or_default();
        ["unsafe {", "unsafe fn", "unsafe impl", "unsafe extern", "unsafe trait", "#[unsafe("]
            .iter()
            .any(|k| code.contains(k))
    };
    let allowed = |path: &Path| places.iter().any(|place| path.to_string_lossy().starts_with(place.as_str()));
    let offending = files.iter().filter(|(path, text)| !allowed(path) && text.lines().any(keyword));
    offending.map(|(path, _)| path.clone()).collect()
}

#[test]
fn unsafe_is_only_where_the_table_allows_it() {
    let places: Vec<String> = table("unsafe-table").into_iter().map(|row| row[0].clone()).collect();
    assert!(!places.is_empty(), "the table of unsafe places is empty");
    let sources: Vec<_> = rust_sources().into_iter().filter(|(path, _)| !path.starts_with("tests")).collect();
    assert!(sources.len() > 50, "only {} sources found: the search is broken", sources.len());
    let found = unsafe_offences(&sources, &places);
    assert!(found.is_empty(), "unsafe where docs/ARCHITECTURE.md does not allow it: {found:?}");
}

#[test]
fn canary_unsafe_in_a_task_is_found() {
    let file = (PathBuf::from("tasks/x/src/lib.rs"), "fn f() { unsafe { g() } }".to_owned());
    let comment = (PathBuf::from("tasks/y/src/lib.rs"), "// nothing unsafe { here }".to_owned());
    assert_eq!(unsafe_offences(&[file.clone(), comment], &["framework/mpi/".into()]), vec![file.0]);
}

/// Files that list backends: that fill a field which every list has.
fn lists_of_backends(files: &[(PathBuf, String)]) -> Vec<&Path> {
    let fills =
        |line: &str| line.trim_start().starts_with("watched_virtual_time: &") && !line.contains("'static");
    files.iter().filter(|(_, text)| text.lines().any(fills)).map(|(path, _)| path.as_path()).collect()
}

#[test]
fn backends_are_listed_in_one_place() {
    let found = rust_sources();
    assert_eq!(lists_of_backends(&found), [Path::new("framework/workbench/src/backends.rs")]);
}

#[test]
fn canary_a_second_list_of_backends_is_found() {
    let list = "Backends {\n    watched_virtual_time: &wb_local::sim::Machines::WATCHED,\n}".to_owned();
    let declared = "    pub watched_virtual_time: &'static dyn Virtual,".to_owned();
    let files = [("a.rs".into(), list), ("b.rs".into(), declared)];
    assert_eq!(lists_of_backends(&files), [Path::new("a.rs")]);
}

/// `cargo test -p CRATE` may link a test program without MPI: it says so, and counts the trials that it leaves out.
#[test]
fn no_test_program_leaves_trials_of_mpi_out_in_silence() {
    let says = "not linked with MPI; `cargo test --workspace --test ";
    let is_silent = |text: &str| {
        let chooses = text.contains("workbench::backends()") && text.contains("libtest_mimic::run(");
        chooses && !(text.contains(says) && text.contains(".with_ignored_flag("))
    };
    let sources = rust_sources().into_iter().filter(|(path, _)| path.starts_with("framework"));
    let sources: Vec<_> = sources.collect();
    let found: Vec<_> = sources.iter().filter(|(_, text)| is_silent(text)).map(|(path, _)| path).collect();
    assert!(found.is_empty(), "these leave trials out in silence: {found:?}");
    let canary =
        sources.iter().find(|(path, _)| path.ends_with("judge/judged.rs")).expect("the judge's tests");
    assert!(is_silent(&canary.1.replace(says, "")), "the canary, which says nothing");
}

#[test]
fn crates_without_unsafe_forbid_it() {
    let places: Vec<String> = table("unsafe-table").into_iter().map(|row| row[0].clone()).collect();
    for package in metadata().packages {
        let folder =
            package.manifest_path.parent().expect("a manifest has a folder").as_std_path().to_owned();
        let folder = folder.strip_prefix(root()).expect("a package lies in the workspace").to_owned();
        let lib = ["src/lib.rs", "src/main.rs"]
            .map(|f| folder.join(f))
            .into_iter()
            .find(|f| root().join(f).exists());
        let lib = lib.unwrap_or_else(|| panic!("{} has neither lib.rs nor main.rs", package.name));
        if folder == Path::new("tests") || places.iter().any(|place| Path::new(place).starts_with(&folder)) {
            continue;
        }
        let text = fs::read_to_string(root().join(&lib)).expect("the file was found");
        assert!(text.contains("#![forbid(unsafe_code)]"), "{} does not forbid unsafe code", lib.display());
    }
}

/// Types of `wb-world` that no task has to name: parts of backends and of the harness, and bounds of verbs. With `FrameworkCalls` a task could
/// bypass its world.
const NOT_FOR_TASKS: [&str; 7] =
    ["AnyTag", "CallLog", "CollectiveOutput", "CommStats", "FrameworkCalls", "LocatedValue", "Tags"];

/// The names that a crate re-exports with `pub use`, in braces or alone.
fn exported(source: &str) -> BTreeSet<String> {
    let uses = source.split("pub use ").skip(1).filter_map(|rest| rest.split_once(';'));
    let words = |(path, _): (&str, &str)| {
        let names = path
            .rsplit_once("::{")
            .map_or_else(|| path.rsplit("::").next().unwrap_or(path), |(_, names)| names);
        names.split([',', '}', '\n']).map(|name| name.trim().to_owned()).collect::<Vec<_>>()
    };
    uses.flat_map(words).filter(|name| !name.is_empty()).collect()
}

/// A task that keeps a request or a group in a struct has to name its type.
#[test]
fn the_facade_exports_every_type_of_world() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let of = |file: &str| exported(&fs::read_to_string(root.join(file)).expect("the source"));
    let (world, facade) = (of("framework/world/src/lib.rs"), of("framework/workbench/src/lib.rs"));
    assert!(world.contains("Group") && world.contains("dims_create"), "{world:?}");
    let missing: Vec<_> = world.difference(&facade).map(String::as_str).collect();
    assert_eq!(missing, NOT_FOR_TASKS, "framework/workbench/src/lib.rs does not export them");
}
