//! Assignment 2.1: broadcast, one to all. `statement.en.md` and `statement.ru.md` are its statement.
//!
//! | module | contents |
//! |---|---|
//! | [`problem`] | [`Broadcasting`], its input [`Sent`], and the oracle |
//! | `reference` | [`Reference`]: a copy |
//! | `graded` | the graded and the refused inputs, the comparison |
#![forbid(unsafe_code)]

mod graded;
pub mod problem;
mod reference;

pub use problem::{Broadcasting, Sent};
pub use reference::Reference;
