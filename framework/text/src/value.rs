//! A text and its arguments as a value.
use std::{cmp::Ordering, fmt, hash};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::Lang;

/// One row of a table of texts: its two languages behind one name.
#[derive(Debug)]
pub struct TextTemplate {
    /// `wb_text::waiting::entries::circle`: what is serialised.
    pub(crate) name: &'static str,
    /// How many arguments it has.
    pub(crate) argument_count: usize,
    /// The words, from rendered arguments.
    pub(crate) render: fn(Lang, &[String]) -> String,
}

impl TextTemplate {
    /// The last part of the path and the function's own name: `waiting.circle`.
    pub(crate) fn id(&self) -> String {
        let mut parts = self.name.rsplit("::").filter(|part| *part != "entries");
        let name = parts.next().unwrap_or_default();
        format!("{}.{name}", parts.next().unwrap_or_default())
    }

    /// Its words with `<0>`, `<1>`, ... in place of the arguments.
    pub(crate) fn sample(&self, lang: Lang) -> String {
        let marks: Vec<_> = (0..self.argument_count).map(|at| format!("<{at}>")).collect();
        (self.render)(lang, &marks)
    }
}

/// An argument of a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// The same in all languages: a number, a name of the program's source, a library's own words.
    Plain(String),
    /// Another text.
    Text(Text),
}

/// See the crate.
#[derive(Clone, Debug)]
pub struct Text {
    entry: &'static TextTemplate,
    values: Vec<Value>,
}

impl Text {
    /// For the tables.
    pub(crate) fn new(entry: &'static TextTemplate, values: Vec<Value>) -> Self {
        debug_assert_eq!(entry.argument_count, values.len(), "{}", entry.name);
        Self { entry, values }
    }

    /// What has no translation: the text of a library, of a panic or of the user.
    pub fn verbatim(text: impl Into<String>) -> Self {
        crate::error::verbatim(text.into())
    }

    /// The words.
    pub fn render(&self, lang: Lang) -> String {
        let values: Vec<_> = self.values.iter().map(|value| value.render(lang)).collect();
        (self.entry.render)(lang, &values)
    }

    /// The text with `change` applied to every argument that is no text: to make a user's values visible and short.
    pub fn map_values(self, change: &dyn Fn(&str) -> String) -> Self {
        let values = self.values.into_iter().map(|value| match value {
            Value::Plain(plain) => Value::Plain(change(&plain)),
            Value::Text(text) => Value::Text(text.map_values(change)),
        });
        Self { entry: self.entry, values: values.collect() }
    }

    /// What two of them are compared by.
    fn key(&self) -> (&'static str, &[Value]) {
        (self.entry.name, &self.values)
    }
}

impl Value {
    fn render(&self, lang: Lang) -> String {
        match self {
            Self::Plain(text) => text.clone(),
            Self::Text(text) => text.render(lang),
        }
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Lang::En))
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Text {}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Text {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl hash::Hash for Text {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl From<Text> for Value {
    fn from(text: Text) -> Self {
        Self::Text(text)
    }
}

impl From<&Text> for Value {
    fn from(text: &Text) -> Self {
        Self::Text(text.clone())
    }
}

impl From<&[usize]> for Value {
    /// Numbers of ranks: `0, 2, 3`.
    fn from(numbers: &[usize]) -> Self {
        let numbers: Vec<_> = numbers.iter().map(ToString::to_string).collect();
        Self::Plain(numbers.join(", "))
    }
}

macro_rules! plain {
    ($($type:ty),*) => {
        $(
            impl From<$type> for Value {
                fn from(value: $type) -> Self {
                    Self::Plain(value.to_string())
                }
            }
        )*
    };
}

plain!(&str, String, &String, char, usize, u8, u32, u64, i32, i64);

/// As it travels.
#[derive(Serialize, Deserialize)]
struct SerializedText {
    text: String,
    values: Vec<Value>,
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SerializedText { text: self.entry.id(), values: self.values.clone() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let SerializedText { text, values } = SerializedText::deserialize(deserializer)?;
        let entry = crate::entries().find(|entry| entry.id() == text);
        let entry = entry.ok_or_else(|| D::Error::custom(format!("there is no text `{text}`")))?;
        if entry.argument_count == values.len() {
            return Ok(Self { entry, values });
        }
        let (needed, given) = (entry.argument_count, values.len());
        Err(D::Error::custom(format!("the text `{text}` has {needed} arguments, not {given}")))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::waiting;

    #[test]
    fn a_text_survives_its_way_as_json_with_texts_inside() {
        let text = waiting::with_tag(waiting::from_any("recv"), 7);
        let line = serde_json::to_string(&text).expect("texts are data");
        assert_eq!(serde_json::from_str::<Text>(&line).expect("it was written so"), text, "{line}");
        for bad in [
            line.replace("with_tag", "without_tag"),
            line.replace(",\"7\"", ""),
            line.replace("from_any", "x"),
            "\"recv\"".to_owned(),
        ] {
            assert!(serde_json::from_str::<Text>(&bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn names_are_unique_and_every_argument_is_in_both_languages() {
        let names: BTreeSet<_> = crate::entries().map(TextTemplate::id).collect();
        assert_eq!(names.len(), crate::entries().count());
        assert!(names.contains("waiting.wait_cycle") && names.len() > 50, "{names:?}");
        for entry in crate::entries() {
            for lang in Lang::ALL {
                let (told, marks) =
                    (entry.sample(lang), (0..entry.argument_count).map(|at| format!("<{at}>")));
                let missing: Vec<_> = marks.filter(|mark| !told.contains(mark.as_str())).collect();
                assert!(missing.is_empty(), "{} in {}: {missing:?}", entry.name, lang.code());
            }
        }
    }
}
