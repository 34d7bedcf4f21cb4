//! Laws that hold across crates; each file of `tests/tests` is one of them, and opens with why.
//!
//! Every law loops over everything there is, and each has a canary: a planted fault that it must find.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod artifacts;
pub mod barrier_laws;
pub mod broken_files;
pub mod bug_programs;
pub mod canary_runner;
pub mod epochs;
pub mod generated_parts;
pub mod hosts;
#[cfg(feature = "mpi")]
pub mod job;
pub mod laws;
pub mod paths;
pub mod relaxed_rma;
pub mod rotated_contributions;
pub mod side_by_side;
pub mod sources;
pub mod task_compiler;
pub mod test_machine;
pub mod tokens;
pub mod verbs;
pub mod without_library;
pub mod wrong_barriers;
