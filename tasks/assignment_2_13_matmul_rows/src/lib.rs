//! Assignment 2.13: the product of dense matrices, horizontal strips of A only. `statement.en.md` and `statement.ru.md` are its statement.
//!
//! | module | contents |
//! |---|---|
//! | [`problem`] | [`StripProduct`], its input [`Factors`], and the oracle |
//! | `reference` | [`Reference`], a product in blocks |
//! | `graded` | the graded and the refused inputs, the comparison |
#![forbid(unsafe_code)]

mod graded;
pub mod problem;
mod reference;

pub use problem::{Factors, StripProduct};
pub use reference::Reference;
