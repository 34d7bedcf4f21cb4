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
const LIMIT: Duration = Duration::from_secs(3600);

/// The arguments of cargo that build a benchmark and name its program on standard output.
pub(crate) fn build_arguments<'a>(package: &'a str, bench: &'a str) -> [&'a str; 7] {
    let format = "--message-format=json-render-diagnostics";
    ["bench", "--no-run", format, "--package", package, "--bench", bench]
}

/// Runs a build with these arguments: how it ended, and the program of the benchmark if there is one.
pub(crate) fn build(mut command: Command, bench: &str) -> Result<(JobExit, Option<PathBuf>)> {
    let failed = CliError::system("run", "cargo bench --no-run");
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
            Message::CompilerArtifact(artifact) if artifact.target.name == bench => artifact.executable,
            _ => None,
        });
    let program = programs.last().filter(|_| ended.is_success());
    Ok((ended, program.map(PathBuf::from)))
}
