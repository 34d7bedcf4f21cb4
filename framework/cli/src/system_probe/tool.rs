//! Programs on the `PATH`, and what they answer.

use std::{path::PathBuf, process::Command, time::Duration};

use wb_process::Job;

/// The executable `name` on the `PATH`.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| is_executable(file))
}

pub(super) fn is_executable(file: &std::path::Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

/// The standard output of `command` when it ends with code 0 within `limit`; nothing otherwise.
pub(crate) fn output_of(command: Command, limit: Duration) -> Option<String> {
    let folder = tempfile::tempdir().ok()?;
    let (out, err) = (folder.path().join("out"), folder.path().join("err"));
    let ended = Job::spawn_to_files(command, &out, &err).ok()?.wait(limit).ok()?;
    let output = std::fs::read(out).ok()?;
    ended.is_success().then(|| String::from_utf8_lossy(&output).into_owned())
}
