//! A ring of processes: a vector goes from any rank to any rank, each rank sends to the next one only. Assignment 2.7 of the
//! processes semester.
//!
//! ```text
//!        from            to
//!          1 ==> 2 ==> 3
//!          ^           :          the vector goes from 1 to 3,
//!          :...< 0 <...:          and the delivery continues from 3 to 1
//! ```
//!
//! The problem is the instructor's: [`Ring`] of the crate `assignment_2_7_ring`, with its [`Letter`] and [`Delivery`].
//!
//! | module | contents |
//! |---|---|
//! | [`circle`] | one circle around the ring: [`Neighbours`](circle::Neighbours) |
//! | [`seq`] | [`Seq`]: the route without a transfer, the reference for the output |
//! | [`mpi`] | [`Mpi`]: the vector makes one circle |
#![forbid(unsafe_code)]

pub mod circle;
pub mod mpi;
pub mod seq;

pub use assignment_2_7_ring::{Delivery, Letter, Ring};
pub use mpi::Mpi;
pub use seq::Seq;
