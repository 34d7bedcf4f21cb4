//! Text on a terminal with the colours of `cargo` and `rustc`.

use std::borrow::Cow;

use crate::escape::terminal;

const ESCAPE: char = '\u{1b}';
const RESET: &str = "\u{1b}[0m";

/// [`terminal`], but bold and coloured letters stay. Whatever a line switches on ends with the line. No colour that hides
/// letters stays: neither a background, nor black, nor concealed text.
///
/// ```
/// assert_eq!(wb_text::escape::coloured("\u{1b}[1m\u{1b}[91merror\u{1b}[0m"), "\u{1b}[1m\u{1b}[91merror\u{1b}[0m");
/// assert_eq!(wb_text::escape::coloured("\u{1b}[8mhidden\u{1b}[2J"), "\\u{1b}[8mhidden\\u{1b}[2J");
/// ```
pub fn coloured(text: &str) -> Cow<'_, str> {
    if !text.contains(ESCAPE) {
        return terminal(text);
    }
    text.split_inclusive('\n').map(close_line).collect::<String>().into()
}

/// One line, with its end.
fn close_line(text: &str) -> String {
    let (body, end) = text.strip_suffix('\n').map_or((text, ""), |body| (body, "\n"));
    let mut out = String::with_capacity(text.len());
    let mut parts = body.split(ESCAPE);
    out += &terminal(parts.next().unwrap_or_default());
    let mut open = false;
    for part in parts {
        match colour_sequence(part) {
            Some((parameters, rest)) => {
                out.push(ESCAPE);
                out += &part[..part.len() - rest.len()];
                out += &terminal(rest);
                open = !matches!(parameters, "" | "0");
            }
            None => {
                out.extend(ESCAPE.escape_unicode());
                out += &terminal(part);
            }
        }
    }
    out + if open { RESET } else { "" } + end
}

/// The parameters of a sequence that may stay, and what follows it; `text` begins behind the escape.
fn colour_sequence(text: &str) -> Option<(&str, &str)> {
    let (parameters, rest) = text.strip_prefix('[')?.split_once('m')?;
    let allowed = match parameters.split(';').collect::<Vec<_>>()[..] {
        // Reset, bold, not bold, the usual colour, and six colours, dark and bright.
        [one] => matches!(one, "" | "0" | "1" | "22" | "39") || is_letter_colour(one),
        ["38", "5", number] => number.parse().is_ok_and(|n: u8| matches!(n, 1..=6 | 9..=14)),
        _ => false,
    };
    allowed.then_some((parameters, rest))
}

fn is_letter_colour(parameter: &str) -> bool {
    parameter.parse().is_ok_and(|n: u8| matches!(n, 31..=36 | 91..=96))
}

#[cfg(test)]
mod tests {
    use super::coloured;
    use crate::escape::is_hidden;

    #[test]
    fn what_cargo_writes_stays() {
        for text in [
            "\u{1b}[1m\u{1b}[92m   Compiling\u{1b}[0m wb v0.1.0\n",
            "\u{1b}[0m\u{1b}[1m\u{1b}[38;5;9merror[E0308]\u{1b}[0m\u{1b}[0m: mismatched\n",
            "без цвета\n\tи табуляция",
        ] {
            assert_eq!(coloured(text), text);
        }
    }

    #[test]
    fn what_a_task_writes_moves_nothing_hides_nothing_and_ends_with_its_line() {
        assert_eq!(coloured("\u{1b}[31mred\r\nplain"), "\u{1b}[31mred\\u{d}\u{1b}[0m\nplain");
        let hostile = [
            "\u{1b}[2J",
            "\u{1b}[8m",
            "\u{1b}[40m",
            "\u{1b}[30m",
            "\u{1b}[38;5;0m",
            "\u{1b}[38;2;0;0;0m",
            "\u{1b}]0;x\u{7}",
            "\u{1b}",
            "\u{1b}[",
            "\u{1b}[1",
            "\u{1b}[1;8m",
            "\u{9b}2J",
            "\u{202e}",
            "\0",
            "\r",
            "\u{1b}[m\u{1b}[1A",
        ];
        for text in hostile {
            let shown = coloured(text).replace("\u{1b}[m", "");
            assert!(!shown.chars().any(is_hidden), "{text:?}: {shown:?}");
        }
    }
}
