//! A line of a file with a mark below a place in it.

/// Characters of a line that are shown: of a longer one the part around the place.
const CHARS_MAX: usize = 160;

/// Line `number` of a file and, below it, a caret under the character of number `column`; both are counted from 1. Hidden
/// characters are escaped, and of a long line the part around the place is shown.
pub fn excerpt(number: usize, line: &str, column: usize) -> String {
    let line: Vec<char> = line.chars().collect();
    let at = column.saturating_sub(1).min(line.len());
    let from = if line.len() <= CHARS_MAX { 0 } else { at.saturating_sub(CHARS_MAX / 2) };
    let until = line.len().min(from + CHARS_MAX);
    let visible = |part: &[char]| crate::escape::line(&part.iter().collect::<String>()).into_owned();
    let mark = |is_cut: bool| if is_cut { "…" } else { "" };
    let before = format!("{}{}", mark(from > 0), visible(&line[from..at]));
    let after = format!("{}{}", visible(&line[at..until]), mark(until < line.len()));
    let (number, caret) = (number.to_string(), before.chars().count() + 1);
    format!(" {number} | {before}{after}\n {:width$} | {:>caret$}", "", "^", width = number.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_is_under_the_character_also_after_escapes_and_in_long_lines() {
        assert_eq!(excerpt(7, "Сумма: x", 8), " 7 | Сумма: x\n   |        ^");
        assert_eq!(excerpt(12, "a\u{202e}b", 3), " 12 | a\\u{202e}b\n    |          ^");
        assert_eq!(excerpt(1, "", 9), " 1 | \n   | ^", "behind the end of the line");
        for length in [CHARS_MAX + 1, 70_000] {
            let shown = excerpt(3, &format!("{}!{}", " ".repeat(length), " ".repeat(length)), length + 1);
            let (source, caret) = shown.split_once('\n').expect("two lines");
            assert!(shown.len() < 3 * CHARS_MAX && source.contains('…'), "{shown}");
            let column = |line: &str, mark| line.chars().position(|c| c == mark);
            assert_eq!(column(source, '!'), column(caret, '^'));
        }
    }
}
