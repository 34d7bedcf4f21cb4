//! Odd-even transposition sort of blocks (Habermann 1972), with any barrier of the catalogue between its phases.
//!
//! Each rank has a sorted block in its window, which the other ranks can read. In phase k ranks 2i + k mod 2 and their
//! right neighbours read each other's blocks. The left rank keeps the smaller half of both blocks, the right rank the
//! larger half. After as many phases as there are ranks, the numbers are sorted.
//!
//! *A read is one-sided.* A rank has no information whether its neighbour has written the block of this phase, or has
//! read the block that is overwritten next. A lock gives mutual exclusion and no order. So a barrier separates the
//! phases. Without it the result is wrong; a test shows this with one late rank. One barrier for each phase is enough,
//! because a window has room for two blocks:
//!
//! ```text
//!   phase k    read the neighbour's block k mod 2, write the own block (k + 1) mod 2
//!   barrier    all blocks (k + 1) mod 2 are written, all blocks k mod 2 have been read
//!   phase k+1  read the neighbour's block (k + 1) mod 2, write the own block k mod 2
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`problem`] | the problem: [`Sorting`], its [`Numbers`] and the name of the barrier |
//! | [`seq`] | [`Seq`]: the library's sort |
//! | [`phases`] | the phases, with any separating operation |
//! | [`mpi`] | [`Mpi`]: blocks, phases and the selected barrier |
#![forbid(unsafe_code)]

pub mod mpi;
pub mod phases;
pub mod problem;
pub mod seq;

pub use mpi::Mpi;
pub use problem::{Numbers, Sorting};
pub use seq::Seq;
