//! A definite integral by the trapezoidal rule, sequentially and on many ranks.
//!
//! This is the first example to read: a complete parallel program with little communication. The steps are independent,
//! so each rank computes a block of them. The communication is the input (four numbers to each rank) and the results
//! (one number from each rank).
//!
//! | module | contents |
//! |---|---|
//! | [`problem`] | the problem: [`Integral`], its [`Input`], and the oracle that checks an output |
//! | [`trapezoids`] | the sum over a block of steps, which both versions share |
//! | [`seq`] | [`Seq`]: one rank computes all the steps |
//! | [`mpi`] | [`Mpi`]: every rank computes a block, rank 0 gets the sum |
#![forbid(unsafe_code)]

pub mod mpi;
pub mod problem;
pub mod seq;
pub mod trapezoids;

pub use mpi::Mpi;
pub use problem::{Function, Input, Integral};
pub use seq::Seq;
