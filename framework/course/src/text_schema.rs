//! The JSON Schema of a text in both languages.

use schemars::JsonSchema;

/// A text in both languages, as it is written.
#[derive(JsonSchema)]
#[schemars(rename = "Text", deny_unknown_fields)]
#[expect(dead_code, reason = "the fields are read by the derived schema only")]
pub(crate) struct TextSchema {
    /// The text in English.
    en: String,
    /// The text in Russian.
    ru: String,
}
