//! Text on a terminal: a character that is hidden is written as Rust writes it, `\u{1b}`.

use std::borrow::Cow;

use crate::escape::is_hidden;

/// The text with every hidden character spelt out. Line ends and tabs stay; a carriage return before a line end goes.
pub fn terminal(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| is_hidden(c) && !matches!(c, '\n' | '\t')) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\r' if rest.peek() == Some(&'\n') => {}
            '\n' | '\t' => out.push(c),
            c if is_hidden(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The text in one line: [`terminal`], with a space for each line end and each tab.
pub fn line(text: &str) -> Cow<'_, str> {
    match terminal(text) {
        text if text.contains(['\n', '\t']) => Cow::Owned(text.replace(['\n', '\t'], " ")),
        text => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_visible_stays_the_same_text() {
        assert!(matches!(terminal("один\n\tдва"), Cow::Borrowed("один\n\tдва")));
        assert!(matches!(line("one two"), Cow::Borrowed("one two")));
    }

    #[test]
    fn nothing_hidden_is_left() {
        let all: String = (0..=0x0011_0000).filter_map(char::from_u32).collect();
        assert!(!terminal(&all).chars().any(|c| is_hidden(c) && c != '\n' && c != '\t'));
        assert!(!line(&all).chars().any(is_hidden));
        assert_eq!(terminal("a\r\nb\rc\u{202e}"), "a\nb\\u{d}c\\u{202e}");
        assert_eq!(line("a\r\n\tb"), "a  b");
    }
}
