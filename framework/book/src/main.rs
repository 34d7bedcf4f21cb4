//! `wb-book ROOT REPORTS OUT en|ru`: builds the site; `cargo wb book` starts it.
#![forbid(unsafe_code)]

use std::{env, ffi::OsString, process::ExitCode};

use wb_messages::{Lang, book as text};

fn main() -> ExitCode {
    let words: Vec<OsString> = env::args_os().skip(1).collect();
    let lang = words.get(3).and_then(|word| word.to_str()).and_then(Lang::parse);
    let (4, Some(lang)) = (words.len(), lang) else {
        let given = words.join(&OsString::from(" "));
        eprintln!("{}", text::usage(lang.unwrap_or(Lang::En), given.display()));
        return ExitCode::from(2);
    };
    match wb_book::site::build(words[0].as_ref(), words[1].as_ref(), words[2].as_ref()) {
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
