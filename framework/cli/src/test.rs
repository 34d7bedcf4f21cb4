//! `cargo wb test`: set-up, style, documentation, and the whole test suite, in this order; the first failure stops.

use std::{path::Path, process::Command, time::Duration};

use wb_messages::{Lang, cli as text};

use crate::{
    Done, arguments,
    arguments::BackendArgument,
    backend::Backend,
    error::{CliError, Result},
    setup,
    step::{Show, Step},
    total::Total,
    workspace::Workspace,
};

/// No check or test run takes longer on any machine that is worth using.
const LIMIT: Duration = Duration::from_secs(3600);

pub(crate) fn run(wanted: &arguments::Test, lang: Lang) -> Result<Done> {
    let workspace = Workspace::find()?;
    // The tests do not need a task's settings, but whoever hands a task in does: a misprint there is told now.
    match &wanted.task {
        Some(task) => drop(workspace.task(task, lang)?.settings?),
        None => workspace.tasks().into_iter().try_for_each(|task| task.settings.map(drop))?,
    }
    let backend = match wanted.backend {
        BackendArgument::Mpi => Backend::Mpi(setup::ensure(wanted.mpi, !wanted.no_install, lang)?),
        BackendArgument::Threads => Backend::Threads,
    };
    println!("{}", text::tests_of_backend(lang, backend.tell(lang)));
    let commands = match &wanted.task {
        Some(task) => vec![of_task(&workspace, &backend, task)],
        None => of_workspace(&workspace, &backend),
    };
    carry_out(&workspace, commands, &wanted.libtest, lang)
}

/// Runs the commands one after the other; the last one is the tests.
fn carry_out(
    workspace: &Workspace,
    commands: Vec<(String, Command)>,
    libtest: &[String],
    lang: Lang,
) -> Result<Done> {
    let logs = workspace.scratch("test")?;
    let count = commands.len();
    for (at, (title, mut command)) in commands.into_iter().enumerate() {
        let is_tests = at + 1 == count;
        if is_tests {
            command.env("WB_LANG", lang.code());
            if !libtest.is_empty() {
                command.arg("--").args(libtest);
            }
        }
        let log = logs.join(format!("{}.log", at + 1));
        let show = if is_tests { Show::Live } else { Show::Failure };
        let step =
            Step { title: format!("[{}/{count}] {title}", at + 1), command, limit: LIMIT, show, log: &log };
        let ended = step.run(lang)?;
        if is_tests {
            println!("{}", total_of(&log)?);
        }
        if !ended.success() {
            return Ok(Done::Badly);
        }
    }
    Ok(Done::Well)
}

fn total_of(log: &Path) -> Result<Total> {
    let output = std::fs::read(log).map_err(CliError::system("read", log))?;
    Ok(Total::of(&String::from_utf8_lossy(&output)))
}

/// The tests of one task.
fn of_task(workspace: &Workspace, backend: &Backend, task: &str) -> (String, Command) {
    let mut command = backend.cargo(workspace, &["test", "--package", task]);
    backend.select_features(&mut command);
    (format!("cargo test --package {task}"), command)
}

/// All checks and tests of the workspace.
fn of_workspace(workspace: &Workspace, backend: &Backend) -> Vec<(String, Command)> {
    let fmt = backend.cargo(workspace, &["fmt", "--all", "--check"]);
    let mut clippy = backend.cargo(workspace, &["clippy", "--workspace", "--all-targets"]);
    let mut doc = backend.cargo(workspace, &["doc", "--workspace", "--no-deps"]);
    let mut test = backend.cargo(workspace, &["test", "--workspace", "--no-fail-fast"]);
    for command in [&mut clippy, &mut doc, &mut test] {
        backend.select_packages(workspace, command);
        backend.select_features(command);
    }
    clippy.args(["--", "-D", "warnings"]);
    doc.env("RUSTDOCFLAGS", "-D warnings");
    [
        ("cargo fmt --check", fmt),
        ("cargo clippy -D warnings", clippy),
        ("cargo doc -D warnings", doc),
        ("cargo test", test),
    ]
    .map(|(title, command)| (title.to_owned(), command))
    .into()
}

impl Backend {
    fn tell(&self, lang: Lang) -> String {
        match self {
            Self::Mpi(mpi) => format!("{} {}", mpi.flavour.name(), mpi.version),
            Self::Threads => text::threads_asked(lang),
        }
    }

    /// Leaves out what cannot be built without MPI.
    fn select_packages(&self, workspace: &Workspace, command: &mut Command) {
        if let Self::Threads = self {
            workspace.packages_of_mpi().iter().for_each(|package| {
                command.args(["--exclude", package]);
            });
        }
    }
}
