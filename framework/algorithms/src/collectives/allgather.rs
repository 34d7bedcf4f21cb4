//! Allgathers: every rank's block reaches every rank.

pub mod ring;

pub use ring::ring;
