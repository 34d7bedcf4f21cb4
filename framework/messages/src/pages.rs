//! The page of every code: what the mistake is, a picture, a wrong and a right program, and what to look at.
//!
//! `cargo wb explain WB0012` prints one. The programs are those of `tests/zoo`, so what a page says of them is tested;
//! they are the same in both languages.
//!
//! ```
//! use wb_comm::Code;
//! use wb_messages::{Lang, pages};
//! let page = pages::page(Code::WindowLeak);
//! assert_eq!(page.title.in_language(Lang::En), "a window that nobody freed");
//! assert!(page.right.contains("window.free()"));
//! ```
use wb_comm::Code;

use crate::Lang;

mod arguments;
mod collectives;
mod epochs;
mod leaks;
mod nondeterminism;
mod waiting;

/// One text in both languages.
#[derive(Clone, Copy, Debug)]
pub struct PageText {
    en: &'static str,
    ru: &'static str,
}

impl PageText {
    /// In this language.
    pub fn in_language(self, lang: Lang) -> &'static str {
        match lang {
            Lang::En => self.en,
            Lang::Ru => self.ru,
        }
    }
}

fn text(en: &'static str, ru: &'static str) -> PageText {
    PageText { en, ru }
}

/// A text that has no words to translate: calls, values, arrows.
fn untranslated(text: &'static str) -> PageText {
    PageText { en: text, ru: text }
}

/// What there is to say of a code.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// The mistake in a line.
    pub title: PageText,
    /// What it is and what comes of it.
    pub what: PageText,
    /// A drawing of it; at most 76 columns, as the programs.
    pub picture: PageText,
    /// A program that makes it: the body of a function of `world`.
    pub wrong: &'static str,
    /// The same without it.
    pub right: &'static str,
    /// What to look at in a program that has it.
    pub hint: PageText,
}

/// The page of `code`.
///
/// # Panics
/// Never: a test turns all pages.
pub fn page(code: Code) -> Page {
    let classes =
        [waiting::page, leaks::page, nondeterminism::page, collectives::page, arguments::page, epochs::page];
    classes.iter().find_map(|page| page(code)).expect("every code has a page")
}

messages! {
    /// What stands between the parts of a page and of the list.
    heading_picture() { "The picture", "Картина" }
    heading_wrong() { "Wrong", "Неверно" }
    heading_right() { "Right", "Верно" }
    heading_hint() { "Look at", "Куда смотреть" }
    class_waiting() { "Waiting in vain", "Напрасное ожидание" }
    class_leaks() { "Left behind", "Забытое" }
    class_nondeterminism() { "An order that nobody promised", "Порядок, которого никто не обещал" }
    class_collectives() { "Collectives that differ", "Разные коллективные операции" }
    class_arguments() { "Messages and arguments", "Сообщения и аргументы" }
    class_epochs() { "Rules of epochs (docs/rma.md)", "Правила эпох (docs/rma.md)" }
    list_next() { "One page: cargo wb explain WB0001", "Одна страница: cargo wb explain WB0001" }
    unknown_code(asked) {
        "there is no code `{asked}`; `cargo wb explain` lists all",
        "кода `{asked}` нет; все коды покажет `cargo wb explain`",
    }
    unknown_code_suggest(asked, near) {
        "there is no code `{asked}`; do you mean {near}? `cargo wb explain` lists all",
        "кода `{asked}` нет; может быть, {near}? Все коды покажет `cargo wb explain`",
    }
    about_explain() {
        "Explain a code of a report, as in WB0012; without a code, list all",
        "Объяснить код из отчёта, например WB0012; без кода - показать все",
    }
    help_code() { "The code: WB and four digits", "Код: WB и четыре цифры" }
    explained_by(code) { "cargo wb explain {code}", "cargo wb explain {code}" }
}

/// The heading of a code's class, above it in lists.
pub fn class(code: Code, lang: Lang) -> String {
    match code.number() {
        0..10 => class_waiting(lang),
        10..20 => class_leaks(lang),
        20..30 => class_nondeterminism(lang),
        30..40 => class_collectives(lang),
        40..100 => class_arguments(lang),
        _ => class_epochs(lang),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_page_in_both_languages_that_fits_80_columns() {
        for &code in Code::ALL {
            let page = page(code);
            for lang in Lang::ALL {
                let texts = [page.title, page.what, page.hint].map(|text| text.in_language(lang));
                assert!(texts.iter().all(|text| !text.trim().is_empty()), "{code}");
                assert!(page.title.in_language(lang).chars().count() <= 70, "{code}");
            }
            let pictures = Lang::ALL.map(|lang| page.picture.in_language(lang));
            for line in pictures.into_iter().chain([page.wrong, page.right]).flat_map(str::lines) {
                assert!(line.chars().count() <= 76, "{code}: {line}");
            }
            assert_eq!(pictures[0].lines().count(), pictures[1].lines().count(), "{code}");
        }
    }

    /// What is written in a picture besides words of a language: calls, types, names of MPI, values.
    const NAMES: [&str; 28] = [
        "send",
        "recv",
        "irecv",
        "bcast",
        "barrier",
        "allreduce",
        "push",
        "put",
        "fence",
        "lock",
        "unlock",
        "start",
        "complete",
        "post",
        "wait",
        "free",
        "i64",
        "f64",
        "None",
        "NOPRECEDE",
        "MPI_TAG_UB",
        "P",
        "a",
        "b",
        "c",
        "x",
        "t",
        "v",
    ];

    /// The words of a picture in Latin letters that are no names.
    fn untranslated_words(picture: &str) -> Vec<&str> {
        let words = picture.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        words
            .filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()))
            .filter(|word| !NAMES.contains(word))
            .collect()
    }

    #[test]
    fn pictures_are_drawn_in_russian_for_russian_readers() {
        let mut english = 0;
        for &code in Code::ALL {
            let picture = page(code).picture;
            assert_eq!(untranslated_words(picture.in_language(Lang::Ru)), [""; 0], "{code}");
            english += usize::from(!untranslated_words(picture.in_language(Lang::En)).is_empty());
        }
        assert!(english > 20, "words are seen: {english}");
    }

    #[test]
    fn no_two_codes_have_one_title() {
        let titles: std::collections::BTreeSet<_> =
            Code::ALL.iter().map(|code| page(*code).title.in_language(Lang::En)).collect();
        assert_eq!(titles.len(), Code::ALL.len());
    }
}
