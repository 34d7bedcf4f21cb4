//! The environment variables of the programs: each is in one of two tables of the documents and in the list of known names, and each row is
//! a variable.
use std::{collections::BTreeSet, fs};

use wb_tests::sources::{root, rust_sources};

/// The list of known names: others are refused.
const KNOWN: &str = "framework/config/src/variables.rs";

/// The sources whose variables are of the programs, and not of tests.
fn is_of_a_program(path: &str) -> bool {
    path.starts_with("framework/") && path.contains("/src/") && path != KNOWN
}

/// The variables of a source: its texts that consist of such a name. What a build script passes to its crate is none.
fn variables_of(source: &str) -> impl Iterator<Item = &str> {
    let mut pieces = source.split('"');
    let mut before = pieces.next().unwrap_or_default();
    pieces.filter(move |text| {
        let is_built_in = std::mem::replace(&mut before, *text).ends_with("env!(");
        let letters = |name: &str| name.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_');
        !is_built_in && text.strip_prefix("WB_").is_some_and(|name| !name.is_empty() && letters(name))
    })
}

/// The variables in the first cells of the tables of a page.
fn rows_of(page: &str) -> impl Iterator<Item = &str> {
    let cells = page.lines().filter_map(|line| line.strip_prefix("| ")?.split('|').next());
    let quoted = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    quoted.filter(|name| name.starts_with("WB_")).filter_map(|name| name.split('=').next())
}

#[test]
fn each_variable_is_in_a_table_of_the_documents() {
    let sources = rust_sources();
    let programs = sources.iter().filter(|(path, _)| is_of_a_program(&path.to_string_lossy()));
    let used: BTreeSet<&str> = programs.flat_map(|(_, source)| variables_of(source)).collect();
    let pages = ["docs/instructor.md", "docs/contributor.md"]
        .map(|page| fs::read_to_string(root().join(page)).expect("a page"));
    let documented: Vec<&str> = pages.iter().flat_map(|page| rows_of(page)).collect();
    assert_eq!(
        documented.iter().copied().collect::<BTreeSet<_>>(),
        used,
        "in the documents, and in the sources"
    );
    assert_eq!(documented.len(), used.len(), "a variable is in one table: {documented:?}");
    let known = fs::read_to_string(root().join(KNOWN)).expect("a source");
    let list = known.split_once("const KNOWN").and_then(|(_, rest)| rest.split_once(';')).expect("a list").1;
    let known: BTreeSet<&str> = variables_of(list.split_once(';').expect("its end").0).collect();
    assert_eq!(known, used, "known, and in the sources");
}

#[test]
fn canary_a_variable_is_found_in_a_source_and_in_a_row() {
    let source = r#"env("WB_ONE"); env!("WB_BUILT"); "WB_"; "WB_lower"; const TWO: &str = "WB_TWO";"#;
    assert_eq!(variables_of(source).collect::<Vec<_>>(), ["WB_ONE", "WB_TWO"]);
    let page = "`WB_ZERO`\n| variable | b |\n|---|---|\n| `WB_ONE=1`, `WB_TWO` | not `WB_THREE` |\n";
    assert_eq!(rows_of(page).collect::<Vec<_>>(), ["WB_ONE", "WB_TWO"]);
}
