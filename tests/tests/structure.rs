//! The structure of the sources: how long files are, and which module files use each other in a circle.
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

use wb_tests::{
    module_graph::ModuleGraph,
    sources::{root, rust_sources},
};

type Source = (PathBuf, String);

/// Lines of a file, comments included.
const MAX_FILE_LINES: usize = 400;

fn long_files(sources: &[Source], limit: usize) -> Vec<String> {
    let long = sources.iter().filter(|(_, text)| text.lines().count() > limit);
    long.map(|(path, text)| format!("{} has {} lines", path.display(), text.lines().count())).collect()
}

/// A long file holds several subjects, and a reader cannot find them by file names.
#[test]
fn no_file_is_longer_than_400_lines() {
    let found = long_files(&rust_sources(), MAX_FILE_LINES);
    assert!(found.is_empty(), "make it a folder:\n  {}", found.join("\n  "));
}

/// The sources that are Rust as they are: not the templates, and not the sources that must not compile.
fn compiled_sources() -> Vec<Source> {
    let is_compiled = |path: &Path| {
        !path.starts_with("framework/cli/templates")
            && !path.components().any(|part| part.as_os_str() == "compile_fail")
    };
    rust_sources().into_iter().filter(|(path, _)| is_compiled(path)).collect()
}

/// The folders `src` of all packages.
fn source_folders(sources: &[Source]) -> BTreeSet<PathBuf> {
    let entries =
        sources.iter().filter(|(path, _)| path.ends_with("src/lib.rs") || path.ends_with("src/main.rs"));
    entries.filter_map(|(path, _)| path.parent()).map(Path::to_owned).collect()
}

/// The circles of all crates, each as the page names it (its files below the crate's folder `src`), with the uses in it.
fn circles(sources: &[Source]) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for folder in source_folders(sources) {
        let files = sources.iter().filter(|(path, _)| path.starts_with(&folder));
        let graph = ModuleGraph::new(&folder, files.map(|(path, text)| (path.as_path(), text.as_str())));
        let name = |file: &Path| {
            let file = file.strip_prefix(&folder).expect("a file of this crate");
            format!("`{}`", file.with_extension("").display())
        };
        for circle in graph.circles() {
            let names: Vec<_> = circle.iter().map(|file| name(file)).collect();
            let edges = graph.edges();
            let inside = edges.iter().filter(|(user, used)| circle.contains(user) && circle.contains(used));
            let uses: String =
                inside.map(|(user, used)| format!("    {} uses {}\n", name(user), name(used))).collect();
            found.insert(format!("`{}`: {}", folder.display(), names.join(", ")), uses);
        }
    }
    found
}

/// The first column of the page's table of circles.
fn listed_circles(page: &str) -> BTreeSet<String> {
    let (_, table) = page.split_once("<!-- circle-table -->\n").expect("the table of circles");
    let rows = table.lines().take_while(|line| line.starts_with('|')).skip(2);
    rows.filter_map(|row| row.trim_matches('|').split('|').next())
        .map(|cell| cell.trim().to_owned())
        .collect()
}

/// Two files in a circle can only be understood and changed together.
#[test]
fn module_files_use_each_other_in_a_circle_only_where_the_page_says_why() {
    let found = circles(&compiled_sources());
    let page = fs::read_to_string(root().join("docs/ARCHITECTURE.md")).expect("the page");
    let listed = listed_circles(&page);
    let mut text = String::new();
    for (circle, uses) in found.iter().filter(|(circle, _)| !listed.contains(*circle)) {
        let _ =
            write!(text, "break it or give its reason in docs/ARCHITECTURE.md:\n| {circle} | ... |\n{uses}");
    }
    for circle in listed.iter().filter(|circle| !found.contains_key(*circle)) {
        let _ = writeln!(text, "there is no such circle, so docs/ARCHITECTURE.md must not list it: {circle}");
    }
    assert!(text.is_empty(), "\n{text}");
}

fn source(path: &str, text: &str) -> Source {
    (PathBuf::from(path), text.to_owned())
}

#[test]
fn canary_a_long_file_is_found() {
    let files = [source("a.rs", &"x\n".repeat(401)), source("b.rs", &"x\n".repeat(400))];
    assert_eq!(long_files(&files, MAX_FILE_LINES), ["a.rs has 401 lines"]);
}

#[test]
fn canary_circles_are_found_by_use_by_path_and_through_a_name_that_is_handed_on() {
    let files = [
        source("a/src/lib.rs", "mod plan;\nmod step;\nmod alone;\npub use step::Step;\npub fn root() {}\n"),
        source(
            "a/src/plan.rs",
            "use crate::{alone, Step};\nuse part::f;\npub(crate) struct Plan;\nmod part;\n",
        ),
        source("a/src/plan/part.rs", "use super::Plan;\nfn f() {\n    super::super::step::run();\n}\n"),
        source("a/src/step.rs", "pub struct Step;\nfn run() {\n    vec![crate::plan::part::f()];\n}\n"),
        source(
            "a/src/alone.rs",
            "#[cfg(test)]\nmod tests {\n    use super::*;\n    use crate::plan::Plan;\n}\nuse std::plan::Plan;\nfn f() {\n    crate::root();\n}\n",
        ),
        source("b/src/lib.rs", "mod x;\nmod y;\n"),
        source("b/src/x.rs", "use super::y::{self, Y as Z};\n"),
        source("b/src/y.rs", "pub struct Y;\nmod x {\n    use crate::z;\n}\n"),
    ];
    let uses = "    `plan/part` uses `step`\n    `step` uses `plan/part`\n";
    let one = BTreeMap::from([("`a/src`: `plan/part`, `step`".to_owned(), uses.to_owned())]);
    assert_eq!(circles(&files), one);
    let mut files = files.to_vec();
    files[4].1 += "use crate::plan::Plan;\n";
    files[7].1 += "fn f() -> crate::x::X {}\n";
    let all: Vec<_> = circles(&files).into_keys().collect();
    assert_eq!(all, ["`a/src`: `alone`, `plan`", "`a/src`: `plan/part`, `step`", "`b/src`: `x`, `y`"]);
}

#[test]
fn canary_the_table_of_circles_is_read() {
    let page = "| no |\n<!-- circle-table -->\n| circle | why |\n|---|---|\n| `a/src`: `x`, `y` | reason |\n\n| no |\n";
    assert_eq!(listed_circles(page), BTreeSet::from(["`a/src`: `x`, `y`".to_owned()]));
}
