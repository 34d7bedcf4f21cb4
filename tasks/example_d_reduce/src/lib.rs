//! Reduce: one rank gets the combination of vectors of all ranks. Assignment 2.2 of the processes semester.
//!
//! The rules: only send and receive, a function with the prototype of `MPI_Reduce`, any root, arrays of int, float and
//! double, and a tree of processes instead of messages from each rank to the root.
//!
//! ```text
//!           rank 0   rank 1   rank 2   rank 3
//! before:   [1 5]    [2 6]    [3 7]    [4 8]
//! after:             [10 26]                     the sum, on the root, here rank 1
//! ```
//!
//! The problem is the instructor's: [`Reducing`] of the crate `assignment_2_2_reduce`, with its [`Operands`].
//!
//! | module | contents |
//! |---|---|
//! | [`element`] | [`Element`]: the three types and how two elements are combined, which both versions share |
//! | [`mod@reduce`] | the algorithm: [`reduce()`](reduce::reduce) over a binomial tree |
//! | [`seq`] | [`Seq`]: all vectors one after the other, the reference for the output |
//! | [`mpi`] | [`Mpi`]: each rank combines its own vectors, and the tree combines the results |
#![forbid(unsafe_code)]

pub mod element;
pub mod mpi;
pub mod reduce;
pub mod seq;

pub use assignment_2_2_reduce::{Combine, Operands, Reducing};
pub use element::Element;
pub use mpi::Mpi;
pub use seq::Seq;
