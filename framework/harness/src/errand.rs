//! What an orchestrator asks of the ranks of a job, and what every rank leaves: JSON files in the job's folder.
//!
//! An answer is there whole or not at all, so a rank that dies while it writes has left none.
use std::{
    fs, io,
    path::{Path, PathBuf},
    process::ExitCode,
};

use serde::{Serialize, de::DeserializeOwned};

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
    let path = path(folder, rank);
    let unfinished = path.with_extension("part");
    fs::write(&unfinished, serde_json::to_vec(answer)?)?;
    fs::rename(unfinished, path)
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
