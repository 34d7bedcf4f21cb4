//! The tests of the crate's interface.

mod programs;
mod shared_memory;
mod windows;
