//! How it is run: the functional harness finds out whether a task is right, the performance harness how fast it is.
//!
//! The harness knows no backend: ranks come from [`wb_comm::ProcessRanks`] (real MPI jobs) and [`wb_comm::ThreadRanks`]
//! (ranks inside this process), which the facade hands in as [`Backends`].
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod arg_reader;
mod diff_report;
mod folder;
pub mod functional;
pub mod launch;
mod output_tail;
pub mod performance;
#[cfg(test)]
mod slow_stages;
mod version_number;
pub mod worker;

pub use arg_reader::ArgReader;
pub use functional::Functional;
pub use wb_comm::Backends;
