//! Broadcasts: the root's data reaches everybody.

pub mod binomial;

pub use binomial::binomial;
