//! The tests of the crate's interface.

mod board;
mod pages;
mod schema;
