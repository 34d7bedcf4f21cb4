//! Tables and lines that fit where they are read.
use comfy_table::{ContentArrangement, Table, presets::UTF8_FULL_CONDENSED};

/// The width where nobody can say how wide it is: in a pipe or a file.
const WIDTH: u16 = 80;

/// Columns of the terminal that standard output goes to; 80 where it goes elsewhere.
pub(crate) fn width() -> u16 {
    Table::new().width().unwrap_or(WIDTH)
}

/// An empty table whose cells break their lines to stay within [`width`].
pub(crate) fn table() -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width());
    table
}

/// The words of `text` in lines of at most `width` columns, each behind `indent` spaces; a longer word has its own line.
pub(crate) fn wrapped(text: &str, indent: usize, width: u16) -> String {
    let columns = |text: &str| text.chars().count();
    let mut lines: Vec<String> = vec![];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if columns(line) + 1 + columns(word) <= width as usize => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(" ".repeat(indent) + word),
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_never_broken_and_lines_never_too_long() {
        assert_eq!(wrapped("one two  three", 2, 9), "  one two\n  three");
        assert_eq!(wrapped("семь букв", 1, 10), " семь букв");
        assert_eq!(wrapped("семь букв", 1, 9), " семь\n букв");
        assert_eq!(wrapped("incomprehensibly long", 0, 4), "incomprehensibly\nlong");
        assert_eq!(wrapped("", 4, 80), "");
    }
}
