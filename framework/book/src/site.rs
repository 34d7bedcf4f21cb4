//! The site: the book in both languages, the reports, and a first page.
use std::{
    fs,
    path::{Path, PathBuf},
    str::FromStr,
};

use mdbook_driver::{MDBook, config::Config};
use wb_messages::{Lang, book as text};

use crate::{
    error::{BookError, Result},
    play::PlayPages,
    site_links,
    sources::{BookPage, BookSources},
    staging,
};

/// The file by which the site knows that its folders may be replaced.
const MARK: &str = ".made-by-cargo-wb-book";

/// The place in mdBook's pages before which the link to the other language comes.
const BUTTONS: &str = "<div class=\"right-buttons\">";

/// Links that are readable in all themes, and differ from text in more than the colour.
const LINK_STYLE: &str = "<style>html:is(.coal,.navy,.ayu){--links:#69b3e0;--sidebar-active:#69b3e0}.content main a:not(.header){text-decoration:underline}</style>";

/// Builds the site of the workspace at `root` in `out`; its first page. `reports` is a folder of pages that are published as they are:
/// rendered by our own programs, and not the folder of a repository.
///
/// # Errors
/// When a file cannot be read or written, a link leads nowhere, a report loads a file from elsewhere, or `out` has folders that
/// are not ours.
pub fn build(root: &Path, reports: &Path, out: &Path) -> Result<PathBuf> {
    build_with(&PlayPages::new(root)?, root, reports, out)
}

/// As [`build`], with pages of algorithms that are there already.
///
/// # Errors
/// See [`build`].
pub fn build_with(play: &PlayPages, root: &Path, reports: &Path, out: &Path) -> Result<PathBuf> {
    let books = Lang::ALL.map(|lang| BookSources::read(root, lang));
    let books = books.into_iter().collect::<Result<Vec<_>>>()?;
    clear(out)?;
    for book in &books {
        render(root, book, play, out)?;
    }
    copy_reports(reports, &out.join("reports"))?;
    let first = out.join("index.html");
    fs::write(&first, first_page(out)).map_err(BookError::system(&first))?;
    let mut links = site_links::broken(out, &["en", "ru", "index.html"])?;
    links.extend(site_links::broken_resources(out, "reports")?);
    if links.is_empty() { Ok(first) } else { Err(BookError::BrokenLinks { links }) }
}

/// Removes the folders of an earlier site; those of other programs are an error.
fn clear(out: &Path) -> Result<()> {
    let is_ours = out.join(MARK).is_file();
    for name in ["en", "ru", "reports"] {
        let folder = out.join(name);
        if folder.exists() && !is_ours {
            return Err(BookError::Foreign { folder });
        }
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(BookError::system(&folder))?;
        }
    }
    fs::create_dir_all(out).map_err(BookError::system(out))?;
    fs::write(out.join(MARK), "").map_err(BookError::system(out))
}

/// Renders the book of one language.
fn render(root: &Path, book: &BookSources, play: &PlayPages, out: &Path) -> Result<()> {
    let staged = tempfile::tempdir().map_err(BookError::system(out))?;
    staging::write(root, book, play, &staged.path().join("src"))?;
    let out = std::path::absolute(out.join(book.lang.code())).map_err(BookError::system(out))?;
    let refused = |error: mdbook_driver::errors::Error| BookError::Renderer { reason: format!("{error:#}") };
    let config = Config::from_str(&settings(book.lang)).map_err(refused)?;
    let mut rendered = MDBook::load_with_config(staged.path(), config).map_err(refused)?;
    rendered.config.build.build_dir = out.clone();
    rendered.build().map_err(refused)?;
    for page in &book.pages {
        finish(&out, page.name.with_extension("html"), book.lang)?;
    }
    let codes = wb_comm::Code::ALL.iter().map(|code| crate::code_pages::name(&code.to_string()));
    for page in codes.chain(play.names()) {
        finish(&out, page.with_extension("html"), book.lang)?;
    }
    let first = book.pages.first().map(|page: &BookPage| page.name.with_extension("html"));
    match first.filter(|name| name != Path::new("index.html")) {
        Some(_) => finish(&out, PathBuf::from("index.html"), book.lang),
        None => Ok(()),
    }
}

/// The settings of mdBook: nothing that asks another computer.
fn settings(lang: Lang) -> String {
    let (title, language) = (text::title(lang), lang.code());
    format!(
        "[book]\ntitle = \"{title}\"\nlanguage = \"{language}\"\n\
         [output.html]\nno-section-label = true\nhash-files = false\ninput-404 = \"\"\n\
         [output.html.playground]\nrunnable = false\ncopy-js = false\n\
         [output.html.print]\nenable = false\n\
         [output.html.search]\nenable = false\n\
         [output.html.fold]\nenable = true\nlevel = 0\n"
    )
}

/// Adds the link to the same page in the other language, translates what mdBook writes, and makes it accessible.
fn finish(out: &Path, name: PathBuf, lang: Lang) -> Result<()> {
    let file = out.join(&name);
    let html = fs::read_to_string(&file).map_err(BookError::system(&file))?;
    let up = "../".repeat(name.components().count());
    let target = format!("{up}{}/{}", lang.other().code(), name.display());
    let html = with_switch(&translated(&html, lang), &target, lang)
        .ok_or_else(|| BookError::Renderer { reason: format!("{}: {BUTTONS}", name.display()) })?;
    let html = ACCESSIBLE.iter().fold(html, |html, (written, needed)| html.replace(written, needed));
    let html = html.replacen("</head>", &format!("{LINK_STYLE}</head>"), 1);
    fs::write(&file, html).map_err(BookError::system(&file))
}

fn with_switch(html: &str, target: &str, lang: Lang) -> Option<String> {
    let (before, after) = html.split_once(BUTTONS)?;
    let (label, title) = (text::other_language(lang), text::other_language_title(lang));
    let language = lang.other().code();
    let link = format!("<a href=\"{target}\" hreflang=\"{language}\" title=\"{title}\">{label}</a>");
    Some(format!("{before}{BUTTONS}\n{link}{after}"))
}

/// What mdBook writes, and what a reader without a mouse or a screen needs in its place: blocks of code and wide tables take the focus, so that
/// keys scroll them; the bar of the menu is a landmark, and its label a button; a cell without a text is not a heading.
const ACCESSIBLE: [(&str, &str); 6] = [
    ("<code class=\"language-", "<code tabindex=\"0\" class=\"language-"),
    ("<div class=\"table-wrapper\">", "<div class=\"table-wrapper\" tabindex=\"0\">"),
    ("<div id=\"mdbook-menu-bar\"", "<div role=\"banner\" id=\"mdbook-menu-bar\""),
    (
        "<label id=\"mdbook-sidebar-toggle\" class=\"icon-button\" for=\"mdbook-sidebar-toggle-anchor\"",
        "<button type=\"button\" onclick=\"sidebar_toggle.click()\" id=\"mdbook-sidebar-toggle\" class=\"icon-button\"",
    ),
    ("</label>", "</button>"),
    ("<th></th>", "<td></td>"),
];

/// A text of the interface.
type Words = fn(Lang) -> String;

/// What mdBook writes into attributes of every page.
const ATTRIBUTES: [Words; 7] = [
    text::toggle_contents,
    text::change_theme,
    text::next_chapter,
    text::previous_chapter,
    text::table_of_contents,
    text::themes,
    text::page_navigation,
];

/// What mdBook writes between the tags of every page.
const CONTENTS: [Words; 11] = [
    text::keyboard_shortcuts,
    text::navigate_keys,
    text::help_key,
    text::hide_key,
    text::theme_auto,
    text::theme_light,
    text::theme_rust,
    text::theme_coal,
    text::theme_navy,
    text::theme_ayu,
    text::title,
];

/// The page with the interface in the reader's language.
fn translated(html: &str, lang: Lang) -> String {
    let replace = |html: String, words: Words, [open, close]: [char; 2]| {
        let enclosed = |lang| format!("{open}{}{close}", words(lang));
        html.replace(&enclosed(Lang::En), &enclosed(lang))
    };
    let html = ATTRIBUTES.iter().fold(html.to_owned(), |html, words| replace(html, *words, ['"', '"']));
    CONTENTS.iter().fold(html, |html, words| replace(html, *words, ['>', '<']))
}

/// Copies the reports, folder by folder.
fn copy_reports(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).map_err(BookError::system(to))?;
    for entry in fs::read_dir(from).map_err(BookError::system(from))? {
        let entry = entry.map_err(BookError::system(from))?;
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        match path.is_dir() {
            true => copy_reports(&path, &copy)?,
            false => drop(fs::copy(&path, &copy).map_err(BookError::system(&path))?),
        }
    }
    Ok(())
}

/// The first page: both languages of the book, and what else the site has.
fn first_page(out: &Path) -> String {
    let item = |lang: Lang, path: &str, words: fn(Lang) -> String| {
        let there = out.join(path).is_file();
        there.then(|| format!("<li><a href=\"{path}\" lang=\"{}\">{}</a></li>\n", lang.code(), words(lang)))
    };
    let items: String = [
        item(Lang::En, "en/index.html", text::site_book),
        item(Lang::Ru, "ru/index.html", text::site_book),
        item(Lang::En, "reports/index.html", text::site_reports),
        item(Lang::Ru, "reports/index.ru.html", text::site_reports),
        item(Lang::En, "scoreboard/index.html", text::site_scoreboard),
        item(Lang::Ru, "scoreboard/index.ru.html", text::site_scoreboard),
    ]
    .into_iter()
    .flatten()
    .collect();
    let [english, russian] = [Lang::En, Lang::Ru].map(text::title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{english}</title>\n\
         <style>:root {{ color-scheme: light dark; }} body {{ font: 1.1rem/1.6 sans-serif; max-width: 40rem; \
         margin: 3rem auto; padding: 0 1rem; }} \
         @media (prefers-color-scheme: dark) {{ body {{ background: #1a2029; color: #e4e8ee; }} a {{ color: #7fb0ff; }} }}</style>\n</head>\n<body>\n<main>\n<h1>{english}</h1>\n\
         <p lang=\"ru\">{russian}</p>\n<ul>\n{items}</ul>\n</main>\n</body>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_other_programs_are_left_as_they_are() {
        let out = tempfile::tempdir().expect("a folder");
        fs::create_dir(out.path().join("ru")).expect("made");
        assert!(matches!(clear(out.path()), Err(BookError::Foreign { .. })));
        assert!(out.path().join("ru").is_dir());
        fs::write(out.path().join(MARK), "").expect("written");
        clear(out.path()).expect("ours");
        assert!(!out.path().join("ru").exists());
    }

    #[test]
    fn the_link_to_the_other_language_is_before_the_buttons_and_a_page_without_them_is_refused() {
        let html = format!("<p>{BUTTONS}</p>");
        let switched = with_switch(&html, "../ru/a.html", Lang::En).expect("buttons");
        assert!(switched.contains("<a href=\"../ru/a.html\" hreflang=\"ru\""), "{switched}");
        assert_eq!(with_switch("<p>", "../ru/a.html", Lang::En), None);
    }

    #[test]
    fn the_first_page_names_what_is_there() {
        let out = tempfile::tempdir().expect("a folder");
        assert!(!first_page(out.path()).contains("<li>"));
        fs::create_dir(out.path().join("ru")).expect("made");
        fs::write(out.path().join("ru/index.html"), "").expect("written");
        assert_eq!(first_page(out.path()).matches("<li>").count(), 1);
    }
}
