//! Assignment 2.7: a ring of processes, any process to any process. `statement.en.md` and `statement.ru.md` are its statement.
//!
//! | module | contents |
//! |---|---|
//! | [`problem`] | [`Ring`], its input [`Letter`], its output [`Delivery`], and the oracle |
//! | `reference` | [`Reference`], which computes the route |
//! | `graded` | the graded and the refused inputs, the comparison |
#![forbid(unsafe_code)]

mod graded;
pub mod problem;
mod reference;

pub use problem::{Delivery, Letter, Ring};
pub use reference::Reference;
