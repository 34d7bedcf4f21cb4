//! Prepares the pages of a language for mdBook in a folder of their own.
//!
//! The folders of the two languages lie differently in the workspace and in the site, so every link is resolved in the
//! workspace and written anew for the site. Words such as WB0020 become links to the page of the code.
use std::{
    fs,
    ops::Range,
    path::{Path, PathBuf},
};

use pulldown_cmark::{Event, Tag, TagEnd};
use wb_comm::Code;

use crate::{
    code_pages,
    error::{BookError, Result},
    outline::{codes_in, events, explicit_anchors, line_of},
    play::{LIST_MARK, PAGES_MARK, PlayPages},
    sources::{self, BookPage, BookSources, CODES_MARK, DOCS},
};

/// Writes the pages of `book` into `folder`: the summary, the pages, the pages of codes and of algorithms, and the pictures.
///
/// # Errors
/// When a file cannot be written, or a link leads out of the book.
pub fn write(root: &Path, book: &BookSources, play: &PlayPages, folder: &Path) -> Result<()> {
    let put = |name: &Path, text: &str| {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().unwrap_or(folder)).map_err(BookError::system(folder))?;
        fs::write(&file, text).map_err(BookError::system(&file))
    };
    put(Path::new("SUMMARY.md"), &summary(book, play))?;
    for &code in Code::ALL {
        put(&code_pages::name(&code.to_string()), &code_pages::page(code, book.lang))?;
    }
    for (name, text) in play.files(book.lang) {
        put(&name, &text)?;
    }
    for page in &book.pages {
        put(&page.name, &staged(book, page)?.replace(LIST_MARK, &play.list(book.lang)))?;
        for picture in pictures(page) {
            let name = picture.strip_prefix(DOCS).unwrap_or(&picture);
            let copy = folder.join(name);
            fs::create_dir_all(copy.parent().unwrap_or(folder)).map_err(BookError::system(folder))?;
            fs::copy(root.join(&picture), &copy).map_err(BookError::system(&picture))?;
        }
    }
    Ok(())
}

/// The summary with the pages of codes and of algorithms.
fn summary(book: &BookSources, play: &PlayPages) -> String {
    let line = |line: &str| {
        let indent = |mark| line.trim_end().strip_suffix(mark);
        match (indent(CODES_MARK), indent(PAGES_MARK)) {
            (Some(indent), _) => code_pages::summary_rows(book.lang, indent),
            (_, Some(indent)) => play.summary_rows(book.lang, indent),
            _ => line.to_owned(),
        }
    };
    book.summary.split_inclusive('\n').map(line).collect()
}

/// The files of the pictures of a page, relative to the workspace.
fn pictures(page: &BookPage) -> Vec<PathBuf> {
    let picture = |event| match event {
        Event::Start(Tag::Image { dest_url, .. }) => resolved(page, &dest_url),
        _ => None,
    };
    events(&page.text).filter_map(|(event, _)| picture(event)).collect()
}

/// The file that a link of a page names, relative to the workspace.
fn resolved(page: &BookPage, link: &str) -> Option<PathBuf> {
    let path = link.split('#').next().unwrap_or_default();
    sources::normalized(&page.file.parent()?.join(path))
}

/// The page as mdBook reads it.
fn staged(book: &BookSources, page: &BookPage) -> Result<String> {
    let mut edits: Vec<(Range<usize>, String)> = vec![];
    let mut depth = 0;
    for (event, place) in events(&page.text) {
        match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                depth += 1;
                edits.extend(link_edit(book, page, &dest_url, place)?);
            }
            Event::End(TagEnd::Link | TagEnd::Image | TagEnd::Heading(_) | TagEnd::CodeBlock) => depth -= 1,
            Event::Start(Tag::Heading { .. } | Tag::CodeBlock(_)) => depth += 1,
            Event::Text(_) if depth == 0 => edits.extend(code_edits(page, place)),
            _ => {}
        }
    }
    let mut text = page.text.clone();
    edits.sort_by_key(|(place, _)| place.start);
    for (place, new) in edits.into_iter().rev() {
        text.replace_range(place, &new);
    }
    Ok(explicit_anchors(&text))
}

/// A link of the page, as the site needs it; nothing where it may stay as it is.
fn link_edit(
    book: &BookSources,
    page: &BookPage,
    link: &str,
    place: Range<usize>,
) -> Result<Option<(Range<usize>, String)>> {
    if link.starts_with('#') || link.contains("://") || link.starts_with("mailto:") {
        return Ok(None);
    }
    let line = line_of(&page.text, place.start);
    let leaves = || BookError::Link { page: page.file.clone(), line, link: link.to_owned() };
    let new = site_link(book, page, link).ok_or_else(leaves)?;
    let written = &page.text[place.clone()];
    let at = written.rfind(&format!("]({link}")).ok_or_else(leaves)? + 2;
    let start = place.start + at;
    Ok(Some((start..start + link.len(), new)))
}

/// The target of a link in the site; `None` where it is not part of it.
fn site_link(book: &BookSources, page: &BookPage, link: &str) -> Option<String> {
    let target = resolved(page, link)?;
    let anchor = link.find('#').map_or("", |at| &link[at..]);
    let up = "../".repeat(page.name.components().count() - 1);
    if target.starts_with("reports") {
        return Some(format!("{up}../{}{anchor}", target.with_extension("html").display()));
    }
    let is_page = target.extension().is_some_and(|extension| extension == "md");
    let inside = if is_page {
        book.pages.iter().find(|page| page.file == target)?.name.clone()
    } else {
        target.strip_prefix(DOCS).ok()?.to_owned()
    };
    Some(format!("{up}{}{anchor}", inside.display()))
}

/// The codes in a text as links to their pages.
fn code_edits(page: &BookPage, place: Range<usize>) -> Vec<(Range<usize>, String)> {
    let up = "../".repeat(page.name.components().count() - 1);
    let known = |code: &str| Code::parse(code).is_some();
    let link = |(at, code): (usize, &str)| {
        let start = place.start + at;
        (start..start + code.len(), format!("[{code}]({up}{})", code_pages::name(code).display()))
    };
    codes_in(&page.text[place.clone()]).filter(|(_, code)| known(code)).map(link).collect()
}

#[cfg(test)]
mod tests {
    use wb_messages::Lang;

    use super::*;

    fn page(file: &str, text: &str) -> BookPage {
        let name = file.strip_prefix("docs/ru/").or_else(|| file.strip_prefix("docs/")).expect("a document");
        BookPage { name: name.into(), file: file.into(), text: text.to_owned() }
    }

    fn russian(text: &str) -> BookSources {
        let pages = vec![
            page("docs/ru/a.md", text),
            page("docs/ru/b/c.md", text),
            page("docs/ru/adr/1.md", "# Один\n\n[A](../a.md)\n"),
        ];
        BookSources { lang: Lang::Ru, summary: String::new(), pages }
    }

    #[test]
    fn links_are_written_anew_for_the_site() {
        let text = "[c](b/c.md#x), [one](adr/1.md), ![p](../images/p.png), [r](../../reports/barriers/report.ru.md), <https://a.b>\n";
        let book = russian(text);
        let expected = "[c](b/c.md#x), [one](adr/1.md), ![p](images/p.png), [r](../reports/barriers/report.ru.html), <https://a.b>\n";
        assert_eq!(staged(&book, &book.pages[0]).expect("links"), expected);
        assert!(staged(&book, &book.pages[1]).is_err(), "docs/ru/b/b/c.md is not a page");
        assert_eq!(staged(&book, &book.pages[2]).expect("links"), book.pages[2].text);
    }

    #[test]
    fn canary_a_link_out_of_the_book_is_an_error_with_its_line() {
        for link in ["nowhere.md", "../a.md", "../adr/1.md", "../../README.md", "../../../x.md"] {
            let book = russian(&format!("# А\n\n[x]({link})\n"));
            let error = staged(&book, &book.pages[0]).expect_err(link);
            assert_eq!(error.to_string(), format!("docs/ru/a.md, line 3: {link}"));
        }
    }

    #[test]
    fn codes_become_links_outside_of_code_and_links() {
        let book = russian("WB0020 `WB0020` [WB0020](#x) WB9999\n\n```text\nWB0020\n```\n");
        let staged = staged(&book, &book.pages[0]).expect("links");
        assert_eq!(
            staged,
            "[WB0020](codes/WB0020.md) `WB0020` [WB0020](#x) WB9999\n\n```text\nWB0020\n```\n"
        );
    }

    #[test]
    fn the_summary_has_the_pages_of_codes() {
        let mut book = russian("");
        book.summary = "- [А](a.md)\n  <!-- codes -->\n- [Один](adr/1.md)\n".to_owned();
        let summary = summary(&book, &PlayPages::default());
        assert!(summary.starts_with("- [А](a.md)\n  - [WB0001: "), "{summary}");
        assert!(summary.ends_with("- [Один](adr/1.md)\n"), "{summary}");
        assert_eq!(summary.lines().count(), Code::ALL.len() + 2);
    }
}
