//! The text of a settings file: a regular file of at most 1 MiB of UTF-8 with a limited nesting depth.
//!
//! All of this is checked before the parser sees a byte, because a parser of YAML takes time in the square of the nesting
//! of brackets, and because a pipe or a device has no end.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use wb_text::{Text, settings};

use crate::error::{ConfigDiagnostic, ConfigError, FILE_BYTES_MAX, Result};

/// The most opening brackets of a file: a bound of how deep they nest that no quote and no comment can hide.
const BRACKETS_MAX: usize = 1024;

/// The most marks of lists in one line.
const STEPS_MAX: usize = 64;

/// Reads the text of `file` without a byte order mark.
pub(crate) fn load(file: &Path) -> Result<String> {
    let unreadable = |source| ConfigError::Unreadable { file: file.into(), source };
    // Checked before it is opened: opening a pipe waits for its writer.
    if !fs::metadata(file).map_err(unreadable)?.is_file() {
        return Err(ConfigError::NotAFile { file: file.into() });
    }
    let bytes = read_bounded(file).map_err(unreadable)?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        return Err(ConfigError::TooLarge { file: file.into() });
    }
    let text = String::from_utf8(bytes).map_err(|error| not_utf8(file, &error))?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// The bytes of the file, and one more than allowed if there are more than allowed.
fn read_bounded(file: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(file)?.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn not_utf8(file: &Path, error: &std::string::FromUtf8Error) -> ConfigError {
    let (bytes, at) = (error.as_bytes(), error.utf8_error().valid_up_to());
    let text = String::from_utf8_lossy(bytes);
    let problem = match wb_text::is_utf16(&text) {
        true => settings::utf16(),
        false => settings::not_utf8(format!("{:#04x}", bytes[at])),
    };
    // What is valid is the same in both texts, so the place is that of the first character that was replaced.
    Box::new(ConfigDiagnostic::new(file, &text, line_and_column(&text, at), problem)).into()
}

/// The error of the text before it is parsed: the place and the problem, which is `empty` where there is no text.
pub(crate) fn check(file: &Path, text: &str, empty: Text) -> std::result::Result<(), Box<ConfigDiagnostic>> {
    let refuse =
        |at, problem| Err(Box::new(ConfigDiagnostic::new(file, text, line_and_column(text, at), problem)));
    if text.len() as u64 > FILE_BYTES_MAX {
        return refuse(0, settings::bytes(text.len(), FILE_BYTES_MAX));
    }
    if text.trim().is_empty() {
        return refuse(0, empty);
    }
    let control = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    if let Some((at, c)) = text.char_indices().find(|(_, c)| control(*c)) {
        return refuse(at, settings::control(format!("{:04X}", u32::from(c))));
    }
    if let Some((at, _)) = text.match_indices(['[', '{']).nth(BRACKETS_MAX) {
        return refuse(at, settings::brackets(BRACKETS_MAX));
    }
    let find = |is_refused: fn(&str) -> bool| {
        text.split_inclusive('\n').scan(0, line_begins).find(|(_, line)| is_refused(line))
    };
    if let Some((at, _)) = find(is_conflict_marker) {
        return refuse(at, settings::merge_conflict());
    }
    match find(|line| list_marks(line) > STEPS_MAX) {
        None => Ok(()),
        Some((at, _)) => refuse(at, settings::steps(STEPS_MAX)),
    }
}

/// The place at which a line begins, with the line.
fn line_begins<'a>(next: &mut usize, line: &'a str) -> Option<(usize, &'a str)> {
    let at = *next;
    *next += line.len();
    Some((at, line))
}

/// Whether git marks here the beginning or the end of what it could not merge.
fn is_conflict_marker(line: &str) -> bool {
    line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ")
}

/// The marks `-` and `?` in a line, each of which may open a list or a mapping inside the one before.
fn list_marks(line: &str) -> usize {
    line.split_ascii_whitespace().filter(|word| matches!(*word, "-" | "?")).count()
}

/// Line and column of a byte, from 1.
fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    (before.matches('\n').count() + 1, before[line..].chars().count() + 1)
}
