//! Follows the links of the rendered site: every page, file and anchor must be there, and nothing is loaded from elsewhere.
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use html5ever::{
    buffer_queue::BufferQueue,
    tendril::StrTendril,
    tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts},
};

use crate::{
    error::{BookError, Result},
    sources::normalized,
};

/// What a page of the site contains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageLinks {
    /// The anchors.
    pub anchors: BTreeSet<String>,
    /// The targets that a reader follows.
    pub links: Vec<String>,
    /// The files that the page loads: pictures, scripts, styles, frames.
    pub resources: Vec<String>,
}

#[derive(Default)]
struct LinkSink(RefCell<PageLinks>);

impl TokenSink for LinkSink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        if let Token::TagToken(tag) = token
            && tag.kind == TagKind::StartTag
        {
            self.0.borrow_mut().add(&tag);
        }
        TokenSinkResult::Continue
    }
}

impl PageLinks {
    /// The links of a page in HTML.
    pub fn new(html: &str) -> Self {
        let tokens = Tokenizer::new(LinkSink::default(), TokenizerOpts::default());
        let input = BufferQueue::default();
        input.push_back(StrTendril::from(html));
        let _ = tokens.feed(&input);
        tokens.end();
        tokens.sink.0.take()
    }

    fn add(&mut self, tag: &Tag) {
        for attribute in &tag.attrs {
            let value = attribute.value.to_string();
            match (tag.name.as_ref(), attribute.name.local.as_ref()) {
                (_, "id") | ("a", "name") => {
                    self.anchors.insert(value);
                }
                ("a", "href") => self.links.push(value),
                (_, "href" | "src" | "srcset" | "poster") => self.resources.push(value),
                _ => {}
            }
        }
    }
}

/// Every link of the pages in `folders` of `site` that leads nowhere: `en/a.html: b.html#c`.
///
/// # Errors
/// When a file cannot be read.
pub fn broken(site: &Path, folders: &[&str]) -> Result<Vec<String>> {
    let mut pages = BTreeMap::new();
    let mut found = vec![];
    let files =
        folders.iter().map(|folder| html_files(site, Path::new(folder))).collect::<Result<Vec<_>>>()?;
    for file in files.into_iter().flatten() {
        let links = read(site, &file, &mut pages)?.clone();
        for link in links.links.iter().chain(&links.resources) {
            let is_resource = links.resources.contains(link);
            if !leads_somewhere(site, &file, link, is_resource, &mut pages)? {
                found.push(format!("{}: {link}", file.display()));
            }
        }
    }
    Ok(found)
}

/// Every file that the pages in `folder` of `site` load and that is not there, or is elsewhere.
///
/// # Errors
/// When a file cannot be read.
pub fn broken_resources(site: &Path, folder: &str) -> Result<Vec<String>> {
    let mut pages = BTreeMap::new();
    let mut found = vec![];
    for file in html_files(site, Path::new(folder))? {
        for resource in &read(site, &file, &mut pages)?.resources.clone() {
            if !leads_somewhere(site, &file, resource, true, &mut pages)? {
                found.push(format!("{}: {resource}", file.display()));
            }
        }
    }
    Ok(found)
}

fn leads_somewhere(
    site: &Path,
    page: &Path,
    link: &str,
    is_resource: bool,
    pages: &mut BTreeMap<PathBuf, PageLinks>,
) -> Result<bool> {
    if link.starts_with("data:") {
        return Ok(is_resource);
    }
    if link.contains("://") || link.starts_with("//") || link.starts_with("mailto:") {
        return Ok(!is_resource);
    }
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let folder = page.parent().unwrap_or(Path::new(""));
    let target = if path.is_empty() { Some(page.to_owned()) } else { normalized(&folder.join(path)) };
    let Some(target) = target.filter(|target| site.join(target).is_file()) else { return Ok(false) };
    let is_page = target.extension().is_some_and(|extension| extension == "html");
    Ok(anchor.is_empty() || is_page && read(site, &target, pages)?.anchors.contains(anchor))
}

fn read<'a>(site: &Path, file: &Path, pages: &'a mut BTreeMap<PathBuf, PageLinks>) -> Result<&'a PageLinks> {
    if !pages.contains_key(file) {
        let text = fs::read_to_string(site.join(file)).map_err(BookError::system(file))?;
        pages.insert(file.to_owned(), PageLinks::new(&text));
    }
    Ok(&pages[file])
}

/// The pages below a folder, or the page itself, relative to the site.
fn html_files(site: &Path, path: &Path) -> Result<Vec<PathBuf>> {
    if site.join(path).is_file() {
        let is_page = path.extension().is_some_and(|extension| extension == "html");
        return Ok(if is_page { vec![path.to_owned()] } else { vec![] });
    }
    let mut found = vec![];
    for entry in fs::read_dir(site.join(path)).map_err(BookError::system(path))? {
        let entry = entry.map_err(BookError::system(path))?;
        found.extend(html_files(site, &path.join(entry.file_name()))?);
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_anchors_and_resources_are_found() {
        let html =
            "<h1 id=a>x</h1><a href='b.html#c'>y</a><img src=p.png><!-- <a href=no> --><link href=s.css>";
        let links = PageLinks::new(html);
        assert_eq!(links.links, ["b.html#c"]);
        assert_eq!(links.resources, ["p.png", "s.css"]);
        assert!(links.anchors.contains("a"));
    }

    #[test]
    fn canary_links_that_lead_nowhere_and_files_from_elsewhere_are_found() {
        let site = tempfile::tempdir().expect("a folder");
        fs::create_dir(site.path().join("en")).expect("made");
        fs::write(site.path().join("index.html"), "<p id=top>").expect("written");
        let good =
            "<a href='#b' id=b></a><a href=../index.html#top></a><a href=https://a.b></a><img src=data:,x>";
        fs::write(site.path().join("en/a.html"), good).expect("written");
        assert_eq!(broken(site.path(), &["en"]).expect("read"), [""; 0]);
        let bad = ["#c", "b.html", "../index.html#no", "../../x", "/x.html", "data:,x"];
        let resources = ["https://a.b/x.js", "//a.b/x.js", "no.css"];
        let links = bad.map(|link| format!("<a href='{link}'></a>")).concat()
            + &resources.map(|link| format!("<script src='{link}'></script>")).concat();
        fs::write(site.path().join("en/a.html"), links).expect("written");
        let found = broken(site.path(), &["en"]).expect("read");
        let expected: Vec<_> =
            bad.iter().chain(&resources).map(|link| format!("en/a.html: {link}")).collect();
        assert_eq!(found, expected);
        let found = broken_resources(site.path(), "en").expect("read");
        assert_eq!(found, expected[bad.len()..], "links to other pages are not resources");
    }
}
