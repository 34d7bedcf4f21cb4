//! Text in a field of a CSV file.

use std::borrow::Cow;

use crate::line;

/// The text as one field after RFC 4180, in one line, quoted where it must be.
///
/// A text that a spreadsheet would take for a formula (it begins with `=`, `+`, `-` or `@`) gets an apostrophe in front.
pub fn csv(text: &str) -> Cow<'_, str> {
    let mut text = line(text);
    if text.trim_start().starts_with(['=', '+', '-', '@']) {
        text = Cow::Owned(format!("'{text}"));
    }
    match text.contains([',', '"', ';']) {
        true => Cow::Owned(format!("\"{}\"", text.replace('"', "\"\""))),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::csv;

    #[test]
    fn a_field_is_one_field_and_no_formula() {
        for (text, expected) in [
            ("matrix", "matrix"),
            ("a,b \"c\"", "\"a,b \"\"c\"\"\""),
            ("=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\""),
            (" +1", "' +1"),
            ("-1", "'-1"),
            ("@SUM(1)", "'@SUM(1)"),
            ("a;b", "\"a;b\""),
            ("a\nb", "a b"),
        ] {
            assert_eq!(csv(text), expected);
        }
    }
}
