//! Reductions to everybody.

pub mod reduce_bcast;

pub use reduce_bcast::reduce_bcast;
