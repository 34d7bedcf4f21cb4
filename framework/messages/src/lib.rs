//! The texts that the command line, the harness and the reports show, in English and in Russian, side by side.
//!
//! An entry is a function: the compiler checks its arguments in both languages, and a text that exists in one language only
//! does not compile. Each module of this crate is the table of one area.
//!
//! Explanations from ranks and backends are entries of `wb-text`: they hold both languages, since the crates that make
//! them are below this crate and the explanations travel between processes.
//!
//! ```
//! use wb_messages::{Lang, performance};
//! assert_eq!(performance::ranks_by_command(Lang::En), "the command line");
//! assert_eq!(performance::ranks_by_command(Lang::Ru), "командная строка");
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub use wb_text::{Lang, number};

/// The default number of columns of a terminal.
pub const WIDTH: usize = 80;

/// The words of `text` in lines of at most `width` columns: the first line after `first`, the others after `rest`. A
/// longer word has a line of its own, since a broken name cannot be copied.
///
/// ```
/// assert_eq!(wb_messages::wrap("seen on  threads", "- ", "  ", 10), "- seen on\n  threads");
/// ```
pub fn wrap(text: &str, first: &str, rest: &str, width: usize) -> String {
    let columns = |text: &str| text.chars().count();
    let mut lines: Vec<String> = vec![];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if columns(line) + 1 + columns(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(first.to_owned() + word),
            Some(_) => lines.push(rest.to_owned() + word),
        }
    }
    lines.join("\n")
}

/// Declares entries of the table: `name(args) { "English {args}", "Russian {args}" }`.
macro_rules! messages {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),* $(,)?) { $en:literal, $ru:literal $(,)? })*) => {
        $(
            #[doc = concat!("`` ", $en, " ``")]
            $(#[$doc])*
            pub fn $name(lang: $crate::Lang $(, $arg: impl ::std::fmt::Display)*) -> String {
                match lang {
                    $crate::Lang::En => format!($en),
                    $crate::Lang::Ru => format!($ru),
                }
            }
        )*
    };
}

pub mod arguments;
pub mod backend_finding;
pub mod barrier_bench;
pub mod barriers;
pub mod book;
pub mod broadcasts;
pub mod change;
pub mod checker;
pub mod cli;
pub mod collectives;
pub mod course;
pub mod debugger;
pub mod difference;
pub mod doctor;
pub mod document;
pub mod enrolment;
pub mod functional;
pub mod grade;
pub mod hosts;
pub mod judge;
pub mod layout;
pub mod pages;
pub mod performance;
pub mod play;
pub mod prediction;
pub mod preload;
pub mod program;
pub mod report;
pub mod repository;
pub mod rules;
pub mod scoreboard;
pub mod similar;
pub mod simulator;
pub mod slurm;
pub mod top;
pub mod usage_error;
pub mod watch;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_never_broken_and_lines_never_too_long() {
        let of = |text, indent: &str, width| wrap(text, indent, indent, width);
        assert_eq!(of("one two  three", "  ", 9), "  one two\n  three");
        assert_eq!(of("семь букв", " ", 10), " семь букв");
        assert_eq!(of("семь букв", " ", 9), " семь\n букв");
        assert_eq!(of("incomprehensibly long", "", 4), "incomprehensibly\nlong");
        assert_eq!(of("", "    ", 80), "");
    }
}
