//! Assignment 1.9: the dot product of two vectors. `statement.en.md` and `statement.ru.md` are its statement.
//!
//! | module | contents |
//! |---|---|
//! | [`problem`] | [`DotProduct`], its input [`Vectors`], and the oracle |
//! | `reference` | [`Reference`], the sequential version |
//! | `graded` | the graded and the refused inputs, the comparison |
#![forbid(unsafe_code)]

mod graded;
pub mod problem;
mod reference;

pub use problem::{DotProduct, Vectors};
pub use reference::Reference;
