//! The product C = A B of sparse matrices in compressed row storage (CRS), sequentially and on many ranks.
//!
//! Row i of C is the sum of the rows k of B, each multiplied by the element (i, k) of A. So each rank gets a strip of A's rows
//! and the whole of B, and computes the same strip of C:
//!
//! ```text
//!        A            B            C
//!   +---------+  +---------+  +---------+
//!   | rank 0  |  |         |  | rank 0  |     the strips have different heights:
//!   +---------+  |  every  |  +---------+     about as many multiplications in each
//!   |         |  |  rank   |  |         |
//!   | rank 1  |  |         |  | rank 1  |
//!   +---------+  +---------+  +---------+
//! ```
//!
//! The rows of a sparse matrix need different amounts of work, so the root counts the multiplications of each row and
//! divides their number, not that of the rows.
//!
//! | module | contents |
//! |---|---|
//! | [`crs`] | [`Crs`]: a sparse matrix by rows |
//! | [`problem`] | the problem: [`SparseFactors`], [`SparseProduct`], and the oracle |
//! | [`product`] | the product of rows, which both versions share, and its number of multiplications |
//! | [`strips`] | the strips of a sparse matrix: how they are divided, scattered and gathered |
//! | [`seq`] | [`Seq`]: one strip, all of A |
//! | [`mpi`] | [`Mpi`]: a strip for each rank |
#![forbid(unsafe_code)]

pub mod crs;
pub mod mpi;
pub mod problem;
pub mod product;
pub mod seq;
pub mod strips;

pub use crs::Crs;
pub use mpi::Mpi;
pub use problem::{SparseFactors, SparseProduct};
pub use seq::Seq;
