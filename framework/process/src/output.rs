//! Standard output that may be full or closed.
//!
//! `println!` panics when its text cannot be written. The cause is a full disk or a broken device, not a mistake of the
//! program. [`print()`] ends the process with a message and code 1 instead: the output has not been delivered, and an
//! exit code of 0 would claim that it has. When the reader has gone (`| head`), the process ends without a message.

use std::{
    fmt,
    io::{self, Write},
    sync::OnceLock,
};

use wb_messages::{Lang, program as text};

/// The exit code of a process whose standard output cannot be written.
const OUTPUT_ERROR_EXIT_CODE: i32 = 1;

/// The language of the message, if it differs from that of the environment.
static LANG: OnceLock<Lang> = OnceLock::new();

/// The language in which a failure of standard output is described from now on; the first call counts.
pub fn set_language(lang: Lang) {
    let _first_counts = LANG.set(lang);
}

/// The language given to [`set_language`], else that of the environment.
pub fn language() -> Lang {
    LANG.get().copied().unwrap_or_else(Lang::from_environment)
}

/// Writes `words` to standard output. When that fails, the process ends with code 1 and reports the reason on standard error.
pub fn print(words: fmt::Arguments<'_>) {
    exit_on_error(io::stdout().write_fmt(words));
}

/// Flushes standard output, under the same rule as [`print()`]: the last action of `main`.
pub fn flush() {
    exit_on_error(io::stdout().flush());
}

/// Writes `words` to standard error. A failure is ignored: it cannot be reported anywhere.
pub fn print_error(words: fmt::Arguments<'_>) {
    let _no_place_left = io::stderr().write_fmt(words);
}

fn exit_on_error(written: io::Result<()>) {
    let Err(error) = written else { return };
    if error.kind() != io::ErrorKind::BrokenPipe {
        let lang = language();
        print_error(format_args!("{}\n", text::stdout_unwritten(lang, error)));
    }
    std::process::exit(OUTPUT_ERROR_EXIT_CODE)
}
