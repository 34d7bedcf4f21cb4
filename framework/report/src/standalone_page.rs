//! The frame of every page: one file with its style inside.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use wb_messages::Lang;

const STYLE: &str = include_str!("html/style.css");

/// A page in one file; `style` is added to the style of all pages.
pub fn standalone_page(lang: Lang, title: &str, style: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang=(lang.code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(style)) }
            }
            body { (body) }
        }
    };
    page.into_string()
}
