//! Text in a Markdown document: no character of it is markup, in a paragraph, a heading, a list or a table's cell.
//!
//! Character references are used and no backslashes: a reference is never taken for markup (CommonMark 0.31, section 2.5),
//! a reference for `|` does not end the cell of a table, and one for a backtick does not end a code span.

use std::borrow::Cow;

use crate::escape::{is_hidden, line};

/// The text in one line, as characters and references.
pub fn markdown(text: &str) -> Cow<'_, str> {
    let text = line(text);
    let chars: Vec<char> = text.chars().collect();
    if !(0..chars.len()).any(|at| is_markup(&chars, at)) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 16);
    for (at, &c) in chars.iter().enumerate() {
        match c {
            c if !is_markup(&chars, at) => out.push(c),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            c => out.push_str(&format!("&#{};", u32::from(c))),
        }
    }
    Cow::Owned(out)
}

/// Whether the character at this place may be interpreted as markup, wherever the text is inserted.
fn is_markup(chars: &[char], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| chars[before]);
    let after = chars.get(at + 1).copied();
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    match chars[at] {
        '<' | '`' | '*' | '|' | '\\' | '[' | ']' | '~' | '$' => true,
        // An underscore inside a word is none: `example_p_integral`.
        '_' => !(is_word(before) && is_word(after)),
        '&' => after.is_some_and(|c| c == '#' || c.is_ascii_alphabetic()),
        // The address of a link, and a mention of a person.
        ':' => after == Some('/') && chars.get(at + 2) == Some(&'/'),
        '@' => !is_word(before) && is_word(after),
        // Marks of a block at the beginning of a line.
        '>' | '#' | '=' => at == 0 || before.is_some_and(|c| c == chars[at]) && is_start(chars, at),
        '-' | '+' => is_start(chars, at) && after.is_none_or(|c| c == ' ' || c == chars[at]),
        '.' | ')' => is_ordinal(&chars[..at]) && after.is_none_or(|c| c == ' '),
        ' ' => is_start(chars, at),
        c => is_hidden(c),
    }
}

/// Whether only this character precedes the place.
fn is_start(chars: &[char], at: usize) -> bool {
    chars[..at].iter().all(|c| *c == chars[at])
}

/// Whether these are the digits of a list's number.
fn is_ordinal(chars: &[char]) -> bool {
    !chars.is_empty() && chars.iter().all(char::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_names_and_sentences_stay_readable() {
        for text in [
            "Умножение матриц: полосы (A, B)",
            "example_p_integral",
            "P - 1, ceil(log2 P) = 3 > 2",
            "Xeon(R) CPU @ 2.20GHz, 8 GB!",
            "4.1.4",
            "-n on the command line",
        ] {
            assert!(matches!(markdown(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn markup_becomes_references() {
        for (text, expected) in [
            ("<img src=x>", "&lt;img src=x>"),
            ("[a](javascript:b)", "&#91;a&#93;(javascript:b)"),
            ("**b** _i_ ~s~", "&#42;&#42;b&#42;&#42; &#95;i&#95; &#126;s&#126;"),
            ("a|b\\|c", "a&#124;b&#92;&#124;c"),
            ("`code", "&#96;code"),
            ("&lt; &#60; a & b", "&amp;lt; &amp;#60; a & b"),
            ("# head", "&#35; head"),
            ("- item", "&#45; item"),
            ("---", "&#45;&#45;&#45;"),
            ("12. item", "12&#46; item"),
            ("    code", "&#32;&#32;&#32;&#32;code"),
            ("a\n# b", "a # b"),
            ("https://x.y @me", "https&#58;//x.y &#64;me"),
            ("a\u{202e}b", "a&#92;u{202e}b"),
        ] {
            assert_eq!(markdown(text), expected, "{text:?}");
        }
    }

    #[test]
    fn an_escaped_text_escapes_back_to_the_text() {
        let text = "<a href='x'>*_`|&amp;[]()#!</a> - 1. \\ $x$ @me https://a";
        let back = markdown(text).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        let mut parts = back.split("&#");
        let mut read = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (number, rest) = part.split_once(';').expect("a reference ends");
            read.push(number.parse().ok().and_then(char::from_u32).expect("a character"));
            read.push_str(rest);
        }
        assert_eq!(read, text);
    }
}
