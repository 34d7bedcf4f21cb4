//! A dense matrix product C = A B in blocks by Cannon's algorithm, sequentially and on a square grid of ranks.
//!
//! Each rank of a grid of q x q ranks has one block of A, of B and of C. The blocks of A and B that it needs for its block
//! of C come to it one after the other: after each step the blocks of A move one rank to the left, those of B one rank
//! upwards. At the beginning the rows of A and the columns of B are skewed, so that blocks that meet can be multiplied:
//!
//! ```text
//!        A, skewed                B, skewed             in step s rank (i, j) multiplies
//!   +-----+-----+-----+     +-----+-----+-----+
//!   | A00 | A01 | A02 |     | B00 | B11 | B22 |           A(i, k) B(k, j),  k = (i + j + s) mod q
//!   | A11 | A12 | A10 |     | B10 | B21 | B02 |
//!   | A22 | A20 | A21 |     | B20 | B01 | B12 |         then A moves <- and B moves up
//!   +-----+-----+-----+     +-----+-----+-----+
//! ```
//!
//! The problem is the instructor's: [`BlockProduct`] of the crate `assignment_3_1_cannon`, with its [`SquareFactors`].
//!
//! | module | contents |
//! |---|---|
//! | [`product`] | the product of two blocks, which both versions share |
//! | [`grid`] | [`Grid`](grid::Grid): the square grid of ranks, and the blocks of a matrix on it |
//! | [`seq`] | [`Seq`]: one block, the whole matrix |
//! | [`mpi`] | [`Mpi`]: one block for each rank of the grid |
#![forbid(unsafe_code)]

pub mod grid;
pub mod mpi;
pub mod product;
pub mod seq;

pub use assignment_3_1_cannon::{BlockProduct, SquareFactors};
pub use mpi::Mpi;
pub use seq::Seq;
pub use workbench::Matrix;
