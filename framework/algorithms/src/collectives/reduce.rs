//! Reductions to one rank.

pub mod binomial;

pub use binomial::binomial;
