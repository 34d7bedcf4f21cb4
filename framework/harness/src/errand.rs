//! What an orchestrator asks of the ranks of a job, and what every rank leaves: JSON files in the job's folder.
//!
//! An answer is there whole or not at all, so a rank that dies while it writes has left none. Some errands take one worker
//! that is all ranks at once: [`send`] starts it and waits, [`run`] is what it does.
use std::{
    fs, io,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    time::Duration,
};

use serde::{Serialize, de::DeserializeOwned};
use wb_process::Job;

/// Why an errand of one worker came to nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Vain {
    /// It could not be begun, or the worker says why not.
    Failed(String),
    /// The worker was under way when its time was over, and was ended. With what it has printed.
    Overdue(String),
    /// The worker ended without an answer. With what it has printed, and the signal that has ended it, if one has.
    Silent(String, Option<i32>),
}

/// Puts an order into its folder and gives the file's path.
///
/// # Errors
/// When the folder cannot be written.
pub fn ask(folder: &Path, order: &impl Serialize) -> io::Result<PathBuf> {
    let path = folder.join("order.json");
    fs::write(&path, serde_json::to_vec(order)?)?;
    Ok(path)
}

/// Reads an order.
///
/// # Errors
/// When it cannot be read, or is something else.
pub fn asked<T: DeserializeOwned>(path: &Path) -> io::Result<T> {
    Ok(serde_json::from_slice(&fs::read(path)?)?)
}

/// Leaves `rank`'s answer, whole or not at all.
///
/// # Errors
/// When the folder cannot be written.
pub fn answer(folder: &Path, rank: usize, answer: &impl Serialize) -> io::Result<()> {
    wb_process::replace(&path(folder, rank), serde_json::to_vec(answer)?)
}

/// Reads `rank`'s answer; `None` when it left none.
///
/// # Errors
/// When it is there and cannot be read.
pub fn answered<T: DeserializeOwned>(folder: &Path, rank: usize) -> io::Result<Option<T>> {
    match fs::read(path(folder, rank)) {
        Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Starts this program once more, with an order in `folder` whose path it finds in the environment's `variable`, and waits
/// for its answer until the deadline.
///
/// # Errors
/// Everything that is no answer.
pub fn send<A: DeserializeOwned>(
    variable: &str,
    folder: &Path,
    order: &impl Serialize,
    deadline: Duration,
) -> Result<A, Vain> {
    let failed = |error: io::Error| Vain::Failed(error.to_string());
    let output = folder.join("output.txt");
    let mut command = Command::new(std::env::current_exe().map_err(failed)?);
    command.env(variable, ask(folder, order).map_err(failed)?);
    let job = Job::spawn_to_files(command, &output, &output).map_err(failed)?;
    let ended = job.wait(deadline).map_err(failed)?;
    let answer: Option<Result<A, String>> = answered(folder, 0).map_err(failed)?;
    answer.map_or_else(
        || {
            let printed = fs::read_to_string(&output).unwrap_or_default();
            Err(match ended.timed_out {
                true => Vain::Overdue(printed),
                false => Vain::Silent(printed, ended.status.signal()),
            })
        },
        |answer| answer.map_err(Vain::Failed),
    )
}

/// The worker of [`send`]: carries out the order at `path`, leaves its answer, and gives the exit code.
pub fn run<O: DeserializeOwned, A: Serialize>(
    path: &Path,
    carry_out: impl FnOnce(&O) -> Result<A, String>,
) -> ExitCode {
    let carried_out = asked(path).and_then(|order| {
        wb_process::die_with_parent()?;
        let result = carry_out(&order);
        answer(path.parent().unwrap_or(path), 0, &result)?;
        Ok(result.is_ok())
    });
    concluded(path, carried_out)
}

/// The exit code of a rank that was sent on the errand at `path`; what kept it from carrying it out is told.
pub fn concluded(path: &Path, carried_out: io::Result<bool>) -> ExitCode {
    match carried_out {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{}: {error}", path.display());
            ExitCode::FAILURE
        }
    }
}

fn path(folder: &Path, rank: usize) -> PathBuf {
    folder.join(format!("rank-{rank}.json"))
}
