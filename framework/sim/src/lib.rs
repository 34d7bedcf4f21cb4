//! Ranks in virtual time: what a program does on a machine that is not there.
//!
//! | module | noun |
//! |---|---|
//! | [`link`] | what a message costs: [`Link`], [`Port`] |
//! | [`machine`] | where ranks sit, what computing costs: [`Machine`] |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod link;
pub mod machine;

pub use link::{Flight, Link, Port};
pub use machine::{Distance, Machine};
