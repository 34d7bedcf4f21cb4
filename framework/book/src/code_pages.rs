//! The pages of codes, made from the texts of `cargo wb explain`.
use std::path::PathBuf;

use wb_comm::Code;
use wb_messages::{
    Lang,
    pages::{self, Page},
};

/// The name of the page of a code.
pub fn name(code: &str) -> PathBuf {
    PathBuf::from(format!("codes/{code}.md"))
}

/// The page of a code in Markdown.
pub fn page(code: Code, lang: Lang) -> String {
    let Page { title, what, picture, wrong, right, hint } = pages::page(code);
    let (title, what, hint) = (title.in_language(lang), what.in_language(lang), hint.in_language(lang));
    let part =
        |heading: String, anchor: &str, body: String| format!("## {heading} {{#{anchor}}}\n\n{body}\n\n");
    let block = |kind: &str, text: &str| format!("```{kind}\n{text}\n```");
    [
        format!("# {code}: {}\n\n{}\n\n", escaped(title), escaped(what)),
        part(pages::heading_picture(lang), "picture", block("text", picture.in_language(lang))),
        part(pages::heading_wrong(lang), "wrong", block("rust,ignore", wrong)),
        part(pages::heading_right(lang), "right", block("rust,ignore", right)),
        part(pages::heading_hint(lang), "hint", escaped(hint)),
    ]
    .concat()
}

/// The rows of a summary for all codes, below a row that is indented by `indent`.
pub fn summary_rows(lang: Lang, indent: &str) -> String {
    let row = |code: &Code| {
        let title = escaped(pages::page(*code).title.in_language(lang));
        format!("{indent}- [{code}: {title}]({})\n", name(&code.to_string()).display())
    };
    Code::ALL.iter().map(row).collect()
}

/// A text in which Markdown finds no markup.
pub(crate) fn escaped(text: &str) -> String {
    let is_markup = |c| matches!(c, '*' | '_' | '<' | '>' | '[' | ']' | '`' | '|' | '\\' | '#');
    text.chars().flat_map(|c| is_markup(c).then_some('\\').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::PageOutline;

    #[test]
    fn every_code_has_a_page_whose_programs_are_the_same_in_both_languages() {
        for &code in Code::ALL {
            let [english, russian] = Lang::ALL.map(|lang| PageOutline::new(&page(code, lang)));
            assert_eq!(english.headings.len(), 5, "{code}");
            let programs = |outline: &PageOutline| {
                let rust = outline.blocks.iter().filter(|block| block.kind == "rust,ignore");
                rust.map(|block| block.text.clone()).collect::<Vec<_>>()
            };
            assert_eq!(programs(&english).len(), 2, "{code}");
            assert_eq!(programs(&english), programs(&russian), "{code}");
        }
        assert_eq!(summary_rows(Lang::Ru, "  ").lines().count(), Code::ALL.len());
    }

    #[test]
    fn markup_is_shown_and_not_interpreted() {
        assert_eq!(escaped("a_b *c* <d>"), "a\\_b \\*c\\* \\<d\\>");
    }
}
