//! The functional harness: is a task right, on every backend, at every number of ranks?
//!
//! The invariant: *a test passes on positive evidence only.* Every rank writes into a journal how it
//! came out of every run, and the verdict is a pure function of what all ranks wrote (`judge`). An exit code, a quiet
//! launcher, a rank that is not heard of: none of them makes a test pass, and none of them can hang it.
//!
//! | module | noun |
//! |---|---|
//! | `suite` | the test as a student writes it: [`Functional`] |
//! | `erased_test`, `test_case`, `test_run` | a test, its runs, and what is expected of each; types erased |
//! | `process_role` | how this process was started, and what a test therefore does in it |
//! | `parent`, `launched` | a test in a process that starts jobs; in a rank of the user's own job |
//! | `backend_job` | the jobs that a plain `cargo test` starts |
//! | `child` | the job on threads, and that in virtual time |
//! | `rank_worker` | a rank of a job |
//! | `rendezvous`, `journal`, `rank_report`, `evidence` | what the ranks write down, and how they agree by it |
//! | `call_trace`, `communicator_map`, `replay` | what real ranks called, and what all of it together says |
//! | `watchdog` | the watchdog that ends a run |
//! | `judge`, `diagnosis`, `outputs`, `failure_report` | the verdict on a run |
//! | `mistake` | the verdicts of all backends, sorted by what they are about |
//! | `verdict`, `report`, `summary`, `records` | how it is told |
//! | `programs` | programs without a task, on real ranks: what is found in them |
//! | `threads`, `virtual_time` | one run of ranks that share a process |
//! | `settings` | what is wrong with `course.yaml` and `task.yaml` |
//! | `panics`, `digest`, `activity`, `memory_failure`, `unterminated`, `processes`, `captured_output`, `limit`, `rank_lock` | small ones |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod activity;
mod backend_job;
mod call_trace;
mod captured_output;
mod child;
mod communicator_map;
mod diagnosis;
mod digest;
mod erased_test;
mod evidence;
mod failure_report;
mod journal;
mod judge;
mod launched;
mod limit;
mod memory_failure;
mod mistake;
mod outputs;
mod panics;
mod parent;
mod process_role;
mod processes;
pub mod programs;
mod rank_lock;
mod rank_report;
mod rank_worker;
mod records;
mod rendezvous;
mod replay;
mod report;
mod settings;
#[cfg(test)]
#[path = "../../task/tests/shared/slow_stages.rs"]
mod slow_stages;
mod suite;
mod summary;
mod test_case;
mod test_run;
mod threads;
mod unterminated;
mod verdict;
mod virtual_time;
mod watchdog;

pub use suite::Functional;
