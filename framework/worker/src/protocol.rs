//! What an orchestrator asks of the ranks of a job, and what every rank leaves: JSON files in the job's folder.
//!
//! An answer is there whole or not at all, so a rank that dies while it writes has left none. Some errands take one worker
//! that is all ranks at once: [`run_worker`] starts it and waits.
use std::{
    fs, io,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    time::Duration,
};

use serde::{Serialize, de::DeserializeOwned};
use wb_messages::Lang;
use wb_process::{Job, children};

use crate::output_tail;

/// Why an errand of one worker came to nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkerError {
    /// It could not be begun, or the worker says why not.
    Failed(String),
    /// The worker, or its task, has left processes behind, which were ended. With their names.
    LeftoverProcesses(String),
    /// The worker was under way when its time was over, and was ended. With what it has printed.
    TimedOut(String),
    /// The worker ended without an answer. With what it has printed, and the signal that has ended it, if one has.
    NoAnswer(String, Option<i32>),
}

/// Puts an order into its folder and gives the file's path.
///
/// # Errors
/// When the folder cannot be written.
pub fn write_order(folder: &Path, order: &impl Serialize) -> io::Result<PathBuf> {
    let path = folder.join("order.json");
    fs::write(&path, serde_json::to_vec(order)?)?;
    Ok(path)
}

/// Reads an order.
///
/// # Errors
/// When it cannot be read, or is something else.
pub fn read_order<T: DeserializeOwned>(path: &Path) -> io::Result<T> {
    Ok(serde_json::from_slice(&fs::read(path)?)?)
}

/// Leaves `rank`'s answer, whole or not at all.
///
/// # Errors
/// When the folder cannot be written.
pub fn write_answer(folder: &Path, rank: usize, answer: &impl Serialize) -> io::Result<()> {
    wb_process::write_atomically(&answer_path(folder, rank), serde_json::to_vec(answer)?)
}

/// Reads `rank`'s answer; `None` when it left none.
///
/// # Errors
/// When it is there and cannot be read.
pub fn read_answer<T: DeserializeOwned>(folder: &Path, rank: usize) -> io::Result<Option<T>> {
    match fs::read(answer_path(folder, rank)) {
        Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Starts this program once more, with an order in `folder` whose path it finds in the environment's `variable`, and waits
/// for its answer until the deadline. The worker speaks `lang`. Processes that it leaves behind are ended.
///
/// # Errors
/// Everything that is no answer.
pub fn run_worker<A: DeserializeOwned>(
    variable: &str,
    folder: &Path,
    order: &impl Serialize,
    (deadline, lang): (Duration, Lang),
) -> Result<A, WorkerError> {
    let failed = |error: io::Error| WorkerError::Failed(error.to_string());
    let output = folder.join("output.txt");
    let mut command = Command::new(std::env::current_exe().map_err(failed)?);
    command.env(variable, write_order(folder, order).map_err(failed)?).env("WB_LANG", lang.code());
    children::become_subreaper().map_err(failed)?;
    let known = children::current_children();
    let job = Job::spawn_to_files(command, &output, &output).map_err(failed)?;
    let ended = job.wait(deadline).map_err(failed)?;
    // What is left of a worker that has ended, however it has, is a child of this process now.
    let left = children::kill_others(&known);
    let answer: Option<Result<A, String>> = read_answer(folder, 0).map_err(failed)?;
    let printed = || fs::read_to_string(&output).unwrap_or_default();
    match answer {
        Some(Err(why)) => Err(WorkerError::Failed(why)),
        None if ended.has_timed_out => Err(WorkerError::TimedOut(printed())),
        None => Err(WorkerError::NoAnswer(printed(), ended.status.signal())),
        Some(Ok(_)) if !left.is_empty() => {
            Err(WorkerError::LeftoverProcesses(output_tail::describe_children(&left, lang)))
        }
        Some(Ok(answer)) => Ok(answer),
    }
}

/// The exit code of a rank that was sent on the errand at `path`; what kept it from carrying it out is told.
pub fn exit_code(path: &Path, carried_out: io::Result<bool>) -> ExitCode {
    match carried_out {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{}: {error}", path.display());
            ExitCode::FAILURE
        }
    }
}

fn answer_path(folder: &Path, rank: usize) -> PathBuf {
    folder.join(format!("rank-{rank}.json"))
}
