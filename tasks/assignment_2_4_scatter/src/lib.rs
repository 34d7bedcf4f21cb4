//! Assignment 2.4: scatter. `statement.en.md` and `statement.ru.md` are its statement.
//!
//! | module | contents |
//! |---|---|
//! | [`problem`] | [`Scattering`], its input [`Whole`], and the oracle |
//! | `reference` | [`Reference`], which cuts the vector |
//! | `graded` | the graded and the refused inputs, the comparison |
#![forbid(unsafe_code)]

mod graded;
pub mod problem;
mod reference;

pub use problem::{Scattering, Whole};
pub use reference::Reference;
