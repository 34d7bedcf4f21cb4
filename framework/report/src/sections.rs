//! The sections of a report that its author writes: which are there, and how many words are the author's.
//!
//! A section is found by its number, since its title may be changed. Generated blocks, headings, HTML comments and the prompts of the
//! template are not the author's words.

use wb_course::{ReportSection, SectionState};
use wb_messages::{Lang, report::document};
use wb_text::Text;

use crate::blocks::{self, MarkerError};

/// The least words of a section, by its number in the template. A list of references needs fewer.
const MIN_WORDS: u32 = 15;
const MIN_REFERENCES: u32 = 2;

/// A text of the template, in a language.
type TemplateText = fn(Lang) -> String;

/// The sections that the author writes: number, title, prompt.
const SECTIONS: [(u8, TemplateText, TemplateText); 8] = [
    (1, document::introduction, document::write_introduction),
    (2, document::problem, document::write_problem),
    (3, document::baseline, document::write_baseline),
    (4, document::scheme, document::write_scheme),
    (5, document::implementation, document::write_implementation),
    (7, document::results, document::write_analysis),
    (8, document::conclusions, document::write_conclusions),
    (9, document::references, document::write_references),
];

/// The sections of a report.
///
/// # Errors
/// When its markers do not determine its generated blocks.
pub fn sections(text: &str) -> Result<Vec<ReportSection>, MarkerError> {
    let prose = blocks::prose(text)?;
    let section = |(number, title, prompt): &(u8, TemplateText, TemplateText)| {
        let body = body(&prose, *number);
        let words = body.as_deref().map_or(0, |body| words(body, *prompt));
        let least = if *number == 9 { MIN_REFERENCES } else { MIN_WORDS };
        let state = match (&body, words) {
            (None, _) => SectionState::Missing,
            (Some(_), 0) => SectionState::Template,
            (Some(_), words) if words < least => SectionState::Short,
            (Some(_), _) => SectionState::Written,
        };
        let title = Text { en: title(Lang::En).into(), ru: title(Lang::Ru).into() };
        ReportSection { number: *number, title, state, words }
    };
    Ok(SECTIONS.iter().map(section).collect())
}

/// The numbers of the sections that the author writes.
pub fn section_numbers() -> impl Iterator<Item = u8> {
    SECTIONS.iter().map(|(number, ..)| *number)
}

/// The text with `written` in the place of the prompt of section `number`, in whichever language it is.
pub fn with_section(text: &str, number: u8, written: &str) -> String {
    let prompts = SECTIONS.iter().filter(|(of, ..)| *of == number).map(|(_, _, prompt)| prompt);
    let prompts = prompts.flat_map(|prompt| Lang::ALL.map(prompt));
    prompts.fold(text.to_owned(), |text, prompt| text.replace(&prompt, written))
}

/// Whether the generated blocks of `text` are those of `fresh`, a report of the same records.
pub fn are_blocks_current(text: &str, fresh: &str) -> bool {
    let same = |updated: blocks::UpdatedDocument| updated.edited.is_empty() && updated.text == text;
    blocks::update(text, fresh).is_ok_and(same)
}

/// The text below the heading with this number, without headings of lower levels.
fn body(prose: &str, number: u8) -> Option<String> {
    let mut found: Option<String> = None;
    let mut is_inside = false;
    for line in prose.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            let digits = title.trim_start().split(|c: char| !c.is_ascii_digit()).next();
            is_inside = digits.and_then(|digits| digits.parse::<u8>().ok()) == Some(number);
            if is_inside {
                found.get_or_insert_default();
            }
        } else if is_inside && !line.starts_with('#') {
            let body = found.get_or_insert_default();
            body.push_str(line);
            body.push('\n');
        }
    }
    found
}

/// The words of the author: those with a letter or a digit, in a text without the prompt.
fn words(body: &str, prompt: TemplateText) -> u32 {
    let without =
        Lang::ALL.iter().fold(without_comments(body), |body, lang| body.replace(&prompt(*lang), " "));
    let words = without.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric));
    words.count() as u32
}

/// The text without HTML comments; one that does not end hides the rest.
fn without_comments(text: &str) -> String {
    let mut parts = text.split("<!--");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.filter_map(|part| part.split_once("-->")).fold(first, |shown, (_, rest)| shown + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template() -> String {
        crate::markdown(&[wb_record::example()], Lang::Ru)
    }

    fn states(text: &str) -> Vec<(u8, SectionState)> {
        let sections = sections(text).expect("its markers are whole");
        sections.iter().map(|section| (section.number, section.state)).collect()
    }

    #[test]
    fn an_untouched_template_has_no_words_in_either_language() {
        for lang in Lang::ALL {
            let text = crate::markdown(&[wb_record::example()], lang);
            let found = sections(&text).expect("whole");
            assert_eq!(
                found.iter().map(|section| section.number).collect::<Vec<_>>(),
                [1, 2, 3, 4, 5, 7, 8, 9]
            );
            let template =
                |section: &ReportSection| section.state == SectionState::Template && section.words == 0;
            assert!(found.iter().all(template), "{found:?}");
        }
    }

    #[test]
    fn own_words_count_also_beside_the_prompt_and_under_a_new_title() {
        let prompt = document::write_baseline(Lang::Ru);
        let own = "слово ".repeat(15);
        let text = template()
            .replace(&prompt, &format!("{prompt}\n{own}\n"))
            .replace(&format!("3. {}", document::baseline(Lang::Ru)), "3. Мой алгоритм");
        let written: Vec<_> =
            states(&text).into_iter().filter(|(_, state)| *state == SectionState::Written).collect();
        assert_eq!(written, [(3, SectionState::Written)]);
        let text = template().replace(&prompt, "четырнадцать слов — мало");
        assert_eq!(states(&text)[2], (3, SectionState::Short));
    }

    #[test]
    fn generated_text_headings_comments_and_punctuation_are_not_the_authors_words() {
        let heading = format!("## 8. {}\n", document::conclusions(Lang::Ru));
        let text = template().replace(
            &document::write_conclusions(Lang::Ru),
            "### a b c d e f g h i j k l m n o p\n- -- ---\n<!-- a b c d e f g h i j k l m n o p -->\n",
        );
        assert_eq!(states(&text)[6], (8, SectionState::Template));
        let text = template().replace(&heading, "");
        assert_eq!(states(&text)[6], (8, SectionState::Missing));
    }

    #[test]
    fn a_report_without_blocks_is_refused_and_old_blocks_are_found() {
        assert_eq!(sections("## 1. A\ntext\n"), Err(MarkerError::NoMarkers));
        let fresh = template();
        assert!(are_blocks_current(&fresh, &fresh));
        let own = fresh.replace(&document::write_scheme(Lang::Ru), "own text");
        assert!(are_blocks_current(&own, &fresh));
        let old = fresh.replace("Example Person", "Another Person");
        assert_ne!(old, fresh);
        assert!(!are_blocks_current(&old, &fresh));
    }
}
