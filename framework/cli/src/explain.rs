//! `cargo wb explain`: the page of a code that a report names, or the list of all.

use serde_json::{Value, json};
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
    suggest,
};

/// What drawings and programs begin with.
const INDENT: &str = "    ";

pub(crate) fn run(wanted: &ExplainArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    let told = match &wanted.code {
        None if json => {
            format!("{:#}", Value::from_iter(Code::ALL.iter().map(|code| page_json(*code, lang))))
        }
        None => list(lang),
        Some(asked) => {
            let code = Code::parse(asked).ok_or_else(|| CliError::Usage(suggest_codes(asked, lang)))?;
            if json { format!("{:#}", page_json(code, lang)) } else { render_page(code, lang) }
        }
    };
    println!("{told}");
    Ok(CommandStatus::Success)
}

/// One page.
fn render_page(code: Code, lang: Lang) -> String {
    let Page { title, what, picture, wrong, right, hint: look } = pages::page(code);
    let parts = [
        wrap_text(&format!("{code}: {}", title.in_language(lang))),
        wrap_text(what.in_language(lang)),
        section(&pages::heading_picture(lang), picture.in_language(lang)),
        section(&pages::heading_wrong(lang), wrong),
        section(&pages::heading_right(lang), right),
        format!("{}\n{}", pages::heading_hint(lang), wrap_text(look.in_language(lang))),
    ];
    parts.join("\n\n")
}

/// Words in lines that fit a terminal.
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

fn page_json(code: Code, lang: Lang) -> Value {
    let Page { title, what, picture, wrong, right, hint: look } = pages::page(code);
    json!({
        "code": code.to_string(),
        "class": pages::class(code, lang),
        "title": title.in_language(lang),
        "what": what.in_language(lang),
        "picture": picture.in_language(lang),
        "wrong": wrong,
        "right": right,
        "look": look.in_language(lang),
    })
}

/// The codes that may be meant.
fn suggest_codes(asked: &str, lang: Lang) -> String {
    let wanted = asked.to_ascii_uppercase();
    // Zeros left out are the commonest slip: WB12, 12.
    let padded = format!("WB{:0>4}", wanted.trim_start_matches("WB"));
    let codes: Vec<_> = Code::ALL.iter().map(ToString::to_string).collect();
    match suggest::nearest_names(&padded, codes.iter().map(String::as_str)) {
        None => pages::unknown_code(lang, asked),
        Some(near) => pages::unknown_code_suggest(lang, asked, near),
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
        for (asked, first) in
            [("WB12", "WB0012"), ("12", "WB0012"), ("wb0102x", "WB0102"), ("WB0021 ", "WB0021")]
        {
            let told = suggest_codes(asked, Lang::En);
            assert!(told.contains(&format!("do you mean `{first}`")), "{told}");
        }
        assert!(!suggest_codes("everything", Lang::En).contains("mean"));
    }
}
