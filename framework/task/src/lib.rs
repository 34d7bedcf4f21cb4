//! Tasks and their problems: the input, the output, the oracle, and the pipeline of four stages.
//!
//! Each stage's output is the next one's input, so a wrong order does not compile. No data are mutated between two
//! runs, so `run` can be repeated and timed.
//!
//! ```text
//! Rooted<Input> --validation--> --preprocessing--> Prepared --run--> Raw --postprocessing--> Rooted<Output>
//! ```
//!
//! SEQ is a [`Task`] on a world of one rank, MPI is a [`Task`] on any world: the trait, harness and oracle are the
//! same.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod assignment;
pub mod communication;
pub mod debug_parser;
pub mod difference;
pub mod failure;
pub mod matrix;
pub mod noise;
mod oracle_seed;
pub mod outline;
pub mod pipeline;
pub mod private_inputs;
pub mod problem;
pub mod progress;
pub mod special_float;
pub mod stage;
pub mod task;
pub mod tolerance;
pub mod typed_vec;
pub mod verdict;

pub use assignment::{Assignment, AssignmentId, GradedInput};
pub use communication::{Communication, LibraryVerb};
pub use difference::Difference;
pub use failure::Failure;
pub use matrix::Matrix;
pub use oracle_seed::set_oracle_seed;
pub use pipeline::{Pipeline, Prepared, Submitted, Validated};
pub use private_inputs::{PrivateInput, PrivateInputError};
pub use problem::{Problem, Workload};
pub use progress::{Progress, StageTimes};
pub use stage::Stage;
pub use task::{Input, Invalid, Output, Place, Task};
pub use tolerance::Tolerance;
pub use typed_vec::TypedVec;
pub use verdict::Verdict;

// The tests of the interface use the crate by its name, as others do.
#[cfg(test)]
extern crate self as wb_task;
#[cfg(test)]
#[path = "../tests/limit.rs"]
mod interface;
