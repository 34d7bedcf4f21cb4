//! The output of a command: to standard output and error, and to files, whose path is checked before the work begins.
//!
//! `print!`, `println!`, `eprint!` and `eprintln!` of this crate are the macros below, which shadow those of the standard
//! library: standard output that cannot be written ends the command with a message and code 1 and not with a panic.

use std::{
    fs::{self, OpenOptions},
    io,
    path::Path,
};

use serde::Serialize;
use wb_messages::{Lang, book};
use wb_record::Record;

use crate::{
    error::{CliError, Result},
    terminal,
};

macro_rules! print {
    ($($words:tt)*) => { ::wb_process::output::print(format_args!($($words)*)) };
}

macro_rules! println {
    () => { ::wb_process::output::print(format_args!("\n")) };
    ($($words:tt)*) => { ::wb_process::output::print(format_args!("{}\n", format_args!($($words)*))) };
}

macro_rules! eprintln {
    () => { ::wb_process::output::print_error(format_args!("\n")) };
    ($($words:tt)*) => { ::wb_process::output::print_error(format_args!("{}\n", format_args!($($words)*))) };
}

/// Prints a value as indented JSON; the keys of each object are in alphabetical order.
pub(crate) fn print_json(value: &impl Serialize) {
    println!("{:#}", serde_json::to_value(value).expect("keys are strings, so the value always serialises"));
}

/// The columns that the tables of a whole report need.
const REPORT_WIDTH: u16 = 120;

/// Everything that the pages of a task say, for `--verbose`.
pub(crate) fn whole_report(records: &[Record], lang: Lang) -> String {
    wb_report::terminal(records, lang, terminal::width().max(REPORT_WIDTH))
}

/// Checks that `path` can be written, and leaves an existing file as it is.
///
/// # Errors
/// The error of the system: the folder does not exist, the path is a folder, it is write-protected, the disk is full.
pub(crate) fn check(path: &Path) -> Result<()> {
    let was_there = path.exists();
    let opened = OpenOptions::new().append(true).create(true).open(path);
    opened.map_err(CliError::system("write", path))?;
    if !was_there {
        fs::remove_file(path).map_err(CliError::system("remove", path))?;
    }
    Ok(())
}

/// Writes a file in a folder that others may fill: a task's report. It is never reached through a symbolic link, which may lead to
/// a file that a person wrote.
///
/// # Errors
/// The file or its folder is a symbolic link, or the error of the system.
pub(crate) fn write_in_report(path: &Path, text: impl AsRef<[u8]>, lang: Lang) -> Result<()> {
    refuse_link(path, lang)?;
    wb_process::write_atomically(path, text).map_err(CliError::system("write", path))
}

/// # Errors
/// The file or its folder is a symbolic link.
pub(crate) fn refuse_link(path: &Path, lang: Lang) -> Result<()> {
    match path.ancestors().take(2).any(Path::is_symlink) {
        true => Err(CliError::system("write", path)(io::Error::other(book::linked(lang)))),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_is_refused_and_the_rest_stays_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let (new, old) = (folder.path().join("new"), folder.path().join("old"));
        fs::write(&old, "kept").expect("written");
        assert!(check(&new).is_ok() && check(&old).is_ok());
        assert!(!new.exists());
        assert_eq!(fs::read_to_string(&old).expect("read"), "kept");
        let error_kind = |path: &Path| match check(path) {
            Err(CliError::System { what: "write", source, .. }) => source.kind(),
            other => panic!("{other:?}"),
        };
        assert_eq!(error_kind(folder.path()), io::ErrorKind::IsADirectory);
        assert_eq!(error_kind(&folder.path().join("no/such")), io::ErrorKind::NotFound);
    }
}
