//! Builds the program of a judge and the program of a task, the latter in a sandbox if one is given.
use std::{
    fs::{self, File},
    io::BufReader,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use cargo_metadata::Message;
use wb_messages::{Lang, judge as text};
use wb_process::Job;
use wb_sandbox::{Sandbox, SandboxLimits, SandboxedCommand};

use crate::{
    backend::SelectedBackend,
    error::{CliError, Result},
    workspace::{Workspace, cargo_path},
};

/// The time limit of a build.
const LIMIT: Duration = Duration::from_secs(3600);

/// The variables of this process that a build in a sandbox keeps, besides those of every program in a sandbox.
const BUILD_VARIABLES: [&str; 4] = ["CC", "MPICC", "LIBCLANG_PATH", "RUSTFLAGS"];

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
    pub(super) fn task(&self, task: &str, sandbox: Option<&Sandbox>) -> Result<PathBuf> {
        eprintln!("{}", text::building_task(self.lang, task));
        let command = self.cargo(task, "performance");
        match sandbox {
            None => self.run(command, task, "performance"),
            Some(sandbox) => self.run(self.in_sandbox(sandbox, command, task)?, task, "performance"),
        }
    }

    fn cargo(&self, package: &str, bench: &str) -> Command {
        let arguments = ["bench", "--package", package, "--bench", bench, "--no-run", "--quiet"];
        let mut command = self.backend.cargo(self.workspace, &arguments);
        self.backend.select_features(&mut command);
        command.arg("--message-format=json-render-diagnostics");
        command
    }

    /// The same build in the sandbox, with a target folder of the task's own: what a build script of one task leaves must
    /// not be linked into another task.
    fn in_sandbox(&self, sandbox: &Sandbox, mut command: Command, task: &str) -> Result<Command> {
        let target = self.workspace.target().join("sandbox").join(task);
        fs::create_dir_all(&target).map_err(CliError::system("create", &target))?;
        seed(self.workspace.target(), &target)?;
        sandbox.hand_over(&target).map_err(CliError::system("write", &target))?;
        let sysroot = sysroot(self.workspace.root())?;
        let mut inside = SandboxedCommand::new(SandboxLimits::BUILD)
            .readable(self.workspace.root())
            .readable(&sysroot)
            .writable(&target);
        let home = cargo_home();
        if let Some(home) = &home {
            for folder in ["registry", "git"].map(|name| home.join(name)) {
                if folder.is_dir() {
                    inside = inside.readable(folder);
                }
            }
            command.env("CARGO_HOME", home);
        }
        for name in BUILD_VARIABLES {
            inside = inside.variable(name);
        }
        // Dependencies are downloaded and the lock file is written outside, where nothing of the task is executed.
        let mut fetch = Command::new(cargo_path());
        fetch.arg("fetch").arg("--quiet").current_dir(self.workspace.root());
        // Without a network this fails, and the build in the sandbox names what is missing.
        let _offline = fetch.status();
        command.args(["--offline"]).env("CARGO_TARGET_DIR", &target);
        command.env("RUSTC", sysroot.join("bin/rustc")).env("RUSTDOC", sysroot.join("bin/rustdoc"));
        let mut direct = Command::new(sysroot.join("bin/cargo"));
        direct.args(command.get_args()).current_dir(self.workspace.root());
        direct.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        Ok(sandbox.command(&inside, &direct))
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

/// The folder of the compiler and cargo.
fn sysroot(root: &Path) -> Result<PathBuf> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).current_dir(root).output();
    let output = output.map_err(CliError::system("run", "rustc"))?;
    Ok(PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()))
}

/// The folder of cargo's downloads.
fn cargo_home() -> Option<PathBuf> {
    let set = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    set.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")))
}

/// Copies what is built already, once, so that a sandbox need not build the framework again.
fn seed(target: &Path, own: &Path) -> Result<()> {
    let (built, copy) = (target.join("release"), own.join("release"));
    if copy.exists() || !built.is_dir() {
        return Ok(());
    }
    let partial = own.join("release.partial");
    let mut command = Command::new("cp");
    command.args(["-a", "--reflink=auto", "--no-target-directory"]).arg(&built).arg(&partial);
    let copied = command.status().map_err(CliError::system("run", "cp"))?;
    match copied.success() {
        true => fs::rename(&partial, &copy).map_err(CliError::system("rename", &partial)),
        // The sandbox then builds everything itself.
        false => fs::remove_dir_all(&partial).map_err(CliError::system("remove", &partial)),
    }
}
