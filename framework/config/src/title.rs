//! A title in two languages.

use serde::{Deserialize, Serialize};

use wb_text::{Lang, Text};

use crate::value;

/// A title in two languages; the other one is used where one is missing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TitleSettings {
    /// The title in English.
    #[serde(default, deserialize_with = "value::optional_text", skip_serializing_if = "Option::is_none")]
    pub en: Option<String>,
    /// The title in Russian.
    #[serde(default, deserialize_with = "value::optional_text", skip_serializing_if = "Option::is_none")]
    pub ru: Option<String>,
}

impl TitleSettings {
    /// The title in `lang`, else in the other language, else an empty text.
    pub fn in_language(&self, lang: Lang) -> &str {
        let (own, other) = match lang {
            Lang::En => (&self.en, &self.ru),
            Lang::Ru => (&self.ru, &self.en),
        };
        own.as_deref().or(other.as_deref()).unwrap_or_default()
    }

    /// The title in both languages, the other one where one is missing.
    pub fn text(&self) -> Text {
        let of = |lang| self.in_language(lang).to_owned().into();
        Text { en: of(Lang::En), ru: of(Lang::Ru) }
    }
}
