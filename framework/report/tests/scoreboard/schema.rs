//! `docs/scoreboard.md` has every field of `scoreboard.json`, and no other.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::Value;

/// Every path of the value; the elements of a list have one path together.
fn paths(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                found.insert(path.clone());
                paths(field, &path, found);
            }
        }
        Value::Array(elements) => {
            elements.iter().for_each(|element| paths(element, &format!("{path}[]"), found));
        }
        _ => {}
    }
}

/// The paths in the first column of the table below the heading.
fn documented(page: &str) -> BTreeSet<String> {
    let (_, section) = page.split_once("\n## scoreboard.json\n").expect("the section");
    let rows = section.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    let cells = rows.take_while(|line| line.starts_with('|')).filter_map(|row| row.split('|').nth(1));
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_owned).collect()
}

#[test]
fn the_page_has_every_field_of_the_file() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scoreboard.md");
    let documented = documented(&fs::read_to_string(page).expect("the page"));
    let json = serde_json::to_value(super::board::class(30)).expect("a value");
    let mut found = BTreeSet::new();
    paths(&json, "", &mut found);
    // A row may describe a list or an object by its fields alone.
    let is_branch = |path: &String| {
        found
            .iter()
            .any(|other| other.starts_with(&format!("{path}.")) || other.starts_with(&format!("{path}[]")))
    };
    let missing: Vec<_> =
        found.iter().filter(|path| !documented.contains(*path) && !is_branch(path)).collect();
    assert!(missing.is_empty(), "docs/scoreboard.md lacks {missing:?}");
    let unknown: Vec<_> = documented.iter().filter(|path| !found.contains(*path)).collect();
    assert!(unknown.is_empty(), "docs/scoreboard.md has fields that the file has not: {unknown:?}");
    assert!(found.len() > 50, "canary: {}", found.len());
}
