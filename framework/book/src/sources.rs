//! The pages of a language, in the order of its summary.
//!
//! `docs/SUMMARY.md` and `docs/ru/SUMMARY.md` list them; every page is below the folder of its summary.
use std::{
    fs,
    path::{Component, Path, PathBuf},
};

use pulldown_cmark::{Event, Tag};
use wb_messages::Lang;

use crate::{
    error::{BookError, Result},
    outline::events,
};

/// The folder of the documents in the workspace.
pub const DOCS: &str = "docs";

/// The line of a summary below which the pages of codes come.
pub const CODES_MARK: &str = "<!-- codes -->";

/// A page of a language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookPage {
    /// Its name, the same in both languages: `barriers/races.md`.
    pub name: PathBuf,
    /// The file relative to the workspace: `docs/ru/barriers/races.md`.
    pub file: PathBuf,
    /// The text.
    pub text: String,
}

/// The documents of a language.
#[derive(Clone, Debug)]
pub struct BookSources {
    /// The language.
    pub lang: Lang,
    /// The summary.
    pub summary: String,
    /// The pages in the order of the summary.
    pub pages: Vec<BookPage>,
}

/// The folder of a language, relative to the workspace.
pub fn folder(lang: Lang) -> PathBuf {
    match lang {
        Lang::En => PathBuf::from(DOCS),
        Lang::Ru => Path::new(DOCS).join("ru"),
    }
}

/// The path without `.` and `..`; `None` when it leads out of the workspace.
pub fn normalized(path: &Path) -> Option<PathBuf> {
    let mut parts = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if parts.pop() => {}
            Component::Normal(part) => parts.push(part),
            _ => return None,
        }
    }
    Some(parts)
}

/// The targets of the links of a text.
pub fn links(text: &str) -> Vec<String> {
    let target = |event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.to_string()),
        _ => None,
    };
    events(text).filter_map(|(event, _)| target(event)).collect()
}

impl BookSources {
    /// Reads the documents of the workspace at `root`.
    ///
    /// # Errors
    /// When a file cannot be read, or a link of the summary leads out of its folder.
    pub fn read(root: &Path, lang: Lang) -> Result<Self> {
        let file = folder(lang).join("SUMMARY.md");
        let summary = read(root, &file)?;
        let mut pages = vec![];
        for link in links(&summary) {
            let leaves = || BookError::Link {
                page: file.clone(),
                line: line_with(&summary, &link),
                link: link.clone(),
            };
            let page = normalized(&folder(lang).join(&link)).ok_or_else(leaves)?;
            let name = page.strip_prefix(folder(lang)).map_err(|_| leaves())?.to_owned();
            pages.push(BookPage { name, text: read(root, &page)?, file: page });
        }
        Ok(Self { lang, summary, pages })
    }

    /// The page of that name.
    pub fn page(&self, name: &Path) -> Option<&BookPage> {
        self.pages.iter().find(|page| page.name == name)
    }
}

fn read(root: &Path, file: &Path) -> Result<String> {
    fs::read_to_string(root.join(file)).map_err(BookError::system(file))
}

/// The first line that contains a link, from 1.
fn line_with(text: &str, link: &str) -> usize {
    text.find(link).map_or(1, |at| crate::outline::line_of(text, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_out_of_the_workspace_has_no_normal_form() {
        assert_eq!(normalized(Path::new("docs/ru/../adr/./x.md")), Some(PathBuf::from("docs/adr/x.md")));
        assert_eq!(normalized(Path::new("docs/../../x.md")), None);
        assert_eq!(normalized(Path::new("/x.md")), None);
    }

    #[test]
    fn the_pages_are_those_of_the_summary() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |file: &str, text: &str| {
            let file = folder.path().join(file);
            fs::create_dir_all(file.parent().expect("a folder")).expect("made");
            fs::write(file, text).expect("written");
        };
        write("docs/adr/1.md", "# One\n");
        write("docs/ru/a.md", "# А\n");
        write("docs/ru/adr/1.md", "# Один\n");
        write("docs/ru/SUMMARY.md", "# Книга\n\n- [А](a.md)\n  <!-- codes -->\n- [Один](adr/1.md)\n");
        let sources = BookSources::read(folder.path(), Lang::Ru).expect("a book");
        let names: Vec<_> = sources.pages.iter().map(|page| page.name.to_str().expect("text")).collect();
        assert_eq!(names, ["a.md", "adr/1.md"]);
        for outside in ["../../README.md", "../adr/1.md"] {
            write("docs/ru/SUMMARY.md", &format!("# Книга\n\n- [А]({outside})\n"));
            let error = BookSources::read(folder.path(), Lang::Ru).expect_err("it leaves the folder");
            assert_eq!(error.to_string(), format!("docs/ru/SUMMARY.md, line 3: {outside}"));
        }
    }
}
