//! What a program prints that is asked a question.
use std::{process::Command, time::Duration};

use crate::Job;

/// The number of lines of a failed program that are its reason.
const LINES: usize = 3;

/// The standard output of `command` when it ends with code 0 within `limit`; nothing otherwise.
pub fn output_of(command: Command, limit: Duration) -> Option<String> {
    output_or_reason(command, limit).ok()
}

/// As [`output_of`].
///
/// # Errors
/// The first lines of what the program prints otherwise, or why it cannot be started.
pub fn output_or_reason(command: Command, limit: Duration) -> Result<String, String> {
    let run = || {
        let folder = tempfile::tempdir()?;
        let (out, err) = (folder.path().join("out"), folder.path().join("err"));
        let ended = Job::spawn_to_files(command, &out, &err)?.wait(limit)?;
        let [out, err] = [std::fs::read(out)?, std::fs::read(err)?];
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ok::<_, std::io::Error>((ended, text(out), text(err)))
    };
    let (ended, output, errors) = run().map_err(|error| error.to_string())?;
    if ended.is_success() {
        return Ok(output);
    }
    let lines = errors.lines().chain(output.lines()).map(str::trim);
    Err(lines.filter(|line| line.contains(char::is_alphanumeric)).take(LINES).collect::<Vec<_>>().join("; "))
}
