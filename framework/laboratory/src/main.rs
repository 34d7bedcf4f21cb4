//! The laboratory as a program, started by `cargo wb collectives bench` and by itself.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    wb_laboratory::main(&[])
}
