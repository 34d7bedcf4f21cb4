//! Updates `report.md` without changing the text of its author.
//!
//! Invariant: no text of an author is lost. Only generated blocks are replaced. A document whose blocks cannot be found
//! reliably stays unchanged, and the new one is written beside it. A copy of an edited block is kept.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use wb_messages::{Lang, document as text};
use wb_report::blocks::{self, MarkerError, UpdatedDocument};

use crate::{
    error::{CliError, Result},
    output,
};

/// Updates the document at `path` with `fresh`. If that is impossible, writes `fresh` beside it and returns false.
pub(crate) fn update_document(path: &Path, fresh: &str, lang: Lang) -> Result<bool> {
    let Err(why) = update(path, fresh, lang)? else { return Ok(true) };
    for number in 1.. {
        let beside = numbered(path, "new", number);
        // That file may have an author, too.
        if update(&beside, fresh, lang)?.is_ok() {
            eprintln!("{}", text::kept(lang, path.display(), why, beside.display()));
            return Ok(false);
        }
    }
    unreachable!("numbers do not end")
}

/// Updates one file; the inner error is the reason why it stays unchanged.
fn update(path: &Path, fresh: &str, lang: Lang) -> Result<std::result::Result<(), String>> {
    output::refuse_link(path, lang)?;
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Ok(Err(CliError::system("read", path)(error).render(lang))),
    };
    let Ok(old) = String::from_utf8(bytes) else { return Ok(Err(text::not_text(lang))) };
    if old.trim().is_empty() {
        return output::write_in_report(path, fresh, lang).map(Ok);
    }
    match blocks::update(&old, fresh) {
        Err(damage) => Ok(Err(describe_marker_error(&damage, lang))),
        Ok(updated) if updated.text == old => Ok(Ok(())),
        Ok(updated) => {
            save_edited_copy(path, &old, &updated, lang)?;
            output::write_in_report(path, &updated.text, lang).map(Ok)
        }
    }
}

/// Saves a copy of the former document if one of its blocks was edited.
fn save_edited_copy(path: &Path, old: &str, updated: &UpdatedDocument, lang: Lang) -> Result<()> {
    if updated.edited.is_empty() {
        return Ok(());
    }
    let copy = copy_of(path, old)?;
    for block in &updated.edited {
        eprintln!("{}", text::edited(lang, path.display(), block.line, &block.name, copy.display()));
    }
    Ok(())
}

/// Writes `old` to the first free name beside `path`, unless it is there already.
fn copy_of(path: &Path, old: &str) -> Result<PathBuf> {
    for number in 1.. {
        let copy = numbered(path, "edited", number);
        match OpenOptions::new().write(true).create_new(true).open(&copy) {
            Ok(mut file) => {
                file.write_all(old.as_bytes()).map_err(CliError::system("write", &copy))?;
                return Ok(copy);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                if fs::read(&copy).is_ok_and(|bytes| bytes == old.as_bytes()) {
                    return Ok(copy);
                }
            }
            Err(error) => return Err(CliError::system("write", &copy)(error)),
        }
    }
    unreachable!("numbers do not end")
}

/// `report.new.md`, `report.new-2.md` and so on beside `report.md`.
fn numbered(path: &Path, what: &str, number: usize) -> PathBuf {
    let number = if number == 1 { String::new() } else { format!("-{number}") };
    path.with_extension(format!("{what}{number}.md"))
}

/// What is wrong with the markers of a document.
pub(crate) fn describe_marker_error(damage: &MarkerError, lang: Lang) -> String {
    match damage {
        MarkerError::NoMarkers => text::no_markers(lang),
        MarkerError::Malformed { line } => text::malformed(lang, line),
        MarkerError::Unclosed { name, line } => text::unclosed(lang, name, line),
        MarkerError::Unopened { line } => text::unopened(lang, line),
        MarkerError::Duplicate { name, line } => text::duplicate(lang, name, line),
        MarkerError::Missing { name } => text::missing(lang, name),
    }
}

#[cfg(test)]
mod tests {
    use wb_report::blocks::block;

    use super::*;

    fn fresh(number: u32) -> String {
        format!("# Report\n\n{}\n*Write.*\n", block("results", &format!("S = {number}")))
    }

    /// A folder with this `report.md`, brought up to date: whether it could be, and every file by name.
    fn updated_folder(old: &str) -> (bool, Vec<(String, String)>) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("report.md");
        fs::write(&path, old).expect("written");
        let whole = update_document(&path, &fresh(2), Lang::En).expect("the disk is well");
        assert_eq!(update_document(&path, &fresh(2), Lang::En).expect("the disk is well"), whole);
        let mut files: Vec<(String, String)> = fs::read_dir(folder.path())
            .expect("a folder")
            .map(|entry| entry.expect("an entry").path())
            .map(|path| {
                (path.file_name().unwrap().to_string_lossy().into(), fs::read_to_string(&path).unwrap())
            })
            .collect();
        files.sort();
        (whole, files)
    }

    fn one(name: &str, text: impl Into<String>) -> (String, String) {
        (name.to_owned(), text.into())
    }

    #[test]
    fn prose_stays_and_blocks_are_made_anew() {
        let mine = |number| fresh(number).replace("*Write.*", "The bus of this machine is the limit.");
        assert_eq!(updated_folder(&mine(1)), (true, vec![one("report.md", mine(2))]));
        assert_eq!(updated_folder(""), (true, vec![one("report.md", fresh(2))]));
    }

    #[test]
    fn a_document_that_is_not_ours_stays_and_the_new_one_stands_beside_it() {
        for damaged in
            ["All mine.\n", &fresh(1).replace("<!-- /generated", "<!-- generated"), &fresh(1).repeat(2)]
        {
            let expected = vec![one("report.md", damaged), one("report.new.md", fresh(2))];
            assert_eq!(updated_folder(damaged), (false, expected));
        }
    }

    #[test]
    fn an_edited_block_is_kept_once_in_a_copy() {
        let edited = fresh(1).replace("S = 1", "S = 1, because of the cache");
        assert_eq!(
            updated_folder(&edited),
            (true, vec![one("report.edited.md", edited.clone()), one("report.md", fresh(2))])
        );
    }

    #[test]
    fn neither_a_second_document_nor_a_second_copy_is_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        for name in ["report.md", "report.new.md", "report.edited.md"] {
            fs::write(at(name), format!("mine: {name}")).expect("written");
        }
        assert!(!update_document(&at("report.md"), &fresh(1), Lang::Ru).expect("the disk is well"));
        fs::write(at("report.md"), fresh(1).replace("S = 1", "S = 9")).expect("written");
        assert!(update_document(&at("report.md"), &fresh(2), Lang::Ru).expect("the disk is well"));
        let read = |name: &str| fs::read_to_string(at(name)).expect("there");
        assert_eq!(read("report.new.md"), "mine: report.new.md");
        assert_eq!(read("report.new-2.md"), fresh(1));
        assert_eq!(read("report.edited.md"), "mine: report.edited.md");
        assert!(read("report.edited-2.md").contains("S = 9"));
    }

    #[test]
    fn what_is_no_text_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("report.md");
        fs::write(&path, b"\xff\xfe\x00mine").expect("written");
        assert!(!update_document(&path, &fresh(1), Lang::En).expect("the disk is well"));
        assert_eq!(fs::read(&path).expect("there"), b"\xff\xfe\x00mine");
    }
}
