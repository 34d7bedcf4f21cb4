//! The lengths of shortest paths from one vertex of a graph in compressed row storage (CRS), by Dijkstra's algorithm.
//!
//! Dijkstra's algorithm settles the queued vertex with the smallest distance, again and again: n steps, one after the other. A
//! parallel version must settle several vertices in one step. A queued vertex v is final, too, if no other queued vertex can
//! shorten its path:
//!
//! ```text
//! d(v) <= L,   L = the smallest d(u) + (lightest edge from u) of all queued vertices u
//!
//!    queued:    a: d = 3, lightest edge 4        L = min(3 + 4, 5 + 6, 9 + 1) = 7
//!               b: d = 5, lightest edge 6        a and b are settled in the same round,
//!               c: d = 9, lightest edge 1        c is not: a path over a may be shorter
//! ```
//!
//! This is the OUT criterion of Crauser, Mehlhorn, Meyer and Sanders (A parallelization of Dijkstra's shortest path algorithm,
//! MFCS 1998). A random graph of n vertices needs about the square root of n rounds instead of n steps.
//!
//! Each rank has a block of consecutive vertices with their outgoing edges:
//!
//! ```text
//!   vertices   0 ............ 99 | 100 .......... 199 | 200 .......... 299
//!   rank               0         |         1          |         2
//!   edge (7, 150): rank 0 relaxes it and sends the distance of 150 to rank 1
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`graph`] | [`Graph`]: a directed graph with weights |
//! | [`problem`] | the problem: [`PathQuery`], [`ShortestPaths`], and the oracle |
//! | [`queue`] | the queued vertices of a rank |
//! | [`seq`] | [`Seq`]: Dijkstra's algorithm with a heap |
//! | [`mpi`] | [`Mpi`]: a block of vertices for each rank, in rounds |
#![forbid(unsafe_code)]

pub mod graph;
pub mod mpi;
pub mod problem;
pub mod queue;
pub mod seq;

pub use graph::Graph;
pub use mpi::Mpi;
pub use problem::{PathQuery, ShortestPaths};
pub use seq::Seq;
