//! How it is run: the functional harness finds out whether a task is right, the performance harness how fast it is.
//!
//! The harness knows no backend: ranks come from [`wb_comm::Processes`] (real MPI jobs) and [`wb_comm::Threads`]
//! (ranks inside this process), which the facade hands in as [`Backends`].
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod errand;
mod folder;
pub mod functional;
pub mod launch;
mod objection;
pub mod performance;
mod said;
#[cfg(test)]
mod slow_stages;
mod version_number;
mod words;

pub use functional::Functional;
pub use wb_comm::Backends;
pub use words::Words;
