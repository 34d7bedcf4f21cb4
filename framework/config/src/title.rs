//! A title in two languages.

use serde::{Deserialize, Serialize};

use crate::value;

/// A title in two languages; the other one is used where one is missing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TitleSettings {
    /// In English.
    #[serde(default, deserialize_with = "value::optional_text", skip_serializing_if = "Option::is_none")]
    pub en: Option<String>,
    /// In Russian.
    #[serde(default, deserialize_with = "value::optional_text", skip_serializing_if = "Option::is_none")]
    pub ru: Option<String>,
}
