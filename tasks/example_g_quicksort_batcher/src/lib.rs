//! Sorting of numbers: each rank sorts its block by quicksort, then Batcher's odd-even merge sort puts the blocks in order.
//!
//! Batcher's network consists of stages, and each stage of comparators between two lines. A line is a rank with a sorted
//! block. Where the network compares two numbers, two ranks exchange their blocks, and the one above keeps the smaller
//! half of all numbers, the one below the larger half:
//!
//! ```text
//!   rank 0  --o-----------o------------     P = 4: three stages
//!   rank 1  --o--------------o--o------
//!   rank 2  -----o--------o-----o------     stage 1: 0-1, 2-3
//!   rank 3  -----o-----------o---------     stage 2: 0-2, 1-3
//!                                           stage 3: 1-2
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`problem`] | the problem: [`Unsorted`], [`Sorting`], and the oracle |
//! | [`mod@quicksort`] | the sort of a block, which both versions share |
//! | [`network`] | the stages of Batcher's network for any number of ranks |
//! | [`seq`] | [`Seq`]: one block, all numbers |
//! | [`mpi`] | [`Mpi`]: a block for each rank, and the network |
#![forbid(unsafe_code)]

pub mod mpi;
pub mod network;
pub mod problem;
pub mod quicksort;
pub mod seq;

pub use mpi::Mpi;
pub use problem::{Sorting, Unsorted};
pub use seq::Seq;
