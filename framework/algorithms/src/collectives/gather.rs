//! Gathers: every rank's block reaches the root.

pub mod linear;

pub use linear::linear;
