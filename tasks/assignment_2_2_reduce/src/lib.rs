//! Assignment 2.2: reduce over a tree, all to one. `statement.en.md` and `statement.ru.md` are its statement.
//!
//! | module | contents |
//! |---|---|
//! | [`problem`] | [`Reducing`], its input [`Operands`], and the oracle |
//! | `reference` | [`Reference`], which combines the vectors one after the other |
//! | `graded` | the graded and the refused inputs, the comparison |
#![forbid(unsafe_code)]

mod graded;
pub mod problem;
mod reference;

pub use problem::{Combine, Operands, Reducing};
pub use reference::Reference;
