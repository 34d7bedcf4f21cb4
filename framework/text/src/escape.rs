//! Text from outside: which characters it may have, and its escapes for terminals, Markdown and CSV.
//!
//! A name, a title, a panic's message or a line of a file is written by a person or a program that the workbench does not
//! control. It must not move the cursor of a terminal, reverse the direction of a line, or become markup of a page.
//! Every escape is a pure function of one text and is named after the place that the text is written to. HTML is not
//! here: `maud` escapes what it writes.
//!
//! ```
//! assert_eq!(wb_text::escape::terminal("a\u{1b}[31mb\n"), "a\\u{1b}[31mb\n");
//! assert_eq!(wb_text::escape::markdown("<b> | `x`"), "&lt;b> &#124; &#96;x&#96;");
//! assert_eq!(wb_text::escape::csv_text("=1+1"), "'=1+1");
//! assert!(wb_text::escape::check_name("Ivan\u{202e}").is_err());
//! ```

mod coloured;
mod csv;
mod excerpt;
mod hidden;
mod markdown;
mod name;
mod terminal;

pub use coloured::coloured;
pub use csv::csv_text;
pub use excerpt::excerpt;
pub use hidden::is_hidden;
pub use markdown::markdown;
pub use name::{NAME_CHARS_MAX, NameError, check_name};
pub use terminal::{line, terminal};
