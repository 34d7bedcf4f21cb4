//! `wb-book ROOT OUT en|ru`: builds the site; `cargo wb book` starts it.
#![forbid(unsafe_code)]

use std::{env, path::PathBuf, process::ExitCode};

use wb_messages::{Lang, book as text};

fn main() -> ExitCode {
    let words: Vec<_> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [root, out, lang] = words.as_slice() else {
        eprintln!("wb-book ROOT OUT en|ru");
        return ExitCode::from(2);
    };
    let lang = lang.to_str().and_then(Lang::parse).unwrap_or(Lang::En);
    match wb_book::site::build(root, out) {
        Ok(first) => {
            println!("{}", text::written(lang, first.display()));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{}", error.render(lang));
            ExitCode::FAILURE
        }
    }
}
