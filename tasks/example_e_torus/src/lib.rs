//! A torus of processes: a vector goes from any rank to any rank over a grid whose rows and columns are rings.
//! Assignment 2.9 of the processes semester.
//!
//! The rules: the topology is the task's own, the functions of MPI for Cartesian and graph topologies are forbidden. Each
//! rank sends to its four neighbours only. Here is the way from rank 1 to rank 10 with P = 12 ranks:
//!
//! ```text
//!          |     |     ‖     |
//!        - 0 --- 1 === 2 --- 3 -      first along the row, in the shorter direction: 1 -> 2
//!          |     |     |     |
//!        - 4 --- 5 --- 6 --- 7 -      then along the column, in the shorter direction: 2 -> 10
//!          |     |     |     |
//!        - 8 --- 9 -- 10 -- 11 -      the columns are rings, so 2 and 10 are neighbours
//!          |     |     ‖     |
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`problem`] | the problem: [`Letter`], [`Delivery`], [`Routing`] and the oracle |
//! | [`torus`] | the topology: [`Torus`] with places, neighbours, distances and routes |
//! | [`transfer`] | the transfer of a vector along a route |
//! | [`seq`] | [`Seq`]: the route without a transfer, the reference for the output |
//! | [`mpi`] | [`Mpi`]: the vector goes along the route, and back |
#![forbid(unsafe_code)]

pub mod mpi;
pub mod problem;
pub mod seq;
pub mod torus;
pub mod transfer;

pub use mpi::Mpi;
pub use problem::{Delivery, Letter, Routing};
pub use seq::Seq;
pub use torus::Torus;
