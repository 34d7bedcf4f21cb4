//! The solution of A x = b with a symmetric positive definite matrix A by conjugate gradients, with the rows of A distributed
//! over the ranks.
//!
//! Each iteration multiplies A by a direction p. A rank has a strip of the rows of A and the whole of each vector, so it
//! computes its part of A p, and the parts are gathered on all ranks:
//!
//! ```text
//!        A            p     A p
//!   +---------+      +-+    +-+
//!   | rank 0  |      | |    |0|  \
//!   +---------+      |e|    +-+   |   one collective call: each rank gets the parts
//!   | rank 1  |   x  |v| =  |1|   +-> of all others, and all have the same vector
//!   +---------+      |e|    +-+   |
//!   | rank 2  |      |r|    |2|  /
//!   +---------+      +-+    +-+
//! ```
//!
//! Everything else are operations on vectors. They take 10 n operations in an iteration, and the product 2 n^2 / P. Every
//! rank executes them on whole vectors: to divide them would save less than the two reductions that their sums need.
//!
//! | module | contents |
//! |---|---|
//! | [`problem`] | the problem: [`PositiveSystem`], [`Minimising`], and the oracle |
//! | [`iteration`] | the iterations for any product with A, which both versions share |
//! | [`seq`] | [`Seq`]: one rank has all rows |
//! | [`mpi`] | [`Mpi`]: a strip of rows for each rank |
#![forbid(unsafe_code)]

pub mod iteration;
pub mod mpi;
pub mod problem;
pub mod seq;

pub use mpi::Mpi;
pub use problem::{Minimising, PositiveSystem};
pub use seq::Seq;
pub use workbench::Matrix;
