//! The name of a run whose launches are measured in several parts.

use std::{fmt, str::FromStr};

/// The longest name.
const LONGEST: usize = 40;

/// A name that is also that of a folder: letters, digits, `-` and `_`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RunName(String);

impl RunName {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RunName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A text that cannot name a run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a name has 1 to {LONGEST} letters a-z, digits, - or _")]
pub(crate) struct InvalidRunName;

impl FromStr for RunName {
    type Err = InvalidRunName;

    fn from_str(text: &str) -> Result<Self, InvalidRunName> {
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        match !text.is_empty() && text.len() <= LONGEST && text.chars().all(is_allowed) {
            true => Ok(Self(text.to_owned())),
            false => Err(InvalidRunName),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_no_path() {
        for text in ["", "..", "a/b", "a b", "а"] {
            assert_eq!(text.parse::<RunName>(), Err(InvalidRunName), "{text}");
        }
        assert_eq!("Monday_7-x".parse::<RunName>().map(|name| name.to_string()), Ok("Monday_7-x".into()));
    }
}
