//! The pages: the list of pairs, and both texts of a pair side by side. They need no network and no script.

use std::collections::BTreeMap;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use wb_course::source::{
    SourceFile,
    similarity::{self, GRAM, MIN_FINGERPRINTS, MatchedRegion, THRESHOLD, WINDOW},
};
use wb_messages::{Lang, similar as text};
use wb_report::document::{Document, Inline, Medium};

use super::{Pair, part_title, percent, solutions::Solution};

const STYLE: &str = "\
:root{color-scheme:light dark;--mark:#ffe08a;--line:#888}\
@media(prefers-color-scheme:dark){:root{--mark:#5c4a00}body{background:#1a2029;color:#e4e8ee}a{color:#7fb0ff}}\
body{font:16px/1.5 system-ui,sans-serif;margin:1rem;max-width:120rem}\
table{border-collapse:collapse}tbody th{font-weight:400}td,th{border:1px solid var(--line);padding:.3rem .6rem;text-align:left}\
.sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,34rem),1fr));gap:1rem}\
.side,.scroll{overflow-x:auto}.side{min-width:0}pre{margin:0;font:13px/1.4 ui-monospace,monospace;tab-size:4}\
.shared{background:var(--mark)}.number{color:inherit;opacity:.6;text-decoration:none;user-select:none}\
a.number{opacity:1;text-decoration:underline}\
:target{outline:2px solid currentColor}\
@media print{.sides{grid-template-columns:1fr 1fr}}";

/// The lines of one side that are shared, each with a link to the other side.
type Links = BTreeMap<(usize, u32), String>;

pub(super) fn list_name(lang: Lang) -> String {
    format!("index.{}.html", lang.code())
}

pub(super) fn pair_name(number: usize, lang: Lang) -> String {
    format!("pair-{number}.{}.html", lang.code())
}

fn document(lang: Lang, title: &str, other_language: &str, content: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang=(lang.code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { main {
                p { a href=(other_language) lang=(lang.other().code()) { (text::other_language(lang)) } }
                h1 { (title) }
                (content)
            } }
        }
    };
    page.into_string()
}

pub(super) fn list(pairs: &[Pair<'_>], lang: Lang) -> String {
    let threshold = percent(THRESHOLD);
    let mut list = Document::new(Medium::Page);
    list.paragraph(text::note(lang));
    list.paragraph(text::method(lang, GRAM, WINDOW, &threshold, MIN_FINGERPRINTS));
    list.table(super::table(pairs, true, lang));
    document(lang, &text::title(lang), &list_name(lang.other()), &list.to_markup())
}

/// The score of a pair as the link to its page.
pub(super) fn link(number: usize, score: &str, lang: Lang) -> Inline {
    html! { a href=(pair_name(number, lang)) { (score) } }.into()
}

/// Both texts of a pair.
pub(super) fn pair(pair: &Pair<'_>, number: usize, lang: Lang) -> String {
    let left = pair.left.part_beside(pair.right, pair.part);
    let right = pair.right.part_beside(pair.left, pair.part);
    let regions = similarity::matched_regions(left, right, &pair.similarity);
    let (left_links, right_links) = links(&regions);
    let title = format!("{} % {}", pair.percent(), part_title(pair.part));
    let content = html! {
        p { a href=(list_name(lang)) { (text::back(lang)) } " · " (pair.state(lang)) }
        p { (text::note(lang)) }
        p { span class="shared" { (text::shared_line(lang)) } }
        div class="sides" {
            (side(pair.left, "l", &left_links))
            (side(pair.right, "r", &right_links))
        }
    };
    document(lang, &title, &pair_name(number, lang.other()), &content)
}

/// For each shared line of either side the place on the other side.
fn links(regions: &[MatchedRegion]) -> (Links, Links) {
    let (mut left, mut right) = (Links::new(), Links::new());
    for region in regions {
        let Some((file, line)) = region.right_lines.first() else { continue };
        for own in region.left_lines.0..=region.left_lines.1 {
            left.insert((region.left_file, own), anchor("r", *file, *line));
        }
        for place in &region.right_lines {
            right.entry(*place).or_insert_with(|| anchor("l", region.left_file, region.left_lines.0));
        }
    }
    (left, right)
}

fn anchor(side: &str, file: usize, line: u32) -> String {
    format!("{side}{file}-{line}")
}

/// The files of one solution that have shared lines.
fn side(solution: &Solution, side: &str, links: &Links) -> Markup {
    let has_links = |index: &usize| links.keys().any(|(file, _)| file == index);
    let files = solution.files.iter().enumerate().filter(|(index, _)| has_links(index));
    html! {
        div class="side" {
            h2 { (visible(&solution.name)) }
            @for (index, file) in files {
                h3 { (visible(&file.path)) }
                pre { (lines(file, index, side, links)) }
            }
        }
    }
}

fn lines(file: &SourceFile, index: usize, side: &str, links: &Links) -> Markup {
    html! {
        @for (number, line) in (1_u32..).zip(file.text.lines()) {
            @match links.get(&(index, number)) {
                Some(target) => span class="shared" id=(anchor(side, index, number)) {
                    a class="number" href=(format!("#{target}")) { (format!("{number:>4}")) }
                    " " (visible(line)) "\n"
                },
                None => span { span class="number" { (format!("{number:>4}")) } " " (visible(line)) "\n" },
            }
        }
    }
}

/// The text with a mark for each character that is not visible: direction marks must not reorder a page.
pub(super) fn visible(text: &str) -> String {
    let shown =
        |c: char| if c != '\t' && (c.is_control() || wb_text::escape::is_hidden(c)) { '\u{fffd}' } else { c };
    text.chars().map(shown).collect()
}
