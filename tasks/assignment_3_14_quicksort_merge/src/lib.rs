//! Assignment 3.14: quicksort with simple merge. `statement.en.md` and `statement.ru.md` are its statement.
//!
//! | module | contents |
//! |---|---|
//! | [`problem`] | [`Sort`], its input [`Unsorted`], and the oracle |
//! | `reference` | [`Reference`]: the library's sort |
//! | `graded` | the graded and the refused inputs, the comparison |
#![forbid(unsafe_code)]

mod graded;
pub mod problem;
mod reference;

pub use problem::{Sort, Unsorted};
pub use reference::Reference;
