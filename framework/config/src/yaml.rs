//! The one file that knows which library reads YAML.

use std::path::Path;

use serde::{
    Serialize,
    de::{DeserializeOwned, DeserializeSeed},
};
use wb_text::{Text, settings, yaml};

use crate::{
    duplicate_keys::UniqueKeys,
    error::{ConfigDiagnostic, ConfigError, Result, shown_value},
    locate::PathLocator,
    source,
};

/// Reads `text`, which is the content of `file`, into strict types.
pub(crate) fn read<T: DeserializeOwned>(file: &Path, text: &str) -> Result<T> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    source::check(file, text, settings::empty_file())?;
    let refuse = |error: serde_yaml::Error| diagnostic_from(file, text, &error);
    // First on its own, since serde reports a repeated key at the beginning of its mapping.
    UniqueKeys.deserialize(serde_yaml::Deserializer::from_str(text)).map_err(refuse)?;
    Ok(serde_yaml::from_str(text).map_err(refuse)?)
}

/// The text of strict types.
///
/// # Panics
/// For types that YAML cannot hold, which these are not.
pub(crate) fn write<T: Serialize>(value: &T) -> String {
    serde_yaml::to_string(value).expect("structs of numbers and texts can be written")
}

/// The error for the value at `path` in `text`, which could be read but contradicts another value.
pub(crate) fn diagnostic_at(file: &Path, text: &str, path: &[&str], problem: Text) -> Box<ConfigDiagnostic> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let found = PathLocator { path }.deserialize(serde_yaml::Deserializer::from_str(text));
    let place = found.err().and_then(|error| error.location()).map_or((1, 1), |l| (l.line(), l.column()));
    let problem = if path.is_empty() { problem } else { settings::at(shown_value(&joined(path)), problem) };
    Box::new(ConfigDiagnostic::new(file, text, place, problem))
}

/// A path as the library writes it: `extensions[1].until`.
fn joined(path: &[&str]) -> String {
    let step = |step: &&str| match step.bytes().all(|byte| byte.is_ascii_digit()) {
        true => format!("[{step}]"),
        false => format!(".{step}"),
    };
    let path: String = path.iter().map(step).collect();
    path.strip_prefix('.').map(str::to_owned).unwrap_or(path)
}

/// The diagnostic as an error.
pub(crate) fn refusal(file: &Path, text: &str, path: &[String], problem: Text) -> ConfigError {
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    diagnostic_at(file, text, &path, problem).into()
}

/// The error of a key that is missing in the outermost mapping of `text`.
pub(crate) fn missing(file: &Path, text: &str, key: &str) -> ConfigError {
    Box::new(ConfigDiagnostic::new(file, text, (1, 1), yaml::missing_field(key))).into()
}

fn diagnostic_from(file: &Path, text: &str, error: &serde_yaml::Error) -> Box<ConfigDiagnostic> {
    let place = error.location().map_or((1, 1), |place| (place.line(), place.column()));
    // The library appends the place to its message; it is shown once, in front.
    let message = error.to_string();
    let suffix = format!(" at line {} column {}", place.0, place.1);
    let problem = problem_from(message.strip_suffix(&suffix).unwrap_or(&message));
    Box::new(ConfigDiagnostic::new(file, text, place, problem))
}

/// The library's message as a text: a path of keys may be in front of it.
fn problem_from(message: &str) -> Text {
    if let Some(text) = yaml::recognise(message, &shown_value) {
        return text;
    }
    let behind_path = message.match_indices(": ").find_map(|(at, colon)| {
        let problem = yaml::recognise(&message[at + colon.len()..], &shown_value)?;
        // The library puts a dot in front of the index of a list that is the whole file.
        let path = &message[..at];
        Some(settings::at(shown_value(path.strip_prefix('.').unwrap_or(path)), problem))
    });
    behind_path.unwrap_or_else(|| Text::verbatim(shown_value(message)))
}
