//! Assignment 2.18: a system of linear equations by the Jacobi method. `statement.en.md` and `statement.ru.md` are its statement.
//!
//! | module | contents |
//! |---|---|
//! | [`problem`] | [`Jacobi`], its input [`LinearSystem`], and the oracle |
//! | `reference` | [`Reference`], the sequential version |
//! | `graded` | the graded and the refused inputs, the comparison |
#![forbid(unsafe_code)]

mod graded;
pub mod problem;
mod reference;

pub use problem::{Jacobi, LinearSystem};
pub use reference::Reference;
