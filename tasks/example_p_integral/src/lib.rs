//! A definite integral by the trapezoidal rule, sequentially and on many ranks.
//!
//! The first example to read: almost all of a parallel program with almost none of its difficulties. The steps are
//! independent, so each rank takes a block of them, and all that has to travel is the question (four numbers out) and
//! the answers (one number back from each rank).
//!
//! | module | noun |
//! |---|---|
//! | [`problem`] | what is asked: [`Integral`], its [`Input`], and the oracle that judges an answer |
//! | [`trapezoids`] | the sum over a block of steps, which both versions share |
//! | [`seq`] | [`Seq`]: one rank takes all the steps |
//! | [`mpi`] | [`Mpi`]: every rank takes a block, the sums meet on rank 0 |
#![forbid(unsafe_code)]

pub mod mpi;
pub mod problem;
pub mod seq;
pub mod trapezoids;

pub use mpi::Mpi;
pub use problem::{Function, Input, Integral};
pub use seq::Seq;
