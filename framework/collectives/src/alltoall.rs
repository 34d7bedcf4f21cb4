//! Every rank has a block for every rank.

pub mod pairwise;

pub use pairwise::pairwise;
