//! What a program prints that is asked a question.
use std::{process::Command, time::Duration};

use crate::Job;

/// The standard output of `command` when it ends with code 0 within `limit`; nothing otherwise.
pub fn output_of(command: Command, limit: Duration) -> Option<String> {
    let folder = tempfile::tempdir().ok()?;
    let (out, err) = (folder.path().join("out"), folder.path().join("err"));
    let ended = Job::spawn_to_files(command, &out, &err).ok()?.wait(limit).ok()?;
    let output = std::fs::read(out).ok()?;
    ended.is_success().then(|| String::from_utf8_lossy(&output).into_owned())
}
