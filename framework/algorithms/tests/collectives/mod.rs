//! The tests of the crate's interface.

mod programs;
mod windows;
