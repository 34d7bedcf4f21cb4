//! Odd-even transposition sort of blocks (Habermann 1972), whose phases any barrier of the catalogue may separate.
//!
//! Each rank has a sorted block, which the others can read in its window. In phase k ranks 2i + k mod 2 and its right
//! neighbour read each other's block; the left one keeps the smaller half of both, the right one the larger. After as
//! many phases as there are ranks all is sorted.
//!
//! *Reading takes part on one side only.* Nothing tells a rank that its neighbour has written the block of this phase, or
//! that it has read the one that is about to be overwritten; a lock excludes others and orders nothing. So a barrier
//! stands between any two phases, and without it the answer is wrong, as a test shows with one late rank. One barrier a
//! phase is enough, because a window has room for two blocks:
//!
//! ```text
//!   phase k    read the neighbour's block k mod 2, write the own block (k + 1) mod 2
//!   barrier    all blocks (k + 1) mod 2 are written, all blocks k mod 2 have been read
//!   phase k+1  read the neighbour's block (k + 1) mod 2, write the own block k mod 2
//! ```
//!
//! | module | noun |
//! |---|---|
//! | [`problem`] | what is asked: [`Sorting`], its [`Numbers`] and the name of the barrier |
//! | [`seq`] | [`Seq`]: the library's sort |
//! | [`phases`] | the phases, whatever separates them |
//! | [`mpi`] | [`Mpi`]: blocks, phases and the barrier of that name |
#![forbid(unsafe_code)]

pub mod mpi;
pub mod phases;
pub mod problem;
pub mod seq;

pub use mpi::Mpi;
pub use problem::{Numbers, Sorting};
pub use seq::Seq;
