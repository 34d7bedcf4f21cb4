//! A dense matrix product C = A B by horizontal strips of A, sequentially and on many ranks.
//!
//! Each row of C depends on all of B and on one row of A. So each rank gets a strip of A's rows and the whole of B, and
//! computes the same strip of C:
//!
//! ```text
//!        A            B            C
//!   +---------+  +---------+  +---------+
//!   | rank 0  |  |         |  | rank 0  |
//!   +---------+  |  every  |  +---------+
//!   | rank 1  |  |  rank   |  | rank 1  |
//!   +---------+  |         |  +---------+
//!   | rank 2  |  |         |  | rank 2  |
//!   +---------+  +---------+  +---------+
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`matrix`] | [`Matrix`] in row-major order |
//! | [`problem`] | the problem: [`Product`], its [`Input`], and an oracle that is cheaper than the product |
//! | [`product`] | the product of a strip, which both versions share |
//! | [`seq`] | [`Seq`]: one strip, all of A |
//! | [`mpi`] | [`Mpi`]: a strip for each rank |
#![forbid(unsafe_code)]

pub mod matrix;
pub mod mpi;
pub mod problem;
pub mod product;
pub mod seq;

pub use matrix::Matrix;
pub use mpi::Mpi;
pub use problem::{Input, Product};
pub use seq::Seq;
