//! OpenSHMEM's model in Rust.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod completing;
mod error;
pub mod partial;
pub mod slots;
mod strided;

pub use completing::Completing;
pub use error::{Error, Result, Shape};
pub use strided::Strided;
