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
/// The first lines of what the program printed otherwise, or why it could not be started.
pub fn output_or_reason(command: Command, limit: Duration) -> Result<String, String> {
    let reason = |error: std::io::Error| error.to_string();
    let folder = tempfile::tempdir().map_err(reason)?;
    let (out, err) = (folder.path().join("out"), folder.path().join("err"));
    let ended = Job::spawn_to_files(command, &out, &err).and_then(|job| job.wait(limit)).map_err(reason)?;
    let text = |file| std::fs::read(file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let output = text(out).map_err(reason)?;
    if ended.is_success() {
        return Ok(output);
    }
    let printed = text(err).map_err(reason)? + &output;
    let lines = printed.lines().map(str::trim).filter(|line| line.contains(char::is_alphanumeric));
    Err(lines.take(LINES).collect::<Vec<_>>().join("; "))
}
