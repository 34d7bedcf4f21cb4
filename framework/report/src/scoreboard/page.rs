//! The frame of every page: one file with its style and script inside, and a policy that forbids everything else.

use base64::{Engine, engine::general_purpose::STANDARD};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};
use wb_messages::{Lang, scoreboard as text};

use crate::scoreboard::{context::PageContext, file::ScoreboardFile, links::file};

const STYLE: &str = include_str!("style.css");
const THEME_SCRIPT: &str = include_str!("theme.js");

/// One page of a scoreboard.
pub(crate) struct Page<'a> {
    /// The title of the page, before that of the course.
    pub(crate) title: &'a str,
    /// The path without language and ending: `index`, `students/ivanov_i`.
    pub(crate) stem: &'a str,
    /// The script of this page alone.
    pub(crate) script: Option<&'static str>,
    pub(crate) body: Markup,
}

impl Page<'_> {
    pub(crate) fn render(&self, context: &PageContext<'_>) -> ScoreboardFile {
        let lang = context.lang;
        let course = wb_text::escape::line(context.board.title.in_language(lang)).into_owned();
        let scripts: Vec<&str> = [THEME_SCRIPT].into_iter().chain(self.script).collect();
        let markup = html! {
            (DOCTYPE)
            html lang=(lang.code()) {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(policy(&scripts));
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="referrer" content="no-referrer";
                    meta name="robots" content="noindex";
                    title { (self.title) " · " (course) }
                    style { (PreEscaped(STYLE)) }
                    script { (PreEscaped(THEME_SCRIPT)) }
                }
                body {
                    (self.header(context, &course))
                    main #main { (self.body) }
                    (footer(context, self.root()))
                    @if let Some(script) = self.script { script { (PreEscaped(script)) } }
                }
            }
        };
        ScoreboardFile { path: file(self.stem, lang), text: markup.into_string() }
    }

    /// The way from this page to the folder of the scoreboard.
    fn root(&self) -> &'static str {
        if self.stem.contains('/') { "../" } else { "" }
    }

    fn header(&self, context: &PageContext<'_>, course: &str) -> Markup {
        let lang = context.lang;
        let other = lang.other();
        let own_name = self.stem.rsplit('/').next().unwrap_or_default();
        html! {
            @if context.board.synthetic { aside.synthetic { (text::synthetic(lang)) } }
            header.top {
                a.skip href="#main" { (text::skip(lang)) }
                p.course { (course) }
                nav aria-label=(text::pages_label(lang)) {
                    (self.tab(lang, "index", &text::students(lang)))
                    (self.tab(lang, "class", &text::class(lang)))
                    span.gap {}
                    a href=(file(own_name, other)) lang=(other.code()) hreflang=(other.code()) { (text::other_language(lang)) }
                    button #theme type="button" hidden data-auto=(text::theme_auto(lang))
                        data-light=(text::theme_light(lang)) data-dark=(text::theme_dark(lang)) { (text::theme(lang)) }
                }
            }
        }
    }

    fn tab(&self, lang: Lang, stem: &str, label: &str) -> Markup {
        let current = (self.stem == stem).then_some("page");
        html! { a href={ (self.root()) (file(stem, lang)) } aria-current=[current] { (label) } }
    }
}

fn footer(context: &PageContext<'_>, root: &str) -> Markup {
    let (lang, board) = (context.lang, context.board);
    let visibility = if context.is_private() { text::private(lang) } else { text::public(lang) };
    html! {
        footer {
            p { (text::computed(lang, context.moment(board.at), &board.time_zone)) " · " (visibility) }
            p { (text::data(lang)) ": " a href={ (root) "scoreboard.json" } { (text::data_json(lang)) }
                " · " a href={ (root) "grades.csv" } { (text::data_csv(lang)) } }
        }
    }
}

/// The content security policy: only the style and the scripts of the page itself, no image, no font, no frame, no request.
fn policy(scripts: &[&str]) -> String {
    let hashes: Vec<String> = scripts.iter().map(|script| source_hash(script)).collect();
    format!(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
        source_hash(STYLE),
        hashes.join(" ")
    )
}

fn source_hash(source: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(source.as_bytes())))
}
