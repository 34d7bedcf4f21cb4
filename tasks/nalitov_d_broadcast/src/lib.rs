//! Broadcast: what one rank has, every rank gets. Assignment 2.1 of the processes semester.
//!
//! The rules: only send and receive, a function with the prototype of `MPI_Bcast`, any root, arrays of int, float and
//! double, and a tree of processes instead of one sender for all.
//!
//! | module | noun |
//! |---|---|
//! | [`mod@broadcast`] | the algorithm: [`broadcast()`](broadcast::broadcast) over a binomial tree, and [`Broadcast`] for measuring it |
//! | [`problem`] | what is asked: [`Broadcasting`], its [`Input`] and [`Data`], and the oracle |
//! | [`seq`] | [`Seq`]: a copy, the reference for the answers |
//! | [`mpi`] | [`Mpi`]: the data from the root to everybody |
#![forbid(unsafe_code)]

pub mod broadcast;
pub mod mpi;
pub mod problem;
pub mod seq;

pub use broadcast::Broadcast;
pub use mpi::Mpi;
pub use problem::{Broadcasting, Data, Input};
pub use seq::Seq;
