//! The functional harness: is a task right, on every backend, at every number of ranks?
//!
//! The invariant: *a test passes on positive evidence only.* Every rank reports how each of its runs ended, and the verdict is a pure
//! function of all reports (`evaluation`). An exit code, a launcher without output or a rank without a report cannot make a test pass, and
//! cannot make it hang.
//!
//! | module | contents |
//! |---|---|
//! | `test` | a test: the student's description ([`Functional`]), its runs with their types erased, limits and settings |
//! | `process_role` | how this process was started, and its role in a test |
//! | `launcher_side` | the process of a plain `cargo test`, which starts jobs: their coordination, and how they end |
//! | `rank_side` | the processes in which ranks run: members of a job, their runs and the limits of these |
//! | `coordinator` | coordinates the processes of a job, and has all their evidence |
//! | `job_protocol` | what processes of a job and their coordinator exchange: orders, events and instructions; exit codes and times |
//! | `evidence` | what processes have reported: reports of ranks, and their combination |
//! | `replay` | the call traces of MPI ranks, and the findings of their replay |
//! | `evaluation` | the verdict on a run and on a test, from the evidence alone |
//! | `report` | the mistakes of all backends as one report, counts and records |
//! | `programs` | programs without a task, on real ranks, and the findings about them |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod coordinator;
mod evaluation;
mod evidence;
mod job_protocol;
mod launcher_side;
mod process_role;
pub mod programs;
mod rank_side;
mod replay;
mod report;
#[cfg(test)]
#[path = "../../task/tests/shared/slow_stages.rs"]
mod slow_stages;
mod test;

pub use test::suite::Functional;
