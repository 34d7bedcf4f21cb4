//! Builds the program of a judge and the program of a task, the latter in a sandbox if one is given.
use std::{fs::File, io::BufReader, path::PathBuf, process::Command, time::Duration};

use cargo_metadata::Message;
use wb_messages::{Lang, judge as text};
use wb_process::Job;

use crate::{
    backend::SelectedBackend,
    error::{CliError, Result},
    sandboxed_task::SandboxedTask,
    workspace::Workspace,
};

/// The time limit of a build.
const LIMIT: Duration = Duration::from_secs(3600);

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
        let arguments = ["bench", "--package", package, "--bench", bench, "--no-run", "--quiet"];
        let mut command = self.backend.cargo(self.workspace, &arguments);
        self.backend.select_features(&mut command);
        command.arg("--message-format=json-render-diagnostics");
        command
    }

    /// Runs a build; the path of the program.
    fn run(&self, mut command: Command, package: &str, bench: &str) -> Result<PathBuf> {
        let log = self.workspace.scratch("judge")?.join(format!("{package}.{bench}.json"));
        let messages = File::create(&log).map_err(CliError::system("create", &log))?;
        command.stdout(messages);
        let ended =
            Job::spawn(command).and_then(|job| job.wait(LIMIT)).map_err(CliError::system("run", "cargo"))?;
        let built = File::open(&log).map_err(CliError::system("read", &log))?;
        let programs =
            Message::parse_stream(BufReader::new(built)).flatten().filter_map(|message| match message {
                Message::CompilerArtifact(artifact) if artifact.target.name == bench => artifact.executable,
                _ => None,
            });
        match programs.last() {
            Some(program) if ended.is_success() => Ok(program.into_std_path_buf()),
            _ => Err(CliError::System {
                what: "run",
                path: "cargo bench --no-run".into(),
                source: std::io::Error::other(text::not_built(self.lang, package)),
            }),
        }
    }
}
