//! Assignment 1.20: a definite integral by the trapezoidal rule. `statement.en.md` and `statement.ru.md` are its statement.
//!
//! | module | contents |
//! |---|---|
//! | [`problem`] | [`Integral`], its [`Input`] and [`Function`]s, and the oracle |
//! | `reference` | [`Reference`], the sequential version |
//! | `graded` | the graded and the refused inputs, the comparison |
#![forbid(unsafe_code)]

mod graded;
pub mod problem;
mod reference;
mod trapezoids;

pub use problem::{Function, Input, Integral};
pub use reference::Reference;
