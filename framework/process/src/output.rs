//! Standard output that may be full, closed or gone.
//!
//! `println!` panics when its text cannot be written, which is a full disk or a broken device and no mistake of the
//! program. [`say`] ends the process with a message and code 1 instead: what was asked for has not been delivered, and
//! an exit code of 0 would claim that it has. A reader that has gone (`| head`) ends the process without a message.

use std::{
    fmt,
    io::{self, Write},
    sync::OnceLock,
};

use wb_messages::{Lang, process as text};

/// The exit code of a process whose standard output cannot be written.
const UNWRITTEN: i32 = 1;

/// The language of the message, where it is not that of the environment.
static LANG: OnceLock<Lang> = OnceLock::new();

/// The language in which a failure of standard output is described from now on; the first call counts.
pub fn speak(lang: Lang) {
    let _first_counts = LANG.set(lang);
}

/// The language given to [`speak`], else that of the environment.
pub fn spoken() -> Lang {
    LANG.get().copied().unwrap_or_else(Lang::of_environment)
}

/// Writes `words` to standard output. When that fails, the process ends with code 1 and says why on standard error.
pub fn say(words: fmt::Arguments<'_>) {
    end_unless(io::stdout().write_fmt(words));
}

/// Writes what standard output still holds back, under the same rule as [`say`]: the last thing that `main` does.
pub fn flush() {
    end_unless(io::stdout().flush());
}

/// Writes `words` to standard error. There is no place to report that this failed.
pub fn complain(words: fmt::Arguments<'_>) {
    let _no_place_left = io::stderr().write_fmt(words);
}

fn end_unless(written: io::Result<()>) {
    let Err(error) = written else { return };
    if error.kind() != io::ErrorKind::BrokenPipe {
        let lang = spoken();
        complain(format_args!("{}\n", text::stdout_unwritten(lang, error)));
    }
    std::process::exit(UNWRITTEN)
}
