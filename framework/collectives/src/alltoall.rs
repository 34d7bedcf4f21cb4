//! Everybody has a block for everybody.

pub mod pairwise;

pub use pairwise::pairwise;
