//! `cargo wb explain`: the page of a code that a report names, or the list of all.

use serde::Serialize;
use wb_comm::Code;
use wb_messages::{
    Lang, WIDTH,
    pages::{self, Page},
    wrap,
};

use crate::{
    CommandStatus,
    arguments::ExplainArgs,
    error::{CliError, Result},
    output, suggest,
};

/// The indentation of drawings and programs.
const INDENT: &str = "    ";

pub(crate) fn run(wanted: &ExplainArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    match &wanted.code {
        None if json => {
            let rows: Vec<_> = Code::ALL.iter().map(|code| PageRow::new(*code, lang)).collect();
            output::print_json(&rows);
        }
        None => println!("{}", list(lang)),
        Some(name) => {
            let code = Code::parse(name).ok_or_else(|| CliError::Usage(suggest_codes(name, lang)))?;
            match json {
                true => output::print_json(&PageRow::new(code, lang)),
                false => println!("{}", render_page(code, lang)),
            }
        }
    }
    Ok(CommandStatus::Success)
}

fn render_page(code: Code, lang: Lang) -> String {
    let Page { title, what, picture, wrong, right, hint } = pages::page(code);
    let parts = [
        wrap_text(&format!("{code}: {}", title.in_language(lang))),
        wrap_text(what.in_language(lang)),
        section(&pages::heading_picture(lang), picture.in_language(lang)),
        section(&pages::heading_wrong(lang), wrong),
        section(&pages::heading_right(lang), right),
        format!("{}\n{}", pages::heading_hint(lang), wrap_text(hint.in_language(lang))),
    ];
    parts.join("\n\n")
}

/// The text in lines that fit a terminal.
fn wrap_text(text: &str) -> String {
    wrap(text, "", "", WIDTH)
}

fn section(heading: &str, lines: &str) -> String {
    let indented = |line: &str| if line.is_empty() { String::new() } else { format!("{INDENT}{line}") };
    let lines: Vec<_> = lines.lines().map(indented).collect();
    format!("{heading}\n{}", lines.join("\n"))
}

/// All codes with their titles, by class.
fn list(lang: Lang) -> String {
    let mut lines = vec![];
    let mut above = String::new();
    for &code in Code::ALL {
        let class = pages::class(code, lang);
        if class != above {
            lines.extend((!above.is_empty()).then(String::new));
            lines.push(class.clone());
            above = class;
        }
        lines.push(format!("  {code}  {}", pages::page(code).title.in_language(lang)));
    }
    lines.extend([String::new(), pages::list_next(lang)]);
    lines.join("\n")
}

/// A page in the answer with `--json`.
#[derive(Serialize)]
struct PageRow {
    code: String,
    class: String,
    title: &'static str,
    what: &'static str,
    picture: &'static str,
    wrong: &'static str,
    right: &'static str,
    #[serde(rename = "look")]
    hint: &'static str,
}

impl PageRow {
    fn new(code: Code, lang: Lang) -> Self {
        let Page { title, what, picture, wrong, right, hint } = pages::page(code);
        Self {
            code: code.to_string(),
            class: pages::class(code, lang),
            title: title.in_language(lang),
            what: what.in_language(lang),
            picture: picture.in_language(lang),
            wrong,
            right,
            hint: hint.in_language(lang),
        }
    }
}

/// The error for an unknown code, with the nearest codes.
fn suggest_codes(name: &str, lang: Lang) -> String {
    let wanted = name.to_ascii_uppercase();
    // The most common mistake is a code without zeros: WB12, 12.
    let padded = format!("WB{:0>4}", wanted.trim_start_matches("WB"));
    let codes: Vec<_> = Code::ALL.iter().map(ToString::to_string).collect();
    match suggest::nearest_names(&padded, codes.iter().map(String::as_str)) {
        None => pages::unknown_code(lang, name),
        Some(near) => pages::unknown_code_suggest(lang, name, near),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_and_the_list_fit_a_terminal() {
        for lang in Lang::ALL {
            let pages = Code::ALL.iter().map(|code| render_page(*code, lang));
            for page in pages.chain([list(lang)]) {
                let long = page.lines().find(|line| line.chars().count() > WIDTH);
                assert_eq!(long, None);
            }
        }
    }

    #[test]
    fn a_page_has_its_parts_in_their_order() {
        let page = render_page(Code::WindowLeak, Lang::En);
        let parts = ["WB0012: a window", "The picture", "Wrong", "Right", "window.free()", "Look at"];
        let at: Vec<_> = parts.iter().map(|part| page.find(part).expect(part)).collect();
        assert!(at.is_sorted(), "{page}");
    }

    #[test]
    fn a_mistyped_code_is_answered_with_the_near_ones() {
        for (name, first) in
            [("WB12", "WB0012"), ("12", "WB0012"), ("wb0102x", "WB0102"), ("WB0021 ", "WB0021")]
        {
            let error = suggest_codes(name, Lang::En);
            assert!(error.contains(&format!("do you mean `{first}`")), "{error}");
        }
        assert!(!suggest_codes("everything", Lang::En).contains("mean"));
    }
}
