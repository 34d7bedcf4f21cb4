//! The tests of the crate's interface.

mod rules;
mod similarity;
