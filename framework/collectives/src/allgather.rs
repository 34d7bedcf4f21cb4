//! Allgathers: everybody's block reaches everybody.

pub mod ring;

pub use ring::ring;
