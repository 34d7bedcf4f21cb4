//! The program of a benchmark: built by cargo and started without it, since cargo ends the output of a program that fails with an error of
//! its own.

use std::{
    io::{BufReader, Seek},
    path::PathBuf,
    process::Command,
    time::Duration,
};

use cargo_metadata::Message;
use wb_process::{Job, JobExit};

use crate::error::{CliError, Result};

/// The time limit of a build.
pub(crate) const LIMIT: Duration = Duration::from_secs(3600);

/// The arguments of cargo that build a benchmark and name its program on standard output.
pub(crate) fn build_arguments<'a>(package: &'a str, bench: &'a str) -> [&'a str; 7] {
    let format = "--message-format=json-render-diagnostics";
    ["bench", "--no-run", format, "--package", package, "--bench", bench]
}

/// Runs a build: how it ended, and the program or library of `target` if there is one.
pub(crate) fn build(mut command: Command, target: &str) -> Result<(JobExit, Option<PathBuf>)> {
    let failed = CliError::system("run", "cargo");
    let run = || {
        let mut messages = tempfile::tempfile()?;
        command.stdout(messages.try_clone()?);
        let ended = Job::spawn(command)?.wait(LIMIT)?;
        messages.rewind()?;
        Ok((ended, messages))
    };
    let (ended, messages) = run().map_err(failed)?;
    let programs =
        Message::parse_stream(BufReader::new(messages)).flatten().filter_map(|message| match message {
            Message::CompilerArtifact(artifact) if artifact.target.name == target => {
                artifact.executable.or_else(|| artifact.filenames.into_iter().next())
            }
            _ => None,
        });
    let program = programs.last().filter(|_| ended.is_success());
    Ok((ended, program.map(PathBuf::from)))
}
