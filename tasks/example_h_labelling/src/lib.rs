//! Labels of the components of a binary image, sequentially and on many ranks.
//!
//! Two object pixels that share a side belong to the same component. The label of a component is the number of its first
//! pixel, counted from 1 row by row; the background has the label 0. So each image has one right output, for every number of
//! ranks.
//!
//! Each rank labels the components of its strip of rows. A component that is in several strips then has several labels. The
//! ranks compare the rows on both sides of each border, and every rank gets the pairs of labels that meet there:
//!
//! ```text
//!             pixels        labels in the strips       after the pairs
//!   rank 0    # # . # .      1  1  .  4  .             1  1  .  1  .
//!             # . . # .      1  .  .  4  .             1  .  .  1  .
//!           - - - - - - -   (1, 11) and (4, 11) meet   4 and 11 become 1, on every rank
//!   rank 1    # # # # .     11 11 11 11  .             1  1  1  1  .
//!             . . . . #      .  .  .  . 20             .  .  .  . 20
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`problem`] | the problem: [`BinaryImage`], [`Labelling`], and the oracle |
//! | [`strip`] | the components of a strip, which both versions share |
//! | [`merge`] | the pairs of labels at the borders, and the smallest label of each component |
//! | [`seq`] | [`Seq`]: one strip, the whole image |
//! | [`mpi`] | [`Mpi`]: a strip for each rank |
#![forbid(unsafe_code)]

pub mod merge;
pub mod mpi;
pub mod problem;
pub mod seq;
pub mod strip;

pub use mpi::Mpi;
pub use problem::{BinaryImage, Labelling};
pub use seq::Seq;
