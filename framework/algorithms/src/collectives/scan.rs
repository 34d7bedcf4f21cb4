//! Prefix reductions.

pub mod doubling;

pub use doubling::{exclusive, inclusive};
