//! How fast a task is: the performance harness.
//!
//! One program has two parts. Started by cargo it is the *orchestrator*: it plans launches, starts one job after the
//! other — the sequential version alone in its own process, the parallel one under its own launcher — and writes a
//! record of everything it saw. Started by the orchestrator it is a *worker*: one rank of one job, which carries out an
//! order and leaves its answer in a file.
//!
//! The invariant: *a number in a record was measured by ranks that all said so.* The number of ranks is what the running
//! job sees, every rank leaves an answer, every repetition's output has been judged by the problem's oracle outside the
//! timed region, and what hangs is interrupted and named.
//!
//! | module | noun |
//! |---|---|
//! | `arguments`, `settings` | what is wanted: command line, `task.yaml`, `course.yaml` |
//! | `schedule` | which jobs, in which order |
//! | `campaign` | runs the schedule and writes the records |
//! | `job` | one job: its command, its deadline, its evidence |
//! | `series_table` | the series as they grow over the launches |
//! | `forced` | the library's algorithm, held fast for comparison |
//! | `job_spec` | what is asked of a worker and what it answers |
//! | `job_worker` | carries an order out |
//! | `bench` | a rank's tools: the common start, what all ranks say |
//! | `inputs` | a new input for every repetition |
//! | `measure` | one workload, `run` alone and all stages |
//! | `sample` | one repetition, on a rank and on all ranks |
//! | `sweep` | a communication assignment beside the library |
//! | `checked` | small inputs in every order that MPI allows |
//! | `simulated` | one pass in virtual time |
//! | `all_ranks` | their worker, and what it says of a task that does not end |
//! | `passes` | simulated passes of one workload, as far as there is memory for them |
//! | `stopwatch` | one mode of a simulated pass on one rank |
//! | `shared_input` | its input, once for all ranks |
//! | `memory` | how much it takes, and how much there is |
//! | `traced` | one pass of which every call is written down |
//! | `kernel` | computation without communication: ceiling and sentinel |
//! | `out_of_memory` | the answer of a worker that runs out of memory |
//! | `pass_watchdog` | interrupts what takes too long |
//! | `record_file` | where records go, one run at a time |
//! | `usage` | processor time, switches |
//! | `display`, `summary` | what the user sees |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

use std::{path::Path, process::ExitCode, sync::Arc};

use wb_task::{Communication, Task};
use wb_worker::Backends;

mod all_ranks;
mod arguments;
mod bench;
mod campaign;
#[cfg(test)]
mod cheats;
mod checked;
mod display;
mod forced;
mod inputs;
mod job;
mod job_spec;
mod job_worker;
mod kernel;
mod measure;
mod memory;
mod out_of_memory;
#[cfg(test)]
mod pass_limit;
mod pass_watchdog;
mod passes;
mod record_file;
mod sample;
mod schedule;
mod series_table;
mod settings;
mod shared_input;
mod simulated;
#[cfg(test)]
#[path = "../../task/tests/shared/slow_stages.rs"]
mod slow_stages;
mod stopwatch;
mod summary;
mod sweep;
mod traced;
mod usage;

use measure::ErasedTask;
use sweep::ErasedCommunication;

/// The package of the task, as its benchmark was compiled.
#[derive(Clone, Copy, Debug)]
pub struct Package {
    /// Its folder, where `task.yaml` is.
    pub folder: &'static str,
    /// Its name.
    pub name: &'static str,
}

/// The versions of a task.
#[derive(Clone)]
pub struct BenchmarkProgram {
    seq: Arc<dyn ErasedTask>,
    mpi: Arc<dyn ErasedTask>,
    verbs: Option<Arc<dyn ErasedCommunication>>,
    reference: Option<Arc<dyn ErasedTask>>,
}

impl BenchmarkProgram {
    /// The sequential and the parallel version of one problem.
    pub fn new<S: Task, M: Task<Problem = S::Problem>>(seq: S, mpi: M) -> Self {
        Self { seq: Arc::new(seq), mpi: Arc::new(mpi), verbs: None, reference: None }
    }

    /// The same with the instructor's sequential version, which is measured as the student's is: T* is the faster one's.
    pub fn with_reference<S: Task, M, R>(seq: S, mpi: M, reference: R) -> Self
    where
        M: Task<Problem = S::Problem>,
        R: Task<Problem = S::Problem>,
    {
        Self { reference: Some(Arc::new(reference)), ..Self::new(seq, mpi) }
    }

    /// The same for an assignment that is measured beside the library's own verb.
    pub fn with_communication<C: Communication>(self, verbs: C) -> Self {
        Self { verbs: Some(Arc::new(verbs)), ..self }
    }
}

/// `main` of a task's benchmark: the orchestrator, or the worker that an order asks for.
///
/// Exit codes: 0 when every series that is enabled has been measured, 1 when one failed, 2 when the arguments or the
/// settings are refused.
pub fn main(package: Package, backends: Backends, program: &BenchmarkProgram) -> ExitCode {
    if let Err(error) = wb_process::end_with_owner() {
        eprintln!("{error}");
        return ExitCode::from(2);
    }
    let ordered = |variable| std::env::var_os(variable);
    if let Some(path) = ordered(checked::VARIABLE) {
        return checked::worker(Path::new(&path), backends, program);
    }
    match (ordered(job_spec::VARIABLE), ordered(simulated::VARIABLE)) {
        (Some(path), _) => job_worker::main(Path::new(&path), backends, program),
        (None, Some(path)) => simulated::worker(Path::new(&path), backends, program),
        (None, None) => campaign::main(package, backends, program),
    }
}
