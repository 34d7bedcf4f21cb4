//! A worker that is one process, started by this program to execute one order: its failure does not affect this
//! process.
use std::{fs, io, os::unix::process::ExitStatusExt, process::Command, time::Duration};

use serde::{Serialize, de::DeserializeOwned};
use wb_messages::Lang;
use wb_process::children;

use crate::{StopReason, job::collect_answers, output_tail};

/// The answer of a worker.
pub type WorkerResult<A> = Result<A, StopReason>;

/// The reason why a worker has no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum WorkerError {
    /// The worker could not be started, or it answers that it has stopped.
    Stopped(StopReason),
    /// The worker was still running at its deadline, and was terminated. With its output.
    TimedOut(String),
    /// The worker ended without an answer. With its output, and the signal that ended it, if one did.
    NoAnswer(String, Option<i32>),
}

/// Starts this program again with `order` and waits for its answer until the deadline. The
/// worker's language is `lang`. Processes that it leaves running are terminated.
///
/// # Errors
/// [`WorkerError`] when there is no answer.
pub fn run_worker<A: DeserializeOwned + Send + 'static>(
    order: &impl Serialize,
    (deadline, lang): (Duration, Lang),
) -> Result<A, WorkerError> {
    let failed = |error: io::Error| WorkerError::Stopped(StopReason::Error(error.to_string()));
    children::become_subreaper().map_err(failed)?;
    let known = children::current_children();
    let mut program = Command::new(std::env::current_exe().map_err(failed)?);
    program.env("WB_LANG", lang.code());
    let job = collect_answers::<WorkerResult<A>>((1, 1), program, Ok, order, deadline);
    let mut job = job.map_err(failed)?;
    // The processes that a terminated worker has left are now children of this process.
    let left = children::kill_others(&known);
    let answer = job.answers.remove(0).map(|answer| answer.result);
    let printed = || fs::read_to_string(job.output()).unwrap_or_default();
    match answer {
        Some(Err(reason)) => Err(WorkerError::Stopped(reason)),
        None if job.exit.has_timed_out => Err(WorkerError::TimedOut(printed())),
        None => Err(WorkerError::NoAnswer(printed(), job.exit.status.signal())),
        Some(Ok(_)) if !left.is_empty() => {
            let reason = StopReason::LeftoverProcesses(output_tail::describe_children(&left, lang));
            Err(WorkerError::Stopped(reason))
        }
        Some(Ok(answer)) => Ok(answer),
    }
}
