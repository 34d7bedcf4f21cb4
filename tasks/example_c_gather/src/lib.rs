//! Gather: one rank gets the data of every rank. Assignment 2.5 of the processes semester.
//!
//! The rules: only send and receive, a function with the prototype of `MPI_Gather`, any root, arrays of int, float and
//! double, and a tree of processes instead of messages from each rank to the root.
//!
//! ```text
//!           rank 0   rank 1   rank 2   rank 3
//! before:   [a b]    [c d]    [e f]    [g h]
//! after:               [a b c d e f g h]  on the root, here rank 1
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`problem`] | the problem: [`Parts`], [`Gathering`] and the oracle |
//! | [`mod@gather`] | the algorithm: [`gather()`](gather::gather) over a binomial tree |
//! | [`seq`] | [`Seq`]: a copy of all parts, the reference for the output |
//! | [`mpi`] | [`Mpi`]: each rank has its part, and the root gathers them |
#![forbid(unsafe_code)]

pub mod gather;
pub mod mpi;
pub mod problem;
pub mod seq;

pub use mpi::Mpi;
pub use problem::{Gathering, Parts};
pub use seq::Seq;
