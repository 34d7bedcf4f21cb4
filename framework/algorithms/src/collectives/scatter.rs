//! Scatters: the root's blocks reach their ranks.

pub mod linear;

pub use linear::linear;
