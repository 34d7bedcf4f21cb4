//! Broadcast: every rank gets the data of one rank. Assignment 2.1 of the processes semester.
//!
//! The rules: only send and receive, a function with the prototype of `MPI_Bcast`, any root, arrays of int, float and
//! double, and a tree of processes instead of sends from one rank to all.
//!
//! | module | contents |
//! |---|---|
//! | [`mod@broadcast`] | the algorithm: [`broadcast()`](broadcast::broadcast) over a binomial tree, and [`Broadcast`] for measuring it |
//! | [`problem`] | the problem: [`Broadcasting`], its [`Input`] and [`Data`], and the oracle |
//! | [`seq`] | [`Seq`]: a copy, the reference for the output |
//! | [`mpi`] | [`Mpi`]: the broadcast from the root to every rank |
#![forbid(unsafe_code)]

pub mod broadcast;
pub mod mpi;
pub mod problem;
pub mod seq;

pub use broadcast::Broadcast;
pub use mpi::Mpi;
pub use problem::{Broadcasting, Data, Input};
pub use seq::Seq;
