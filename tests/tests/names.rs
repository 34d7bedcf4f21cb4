//! One name, one meaning: no two public types of the workspace have the same name.
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use wb_tests::sources::{root, rust_sources};

/// The page with the names that several crates may share, each with its reason.
const PAGE: &str = "docs/glossary.md";

/// The keywords that declare a type.
const KEYWORDS: [&str; 5] = ["struct", "enum", "trait", "union", "type"];

/// The name of the public type that `line` declares.
fn public_type(line: &str) -> Option<&str> {
    let (keyword, rest) = line.trim_start().strip_prefix("pub ")?.split_once(' ')?;
    let (keyword, rest) = match keyword {
        "unsafe" => rest.split_once(' ')?,
        _ => (keyword, rest),
    };
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    KEYWORDS.contains(&keyword).then(|| &rest[..end])
}

/// The files that declare each public type of the libraries, where there are two or more of one name.
fn shared(sources: &[(PathBuf, String)]) -> BTreeMap<&str, BTreeSet<&Path>> {
    let mut files: BTreeMap<&str, Vec<&Path>> = BTreeMap::new();
    for (path, text) in sources.iter().filter(|(path, _)| is_library(path)) {
        // Associated types are indented and have no `pub`; types of a macro's expansion are not looked at.
        for name in text.lines().filter_map(public_type) {
            files.entry(name).or_default().push(path);
        }
    }
    let several = files.into_iter().filter(|(_, files)| files.len() > 1);
    several.map(|(name, files)| (name, files.into_iter().collect())).collect()
}

/// Whether a file belongs to a library: students choose the names in tasks, and a test or an example is read alone.
fn is_library(path: &Path) -> bool {
    let folder = |name: &str| path.components().any(|part| part.as_os_str() == name);
    (path.starts_with("framework") && !folder("tests") && !folder("examples"))
        || path.starts_with("tests/src")
}

/// The names in the first column of the page's table of shared names.
fn allowed(page: &str) -> BTreeSet<&str> {
    let table = page.split_once("## Names that crates share").map_or("", |(_, rest)| rest);
    let table = table.split("\n## ").next().unwrap_or_default();
    table.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect()
}

#[test]
fn no_two_public_types_have_one_name() {
    let sources = rust_sources();
    let page = fs::read_to_string(root().join(PAGE)).expect("the glossary");
    let (shared, allowed) = (shared(&sources), allowed(&page));
    let found: Vec<_> = shared.iter().filter(|(name, _)| !allowed.contains(**name)).collect();
    assert!(found.is_empty(), "give each meaning a name of its own, or a reason in {PAGE}: {found:#?}");
    let needless: Vec<_> = allowed.iter().filter(|name| !shared.contains_key(**name)).collect();
    assert!(needless.is_empty(), "{PAGE} excuses names that only one crate has: {needless:?}");
}

#[test]
fn canary_a_second_type_of_one_name_is_found() {
    let source = |path: &str, text: &str| (PathBuf::from(path), text.to_owned());
    let sources = [
        source("framework/a/src/x.rs", "pub struct Place {\n    pub trait_count: usize,\n}\n"),
        source("framework/b/src/y.rs", "    pub unsafe trait Place: Sized {}\n"),
        source("framework/b/tests/z.rs", "pub struct Other;\n"),
        source("framework/a/src/z.rs", "pub struct Other;\npub(crate) struct Own;\n"),
        source("framework/b/src/z.rs", "pub(crate) struct Own;\npub fn struct_of() {}\n"),
    ];
    let found = shared(&sources);
    assert_eq!(found.keys().copied().collect::<Vec<_>>(), ["Place"]);
    assert_eq!(found["Place"].len(), 2);
    let page = "| `Before` |\n## Names that crates share\n| name | why |\n|---|---|\n| `Error` | x |\n\n## Next\n| `After` |\n";
    assert_eq!(allowed(page).into_iter().collect::<Vec<_>>(), ["Error"]);
}
