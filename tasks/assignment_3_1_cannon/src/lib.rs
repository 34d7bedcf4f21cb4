//! Assignment 3.1: the product of dense square matrices in blocks, by Cannon's algorithm. `statement.en.md` and `statement.ru.md` are its statement.
//!
//! | module | contents |
//! |---|---|
//! | [`problem`] | [`BlockProduct`], its input [`SquareFactors`], and the oracle |
//! | `reference` | [`Reference`], a product in blocks |
//! | `graded` | the graded and the refused inputs, the comparison |
#![forbid(unsafe_code)]

mod graded;
pub mod problem;
mod reference;

pub use problem::{BlockProduct, SquareFactors};
pub use reference::Reference;
