//! The laboratory as a program: `cargo wb barriers bench` starts it, and it starts itself.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    wb_laboratory::main(&[])
}
