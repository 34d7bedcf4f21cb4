//! What an orchestrator asks of the ranks of a job, and what every rank leaves: JSON files in the job's folder.
//!
//! An answer is there whole or not at all, so a rank that dies while it writes has left none. Some errands take one worker
//! that is all ranks at once: [`send`] starts it and waits.
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

use crate::said;

/// Why an errand of one worker came to nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Vain {
    /// It could not be begun, or the worker says why not.
    Failed(String),
    /// The worker, or its task, has left processes behind, which were ended. With their names.
    LeftBehind(String),
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
/// for its answer until the deadline. The worker speaks `lang`. Processes that it leaves behind are ended.
///
/// # Errors
/// Everything that is no answer.
pub fn send<A: DeserializeOwned>(
    variable: &str,
    folder: &Path,
    order: &impl Serialize,
    (deadline, lang): (Duration, Lang),
) -> Result<A, Vain> {
    let failed = |error: io::Error| Vain::Failed(error.to_string());
    let output = folder.join("output.txt");
    let mut command = Command::new(std::env::current_exe().map_err(failed)?);
    command.env(variable, ask(folder, order).map_err(failed)?).env("WB_LANG", lang.code());
    children::adopt().map_err(failed)?;
    let known = children::known();
    let job = Job::spawn_to_files(command, &output, &output).map_err(failed)?;
    let ended = job.wait(deadline).map_err(failed)?;
    // What is left of a worker that has ended, however it has, is a child of this process now.
    let left = children::end_others(&known);
    let answer: Option<Result<A, String>> = answered(folder, 0).map_err(failed)?;
    let printed = || fs::read_to_string(&output).unwrap_or_default();
    match answer {
        Some(Err(why)) => Err(Vain::Failed(why)),
        None if ended.timed_out => Err(Vain::Overdue(printed())),
        None => Err(Vain::Silent(printed(), ended.status.signal())),
        Some(Ok(_)) if !left.is_empty() => Err(Vain::LeftBehind(said::by_children(&left, lang))),
        Some(Ok(answer)) => Ok(answer),
    }
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
