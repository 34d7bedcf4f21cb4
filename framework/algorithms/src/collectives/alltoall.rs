//! All-to-all: every rank sends a different block to every rank.

pub mod pairwise;

pub use pairwise::pairwise;
