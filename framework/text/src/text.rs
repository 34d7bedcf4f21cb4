//! A text in both languages.
use std::{borrow::Cow, fmt};

use serde::{Deserialize, Serialize};

use crate::Lang;

/// A text in English and Russian. A text of a constant table is a `Text<&'static str>`, a stored one may be a `Text<String>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Text<S = Cow<'static, str>> {
    /// In English.
    pub en: S,
    /// In Russian.
    pub ru: S,
}

impl Text {
    /// A constant text.
    pub const fn new(en: &'static str, ru: &'static str) -> Self {
        Self { en: Cow::Borrowed(en), ru: Cow::Borrowed(ru) }
    }

    /// A constant text that is the same in both languages: calls, values, arrows.
    pub const fn untranslated(text: &'static str) -> Self {
        Self::new(text, text)
    }

    /// A text without a translation: that of a library, of a panic or of the user.
    pub fn verbatim(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { en: Cow::Owned(text.clone()), ru: Cow::Owned(text) }
    }

    /// As [`in_language`](Self::in_language), owned.
    pub fn render(&self, lang: Lang) -> String {
        self.in_language(lang).to_owned()
    }
}

impl<S: AsRef<str>> Text<S> {
    /// The text in this language.
    pub fn in_language(&self, lang: Lang) -> &str {
        match lang {
            Lang::En => self.en.as_ref(),
            Lang::Ru => self.ru.as_ref(),
        }
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.en.fmt(f)
    }
}

impl From<&Text> for Text {
    fn from(text: &Text) -> Self {
        text.clone()
    }
}

impl From<&[usize]> for Text {
    /// Numbers of ranks: `0, 2, 3`.
    fn from(numbers: &[usize]) -> Self {
        let numbers: Vec<_> = numbers.iter().map(|number| number.cast_signed().to_string()).collect();
        Self::verbatim(numbers.join(", "))
    }
}

impl From<usize> for Text {
    /// A count, a rank, a position. One that was written as a negative number, such as `0 - 1`, has wrapped: it is shown as it was written.
    fn from(number: usize) -> Self {
        Self::verbatim(number.cast_signed().to_string())
    }
}

macro_rules! from_plain {
    ($($type:ty),*) => {
        $(
            impl From<$type> for Text {
                fn from(value: $type) -> Self {
                    Self::verbatim(value.to_string())
                }
            }
        )*
    };
}

from_plain!(&str, String, &String, char, u8, u32, u64, i32, i64);

#[cfg(test)]
mod tests {
    use crate::{Lang, Text, waiting};

    #[test]
    fn a_text_survives_its_way_as_json_with_texts_inside() {
        let text = waiting::with_tag(waiting::from_any("recv"), 7);
        let line = serde_json::to_string(&text).expect("texts are data");
        assert_eq!(line, r#"{"en":"recv from any, tag 7","ru":"recv от любого процесса, тег 7"}"#);
        assert_eq!(serde_json::from_str::<Text>(&line).expect("it was written so"), text, "{line}");
        for (bad, reason) in [
            (line.replace("\"ru\"", "\"de\""), "missing field `ru`"),
            (line.replace("\"recv от любого процесса, тег 7\"", "7"), "invalid type: integer `7`"),
            ("\"recv\"".to_owned(), "invalid type: string \"recv\""),
        ] {
            let error = serde_json::from_str::<Text>(&bad).expect_err("not a text").to_string();
            assert!(error.contains(reason), "{bad}: {error}");
        }
    }

    #[test]
    fn a_number_that_has_wrapped_is_shown_as_it_was_written() {
        let wrapped = 0_usize.wrapping_sub(2);
        assert_eq!(Text::from(wrapped).to_string(), "-2");
        assert_eq!(Text::from(&[3, wrapped][..]).to_string(), "3, -2");
    }

    #[test]
    fn a_constant_text_needs_no_allocation_and_equals_a_made_one() {
        const TEXT: Text = Text::new("one", "один");
        assert_eq!((TEXT.in_language(Lang::En), TEXT.in_language(Lang::Ru)), ("one", "один"));
        assert_eq!(TEXT, Text { en: "one".to_owned().into(), ru: "один".to_owned().into() });
        assert_eq!(Text::untranslated("->"), Text::verbatim("->"));
    }
}
