//! Students' tasks with one mistake each: what `tests/planted.rs` starts to see whether the report names its cause, rank and line.
//! A plain `cargo test` does not run them.
//!
//! A mark contains what the first line of a report must name: `//~ WB0003 1` is the code and the rank whose call is in that
//! line; `//~ "panicked" 2` is a word of the headline where there is no code. Above a test it asks for no line: the calls are
//! right there, and only the values are wrong.

mod arguments;
mod collectives;
mod problems;
mod values;
mod waiting;

workbench::test_binary!();
