//! Parts of documents that are made from the code: the text between two markers.
//!
//! `<!-- name -->` and `<!-- /name -->` stand on lines of their own. A test makes the text anew and holds it against the
//! file; with `WB_BLESS=1` it writes the file instead.
use std::{fs, path::Path};

use crate::sources::root;

/// Holds the part `name` of the document at `path` (relative to the workspace) against `made`, or writes it.
///
/// # Panics
/// When they differ, or the document has no such part.
pub fn keep(path: &str, name: &str, made: &str) {
    let file = root().join(path);
    let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{path}: {error}"));
    let renewed = replaced(&text, name, made).unwrap_or_else(|| panic!("{path} has no part {name:?}"));
    if renewed == text {
        return;
    }
    assert!(blessed(), "{path}, part {name:?}, is not what the code says; {RENEW}");
    write(&file, &renewed);
}

/// Holds the whole document at `path` against `made`, or writes it.
///
/// # Panics
/// When they differ.
pub fn keep_all(path: &str, made: &str) {
    let file = root().join(path);
    if fs::read_to_string(&file).is_ok_and(|text| text == made) {
        return;
    }
    assert!(blessed(), "{path} is not what the code says; {RENEW}");
    write(&file, made);
}

/// What makes documents be what the code says.
const RENEW: &str = "renew it: WB_BLESS=1 cargo test -p wb-tests --test documents";

fn blessed() -> bool {
    std::env::var_os("WB_BLESS").is_some()
}

fn write(file: &Path, text: &str) {
    fs::write(file, text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
}

/// `text` with the part `name` replaced; `None` when it has no such part.
pub fn replaced(text: &str, name: &str, made: &str) -> Option<String> {
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{} -->", name.split(' ').next()?));
    let start = text.find(&open)? + open.len();
    let end = start + text[start..].find(&close)?;
    Some(format!("{}{}{}", &text[..start], made, &text[end..]))
}
