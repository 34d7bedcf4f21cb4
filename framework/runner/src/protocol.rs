//! Orders and answers: what a program requests from its worker processes, and what every rank answers. Both are JSON
//! files in the folder of a job.
//!
//! An answer exists completely or not at all, so a rank that dies during the write leaves none. A program with several
//! kinds of work has one enum of orders: serde writes the kind into the file, and one environment variable names the
//! file.
use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use serde::{Serialize, de::DeserializeOwned};

/// The environment variable that makes a program a worker: the path of its order.
const ORDER_VARIABLE: &str = "WB_WORKER_ORDER";

/// The path of the order of this process, if it is a worker.
pub fn order_path() -> Option<PathBuf> {
    env::var_os(ORDER_VARIABLE).map(PathBuf::from)
}

/// Writes `order` into `folder` and names the file in the environment of `command`.
///
/// # Errors
/// When the folder cannot be written.
pub fn give_order(command: &mut Command, folder: &Path, order: &impl Serialize) -> io::Result<()> {
    let path = folder.join("order.json");
    fs::write(&path, serde_json::to_vec(order)?)?;
    command.env(ORDER_VARIABLE, path);
    Ok(())
}

/// Reads an order.
///
/// # Errors
/// When it cannot be read, or is not such an order.
pub fn read_order<T: DeserializeOwned>(path: &Path) -> io::Result<T> {
    Ok(serde_json::from_slice(&fs::read(path)?)?)
}

/// Writes the answer of `rank`, completely or not at all.
///
/// # Errors
/// When the folder cannot be written.
pub fn write_answer(folder: &Path, rank: usize, answer: &impl Serialize) -> io::Result<()> {
    wb_process::write_atomically(&answer_path(folder, rank), serde_json::to_vec(answer)?)
}

/// Reads the answer of `rank`; `None` when it left none.
///
/// # Errors
/// When it exists and cannot be read.
pub fn read_answer<T: DeserializeOwned>(folder: &Path, rank: usize) -> io::Result<Option<T>> {
    match fs::read(answer_path(folder, rank)) {
        Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether `rank` has left an answer.
pub(crate) fn has_answered(folder: &Path, rank: usize) -> bool {
    answer_path(folder, rank).exists()
}

/// The exit code of a worker that has executed the order at `path`, with or without success; an error is printed.
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
