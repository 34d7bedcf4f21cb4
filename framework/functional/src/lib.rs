//! The functional harness: is a task right, on every backend, at every number of ranks?
//!
//! The invariant: *a test passes on positive evidence only.* Every rank writes into a journal how it
//! came out of every run, and the verdict is a pure function of what all ranks wrote (`judge`). An exit code, a quiet
//! launcher, a rank that is not heard of: none of them makes a test pass, and none of them can hang it.
//!
//! | module | contents |
//! |---|---|
//! | `test` | a test: what the student writes ([`Functional`]), its runs with their types erased, limits and settings |
//! | `process_role` | how this process was started, and what a test therefore does in it |
//! | `launcher_side` | the process of a plain `cargo test`, which starts jobs and looks the verdicts up |
//! | `rank_side` | the processes in which ranks run: watchdog, journal, synchronisation with the other ranks |
//! | `job_protocol` | what both sides agree on: variables, files, exit codes, times |
//! | `evidence` | what the ranks write down: journals, reports of ranks, and all of it together |
//! | `replay` | the call traces of MPI ranks, and what a replay of all of them finds |
//! | `judge` | the verdict on a run and on a test, from the evidence alone |
//! | `report` | the mistakes of all backends as one report, counts and records |
//! | `programs` | programs without a task, on real ranks: what is found in them |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod evidence;
mod job_protocol;
mod judge;
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
