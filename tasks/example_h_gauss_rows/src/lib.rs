//! The solution of a dense linear system A x = b by Gauss elimination, with the rows distributed over the ranks.
//!
//! Row i is on rank i mod P. In step k the owner of row k broadcasts it, and every rank eliminates the k-th unknown from
//! its rows below:
//!
//! ```text
//!  row   rank                          step k = 2, P = 3
//!   0     0     | x x x x x x | b
//!   1     1     |   x x x x x | b
//!   2     2     |     P x x x | b      <- the pivot row, broadcast from rank 2
//!   3     0     |     x x x x | b      <- ranks 0, 1, 2 eliminate the third
//!   4     1     |     x x x x | b         unknown from their rows
//!   5     2     |     x x x x | b
//! ```
//!
//! The distribution is cyclic, because the rows above k need no more work: with one strip of neighbouring rows for each rank
//! the first ranks would have finished early. So the numbers of rows below k differ by at most one.
//!
//! **Pivots** are searched in the row, and columns are exchanged. A search in the column, over all ranks, would need a
//! reduction and an exchange of rows in each step; a search in the row needs no message, because every rank has the row.
//! It is as stable: it is the search in the column of the transposed matrix.
//!
//! | module | contents |
//! |---|---|
//! | [`problem`] | the problem: [`LinearSystem`], [`Solving`], and the oracle |
//! | [`elimination`] | the rows of a rank, and the steps on them, which both versions share |
//! | [`seq`] | [`Seq`]: one rank has all rows |
//! | [`mpi`] | [`Mpi`]: the rows are distributed cyclically |
#![forbid(unsafe_code)]

pub mod elimination;
pub mod mpi;
pub mod problem;
pub mod seq;

pub use mpi::Mpi;
pub use problem::{LinearSystem, Solving};
pub use seq::Seq;
pub use workbench::Matrix;
