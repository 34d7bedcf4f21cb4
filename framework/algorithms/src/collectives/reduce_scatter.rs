//! Reductions of which every rank gets its block.

pub mod pairwise;

pub use pairwise::pairwise;
