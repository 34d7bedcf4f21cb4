//! The program of the laboratory: how it is built and run.

use std::{
    io::IsTerminal,
    process::{Command, Stdio},
    time::Duration,
};

use wb_process::{Job, JobExit};

use crate::{
    backend::SelectedBackend,
    error::{CliError, Result},
    workspace::Workspace,
};

const PACKAGE: &str = "wb-laboratory";

/// The command that builds the program, with its title.
pub(crate) fn build(workspace: &Workspace, backend: &SelectedBackend) -> (String, Command) {
    let mut command = backend.cargo(workspace, &["build", "--release", "--package", PACKAGE]);
    backend.select_features(&mut command);
    (format!("cargo build --release -p {PACKAGE}"), command)
}

/// The command that builds and runs the program; its arguments follow.
pub(crate) fn program(workspace: &Workspace, backend: &SelectedBackend) -> Command {
    let mut command = backend.cargo(workspace, &["run", "--release", "--package", PACKAGE]);
    backend.select_features(&mut command);
    if !std::io::stderr().is_terminal() {
        command.arg("--quiet");
    }
    command.arg("--");
    command
}

/// Runs the program. Standard output is for the results of this command.
pub(crate) fn run(mut command: Command, limit: Duration) -> Result<JobExit> {
    command.stdout(Stdio::from(std::io::stderr()));
    Job::spawn(command).and_then(|job| job.wait(limit)).map_err(CliError::system("run", "cargo run"))
}
