//! Parts of documents that are made from the code: the text between two markers.
//!
//! `<!-- name -->` and `<!-- /name -->` are lines of their own. A test makes the text anew and compares it with the
//! file; with `WBTEST_BLESS=1` it writes the file instead.
use std::{collections::BTreeSet, fs, path::Path};

use crate::sources::root;

/// Holds the part `name` of the document at `path` (relative to the workspace) against `made`, or writes it.
///
/// # Panics
/// When they differ, or the document has no such part.
pub fn check_part(path: &str, name: &str, made: &str) {
    let file = root().join(path);
    let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{path}: {error}"));
    let renewed = with_part(&text, name, made).unwrap_or_else(|| panic!("{path} has no part {name:?}"));
    renew(&file, &format!("{path}, part {name:?},"), &text, &renewed);
}

/// Holds the whole document at `path` against `made`, or writes it.
///
/// # Panics
/// When they differ.
pub fn check_document(path: &str, made: &str) {
    let file = root().join(path);
    renew(&file, path, &fs::read_to_string(&file).unwrap_or_default(), made);
}

/// Writes `made` over `text` where the user asks for that.
fn renew(file: &Path, what: &str, text: &str, made: &str) {
    if text == made {
        return;
    }
    let blessed = std::env::var_os("WBTEST_BLESS").is_some();
    assert!(blessed, "{what} differs from what the code gives:\n{}\n{RENEW}", difference(text, made));
    fs::write(file, made).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
}

/// The command that makes the documents from the code.
const RENEW: &str = "renew every document that is made from the code: WBTEST_BLESS=1 cargo test -p wb-tests --test repository documents";

/// How many lines of a difference are shown.
const MOST_LINES: usize = 20;

/// The lines that only the document has (`-`), and those that only the code has (`+`).
pub fn difference(text: &str, made: &str) -> String {
    let only = |sign: &'static str, one: &str, other: &str| -> Vec<String> {
        let others: BTreeSet<_> = other.lines().collect();
        one.lines().filter(|line| !others.contains(line)).map(|line| format!("  {sign} {line}")).collect()
    };
    let mut lines = [only("-", text, made), only("+", made, text)].concat();
    match lines.len() {
        0 => return "  the same lines, in another order or number".to_owned(),
        all if all > MOST_LINES => {
            lines.truncate(MOST_LINES);
            lines.push(format!("  and {} lines more", all - MOST_LINES));
        }
        _ => {}
    }
    lines.join("\n")
}

/// `text` with the part `name` replaced; `None` when it has no such part.
pub fn with_part(text: &str, name: &str, made: &str) -> Option<String> {
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{} -->", name.split(' ').next()?));
    let start = text.find(&open)? + open.len();
    let end = start + text[start..].find(&close)?;
    Some(format!("{}{}{}", &text[..start], made, &text[end..]))
}
