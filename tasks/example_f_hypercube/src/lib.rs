//! A hypercube of processes: a vector goes from any rank to any rank over links between ranks whose numbers
//! differ in one bit. Assignment 2.10 of the processes semester.
//!
//! The rules: the topology is the task's own, the functions of MPI for Cartesian and graph topologies are forbidden. Each
//! rank sends to its neighbours only. Here is the way from rank 5 to rank 2 with P = 8 ranks:
//!
//! ```text
//!           6 ------- 7
//!          /|        /|         5 = 101, 2 = 010: three bits differ, so the way has three links
//!         2 ------- 3 |
//!         ‖ |       | |         first bits are cleared:  101 -> 001 -> 000
//!         ‖ 4 ------|-5         then bits are set:       000 -> 010
//!         ‖/        |//
//!         0 ======= 1
//! ```
//!
//! Any number of ranks is allowed: with P = 7 the same way is used, because it does not need the missing rank 7.
//!
//! | module | contents |
//! |---|---|
//! | [`problem`] | the problem: [`Letter`], [`Delivery`], [`Routing`] and the oracle |
//! | [`hypercube`] | the topology: [`Hypercube`] with distances and routes |
//! | [`transfer`] | the transfer of a vector along a route |
//! | [`seq`] | [`Seq`]: the route without a transfer, the reference for the output |
//! | [`mpi`] | [`Mpi`]: the vector goes along the route, and back |
#![forbid(unsafe_code)]

pub mod hypercube;
pub mod mpi;
pub mod problem;
pub mod seq;
pub mod transfer;

pub use hypercube::Hypercube;
pub use mpi::Mpi;
pub use problem::{Delivery, Letter, Routing};
pub use seq::Seq;
