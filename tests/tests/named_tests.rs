//! The tests that a table of a document names: each exists in the file that is named before it.

use std::fs;

use wb_tests::sources::root;

/// What is wrong with the last column of the table below `heading` in a page: `path` and then the names of tests in it, or the words
/// "no test:" and a reason.
pub(crate) fn problems(page: &str, heading: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(page)).unwrap_or_default();
    problems_of(&text, heading)
}

fn problems_of(text: &str, heading: &str) -> Vec<String> {
    let section = text.split("\n## ").find(|section| section.starts_with(heading)).unwrap_or_default();
    let rows: Vec<&str> = section.lines().filter(|line| line.starts_with('|')).skip(2).collect();
    if rows.is_empty() {
        return vec![format!("there is no table below {heading}")];
    }
    rows.into_iter().filter_map(problem_of_row).collect()
}

fn problem_of_row(row: &str) -> Option<String> {
    let cell = row.trim_end_matches(['|', ' ']).rsplit('|').next().unwrap_or_default().trim();
    let words: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
    if !words.iter().any(|word| !word.contains('/')) {
        return (!cell.starts_with("no test: ")).then(|| format!("no test is named: {row}"));
    }
    let mut source = String::new();
    for word in words {
        if word.contains('/') {
            source = fs::read_to_string(root().join(word)).unwrap_or_default();
        } else if !source.contains(&format!("fn {word}(")) {
            return Some(format!("there is no test {word}: {row}"));
        }
    }
    None
}

fn of_row(row: &str) -> Vec<String> {
    problems_of(&format!("# A\n\n## B\n\n| a | b |\n|---|---|\n{row}\n\n## C\n"), "B")
}

#[test]
fn a_test_that_does_not_exist_is_noticed() {
    let own = "| x | `tests/tests/named_tests.rs` `a_test_that_does_not_exist_is_noticed` |";
    assert_eq!(of_row(own), [""; 0]);
    assert_eq!(of_row("| x | no test: for a reason |"), [""; 0]);
    for wrong in [
        own.replace("is_noticed", "is_overlooked"),
        own.replace("named_tests.rs", "other_tests.rs"),
        "| x | nothing |".to_owned(),
        "| x | `tests/tests/named_tests.rs` |".to_owned(),
    ] {
        assert_eq!(of_row(&wrong).len(), 1, "{wrong}");
    }
    assert_eq!(problems_of("# A\n", "B").len(), 1, "no table");
}
