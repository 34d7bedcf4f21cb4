//! The performance harness, which measures how fast a task is.
//!
//! One program has two parts. Started by cargo it is the *orchestrator*: it plans launches, starts one job after the
//! other — the sequential version alone in a separate process, the parallel one under its own launcher — and writes a
//! record of every result. Started by the orchestrator it is a *worker*: one rank of one job, which executes orders
//! and answers over its channel.
//!
//! The invariant: *every number in a record is confirmed by all ranks that were measured.* The number of ranks is that
//! of the running job, every rank leaves an answer, the problem's oracle checks every repetition's output outside the
//! timed region, and a pass that hangs is interrupted and named.
//!
//! | module | contents |
//! |---|---|
//! | `program`, `program_main` | the versions of the task, with their types erased; the `main` of a benchmark and of a judge |
//! | `arguments`, `settings` | the requested measurement: command line, `task.yaml`, `course.yaml` |
//! | `schedule` | the jobs and their order, and the library's algorithm that a job fixes |
//! | `campaign` | runs the schedule and writes the records |
//! | `job` | one job: its order and the answers of its ranks, its deadline, its evidence |
//! | [`judge`] | the judge apart from the judged, and their protocol |
//! | `judged_job`, `judged_sweep` | jobs of ranks under a judge |
//! | `series_table` | the series as they grow over the launches, and their summary |
//! | `job_worker` | executes an order |
//! | `bench` | a rank's tools: the common start, the exchange of results |
//! | `pass_data` | a new input for every repetition, and the oracle's verdict on an output |
//! | `measure` | one workload, `run` alone and all stages |
//! | `sample` | one repetition, on a rank and on all ranks; the times of all ranks together, on one clock or several |
//! | `sweep` | a communication assignment compared with the library |
//! | `checked` | small inputs in every order that MPI allows |
//! | `simulated` | one pass in virtual time |
//! | `all_ranks` | their worker, and its description of a task that does not end |
//! | `traced` | one pass with every call recorded |
//! | `kernel` | computation without communication: ceiling and sentinel |
//! | `record_file` | the file of the records, for one run at a time |
//! | `usage` | processor time, switches |
//! | `display` | the progress |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod all_ranks;
mod arguments;
mod bench;
mod campaign;
#[cfg(test)]
mod cheat_tests;
mod checked;
mod display;
mod job;
mod job_worker;
pub mod judge;
mod judged_job;
mod judged_sweep;
mod kernel;
mod measure;
mod pass_data;
mod program;
mod program_main;
mod record_file;
mod sample;
mod schedule;
mod series_table;
mod settings;
mod simulated;
#[cfg(test)]
#[path = "../../task/tests/shared/slow_stages.rs"]
mod slow_stages;
mod sweep;
mod traced;
mod usage;

pub use program::{BenchmarkProgram, Package, SelectAssignment, SelectNoVerb, SelectOwnProblem, SelectVerb};
pub use program_main::{judge_main, main};
