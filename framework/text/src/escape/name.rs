//! Names of people, groups, tasks and workloads: short, in one line, and visible.

use std::fmt;

use crate::escape::is_hidden;

/// The longest name, in characters.
pub const NAME_CHARS_MAX: usize = 200;

/// The reason why a text is not a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameError {
    /// A character that a reader does not see; its place counts from 1.
    Hidden(char, usize),
    /// Neither a letter nor a digit.
    Blank,
    /// The number of characters is above [`NAME_CHARS_MAX`].
    TooLong(usize),
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Hidden(c, place) => {
                write!(f, "character {place} is U+{:04X}, which is not visible", u32::from(c))
            }
            Self::Blank => write!(f, "the text has neither a letter nor a digit"),
            Self::TooLong(chars) => write!(f, "the text has {chars} characters"),
        }?;
        write!(f, "; expected 1 to {NAME_CHARS_MAX} visible characters in one line")
    }
}

/// Whether the text is a name.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn check_name(text: &str) -> Result<(), NameError> {
    let chars = text.chars().count();
    if chars > NAME_CHARS_MAX {
        return Err(NameError::TooLong(chars));
    }
    if let Some((at, c)) = text.chars().enumerate().find(|(_, c)| is_hidden(*c)) {
        return Err(NameError::Hidden(c, at + 1));
    }
    if text.chars().any(char::is_alphanumeric) { Ok(()) } else { Err(NameError::Blank) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_visible_and_short() {
        for name in ["Ivan Ivanov", "Иван Иванов-Петров", "3823Б1ПР1", "O'Neill, Ann (Dr.)", "int 1000"]
        {
            assert_eq!(check_name(name), Ok(()));
        }
        assert_eq!(check_name("a\u{202e}b"), Err(NameError::Hidden('\u{202e}', 2)));
        assert_eq!(check_name("a\nb"), Err(NameError::Hidden('\n', 2)));
        assert_eq!(check_name("\u{3164}"), Err(NameError::Hidden('\u{3164}', 1)));
        assert_eq!(check_name(" -- "), Err(NameError::Blank));
        assert_eq!(check_name(&"x".repeat(NAME_CHARS_MAX + 1)), Err(NameError::TooLong(201)));
        let error = check_name("a\u{1b}").expect_err("a control").to_string();
        assert_eq!(
            error,
            "character 2 is U+001B, which is not visible; expected 1 to 200 visible characters in one line"
        );
    }
}
