//! The documents of this workspace: both languages have the same pages with the same outline, and every link of the site leads
//! somewhere.
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

use wb_book::{
    outline::PageOutline,
    parity,
    play::PlayPages,
    site,
    site_links::PageLinks,
    sources::{self, BookSources},
};
use wb_messages::Lang;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("framework/book lies in the workspace")
}

fn books() -> [BookSources; 2] {
    Lang::ALL.map(|lang| BookSources::read(root(), lang).unwrap_or_else(|error| panic!("{error}")))
}

fn names(book: &BookSources) -> Vec<PathBuf> {
    book.pages.iter().map(|page| page.name.clone()).collect()
}

#[test]
fn both_languages_have_the_same_pages_in_the_same_order() {
    let [english, russian] = books();
    assert!(english.pages.len() > 20, "the search is broken: {:?}", names(&english));
    assert_eq!(names(&english), names(&russian), "docs/SUMMARY.md and docs/ru/SUMMARY.md");
}

/// The documents below a folder without the table of contents and the list of open work, relative to the workspace.
fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(root().join(folder)).expect("the documents are there") {
        let path = folder.join(entry.expect("the documents can be read").file_name());
        if root().join(&path).is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") && !path.ends_with("SUMMARY.md")
        {
            found.insert(path);
        }
    }
    found
}

#[test]
fn every_document_is_a_page_of_the_book() {
    let listed = books().iter().flat_map(|book| book.pages.iter().map(|page| page.file.clone())).collect();
    let all = files(Path::new(sources::DOCS));
    let missing: Vec<_> = all.difference(&listed).collect();
    assert!(missing.is_empty(), "name them in docs/SUMMARY.md or docs/ru/SUMMARY.md: {missing:?}");
}

#[test]
fn both_languages_of_a_page_have_the_same_outline() {
    let [english, russian] = books();
    let mut found = vec![];
    for page in &russian.pages {
        let original = english.page(&page.name).expect("the pages are the same");
        let [ours, theirs] = [original, page].map(|page| PageOutline::new(&page.text));
        let differences = parity::differences(&ours, &theirs);
        let (file, original) = (page.file.display(), original.file.display());
        found.extend(differences.iter().map(|text| format!("{file} (of {original}): {text}")));
    }
    assert!(found.is_empty(), "the languages differ:\n  {}", found.join("\n  "));
}

/// The pages of algorithms, made once for all books.
static PLAY: LazyLock<PlayPages> =
    LazyLock::new(|| PlayPages::new(root()).unwrap_or_else(|error| panic!("{error}")));

/// Rendered reports: those of the barriers, which the documents link.
fn barrier_report(page: &str) -> tempfile::TempDir {
    let reports = tempfile::tempdir().expect("a folder");
    fs::create_dir(reports.path().join("barriers")).expect("made");
    for name in ["report.html", "report.ru.html"] {
        fs::write(reports.path().join("barriers").join(name), page).expect("written");
    }
    reports
}

#[test]
fn canary_a_report_that_loads_a_file_from_elsewhere_is_refused() {
    let reports = barrier_report("<!DOCTYPE html><img src=https://example.org/x.png>");
    let out = tempfile::tempdir().expect("a folder");
    let refused =
        site::build_with(&PLAY, root(), reports.path(), out.path()).expect_err("it loads a picture");
    let names = "reports/barriers/report.html: https://example.org/x.png";
    assert!(refused.to_string().contains(names), "{refused}");
}

#[test]
fn a_language_without_a_book_is_a_wrong_command_line() {
    let out = tempfile::tempdir().expect("a folder");
    let site = out.path().join("site");
    let program = Command::new(env!("CARGO_BIN_EXE_wb-book"))
        .args([root(), out.path(), &site, Path::new("fr")])
        .output()
        .expect("it starts");
    assert_eq!(program.status.code(), Some(2), "{program:?}");
    assert!(String::from_utf8_lossy(&program.stderr).contains("en|ru") && !site.exists(), "{program:?}");
}

#[test]
fn the_site_is_built_its_links_lead_somewhere_and_its_languages_have_the_same_anchors() {
    let out = tempfile::tempdir().expect("a folder");
    let reports = barrier_report("<!DOCTYPE html><p>barriers");
    let first = site::build_with(&PLAY, root(), reports.path(), out.path())
        .unwrap_or_else(|error| panic!("{}", error.render(Lang::En)));
    assert!(fs::read_to_string(first).expect("a page").contains("ru/index.html"));
    let [english, russian] = books();
    for (page, translated) in english.pages.iter().zip(&russian.pages) {
        let name = page.name.with_extension("html");
        let [ours, theirs] = ["en", "ru"]
            .map(|lang| fs::read_to_string(out.path().join(lang).join(&name)).expect("a page of the site"));
        assert!(ours.contains(&format!("ru/{}\" hreflang=\"ru\"", name.display())), "{}", name.display());
        assert!(theirs.contains(&format!("en/{}\" hreflang=\"en\"", name.display())), "{}", name.display());
        let [ours, theirs] = [(&ours, page), (&theirs, translated)].map(|(html, page)| {
            let anchors = PageLinks::new(html).anchors;
            let titles =
                PageOutline::new(&page.text).headings.into_iter().filter(|heading| heading.level > 1);
            titles
                .filter_map(|heading| heading.anchor)
                .filter(|anchor| !anchors.contains(anchor))
                .collect::<Vec<_>>()
        });
        assert_eq!((ours, theirs), (vec![], vec![]), "anchors that {} lacks", name.display());
    }
    // A code in a text is a link to its page, in both languages.
    let page = fs::read_to_string(out.path().join("ru/checker.html")).expect("a page of the site");
    assert!(page.contains("href=\"codes/WB0021.html\""));
    // What mdBook writes is Russian in the Russian book.
    assert!(!page.contains("Keyboard shortcuts") && page.contains("Сочетания клавиш"));
    assert!(!page.contains("Toggle Table of Contents") && !page.contains(">Auto<"));
}
