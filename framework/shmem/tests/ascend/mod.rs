//! The tests of the crate's interface.

mod laws;
mod refusals;
