//! Runs the command as a user does: its output, and its exit code.
use std::process::{Command, Output};

/// `cargo wb FAMILY ARGUMENTS`.
pub(crate) fn wb(family: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wb"));
    command.arg(family).args(arguments).env("WB_LANG", "en").output().expect("starting wb")
}

/// The output of a command that ends with `code`, on both streams.
#[track_caller]
pub(crate) fn run_text(family: &str, arguments: &[&str], code: i32) -> String {
    let output = wb(family, arguments);
    let text =
        [&output.stdout, &output.stderr].map(|stream| String::from_utf8_lossy(stream).into_owned()).concat();
    assert_eq!(output.status.code(), Some(code), "{text}");
    text
}
