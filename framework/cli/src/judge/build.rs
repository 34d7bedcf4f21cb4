//! Builds the program of a judge and the program of a task, the latter in a sandbox if one is given.
use std::{path::PathBuf, process::Command};

use wb_messages::{Lang, judge as text};

use crate::{
    backend::SelectedBackend,
    benchmark_program,
    error::{CliError, Result},
    sandboxed_task::SandboxedTask,
    workspace::Workspace,
};

/// Builds programs with a backend.
pub(super) struct ProgramBuilder<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) backend: &'a SelectedBackend,
    pub(super) lang: Lang,
}

impl ProgramBuilder<'_> {
    /// The judge of an assignment, built outside any sandbox: its crate is the instructor's.
    pub(super) fn judge(&self, assignment: &str) -> Result<PathBuf> {
        eprintln!("{}", text::building_judge(self.lang, assignment));
        self.run(self.cargo(assignment, "judge"), assignment, "judge")
    }

    /// The program with the versions of a task.
    pub(super) fn task(&self, task: &str, sandbox: Option<&SandboxedTask>) -> Result<PathBuf> {
        eprintln!("{}", text::building_task(self.lang, task));
        let command = self.cargo(task, "performance");
        let Some(sandbox) = sandbox else { return self.run(command, task, "performance") };
        let program = self.run(sandbox.command(&command)?, task, "performance")?;
        sandbox.built_program(&program).map_err(CliError::system("run", program))
    }

    fn cargo(&self, package: &str, bench: &str) -> Command {
        let mut command =
            self.backend.cargo(self.workspace, &benchmark_program::build_arguments(package, bench));
        self.backend.select_features(&mut command);
        command.arg("--quiet");
        command
    }

    /// Runs a build; the path of the program.
    fn run(&self, command: Command, package: &str, bench: &str) -> Result<PathBuf> {
        benchmark_program::build(command, bench)?.1.ok_or_else(|| CliError::System {
            what: "run",
            path: "cargo bench --no-run".into(),
            source: std::io::Error::other(text::not_built(self.lang, package)),
        })
    }
}
