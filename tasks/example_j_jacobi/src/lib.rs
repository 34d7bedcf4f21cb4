//! A system of linear equations by the Jacobi method, sequentially and on a ring of ranks. Assignment 2.18 of the processes semester.
//!
//! Each rank has a strip of the rows and the unknowns of these rows. A step needs all unknowns, so their blocks go once around the ring; a
//! rank uses each block while the next one is on its way. No rank ever has all unknowns:
//!
//! ```text
//!            A              x
//!   +----+----+----+      +----+
//!   | 00 | 01 | 02 |      | 0  |   rank 0 uses block 0, then 2, then 1
//!   +----+----+----+      +----+
//!   | 10 | 11 | 12 |      | 1  |   rank 1 uses block 1, then 0, then 2
//!   +----+----+----+      +----+
//!   | 20 | 21 | 22 |      | 2  |   rank 2 uses block 2, then 1, then 0
//!   +----+----+----+      +----+
//! ```
//!
//! The problem is the instructor's: [`Jacobi`] of the crate `assignment_2_18_jacobi`, with its [`LinearSystem`].
//!
//! | module | contents |
//! |---|---|
//! | [`step`] | the part of a step that both versions share |
//! | [`seq`] | [`Seq`]: one strip and one block |
//! | [`mpi`] | [`Mpi`]: a strip for each rank, and the blocks on the ring |
#![forbid(unsafe_code)]

pub mod mpi;
pub mod seq;
pub mod step;

pub use assignment_2_18_jacobi::{Jacobi, LinearSystem};
pub use mpi::Mpi;
pub use seq::Seq;
