//! Text in a field of a CSV file.

use std::borrow::Cow;

use crate::escape::line;

/// The text in one line that no spreadsheet reads as a formula: a text that begins with `=`, `+`, `-` or `@` gets an apostrophe
/// in front. The writer of the file adds the quotes.
pub fn csv_text(text: &str) -> Cow<'_, str> {
    let text = line(text);
    match text.trim_start().starts_with(['=', '+', '-', '@']) {
        true => Cow::Owned(format!("'{text}")),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::csv_text;

    #[test]
    fn a_field_is_one_line_and_no_formula() {
        for (text, expected) in [
            ("matrix", "matrix"),
            ("a,b \"c\"", "a,b \"c\""),
            ("=HYPERLINK(\"x\")", "'=HYPERLINK(\"x\")"),
            (" +1", "' +1"),
            ("-1", "'-1"),
            ("@SUM(1)", "'@SUM(1)"),
            ("a\nb", "a b"),
        ] {
            assert_eq!(csv_text(text), expected);
        }
    }
}
