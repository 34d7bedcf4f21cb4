//! `cargo wb test`: set-up, style, documentation, and the whole test suite, in this order; the first failure stops. Of one
//! task: set-up, its style and its tests, which run also where the style is wrong, since the program is still being written.

use std::{collections::BTreeSet, path::Path, process::Command, time::Duration};

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

/// Tells the tests of a disabled version where to write their names.
const DISABLED: &str = "WB_DISABLED_TESTS";

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
    let (commands, failure) = match &wanted.task {
        Some(task) => (of_task(&workspace, &backend, task), AfterFailure::GoOn),
        None => (of_workspace(&workspace, &backend), AfterFailure::Stop),
    };
    carry_out(&workspace, (commands, failure), &wanted.libtest, lang)
}

/// What a failed command means for those after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AfterFailure {
    Stop,
    GoOn,
}

/// Runs the commands one after the other; the last one is the tests.
fn carry_out(
    workspace: &Workspace,
    (commands, failure): (Vec<(String, Command)>, AfterFailure),
    libtest: &[String],
    lang: Lang,
) -> Result<Done> {
    let scratch = workspace.scratch("test")?;
    let logs = tempfile::tempdir_in(&scratch).map_err(CliError::system("create", scratch))?;
    let disabled = logs.path().join("disabled");
    let (count, mut well) = (commands.len(), true);
    for (at, (title, mut command)) in commands.into_iter().enumerate() {
        let is_tests = at + 1 == count;
        if is_tests {
            command.env("WB_LANG", lang.code()).env(DISABLED, &disabled);
            if !libtest.is_empty() {
                command.arg("--").args(libtest);
            }
        }
        let log = logs.path().join(format!("{}.log", at + 1));
        let show = if is_tests { Show::Live } else { Show::Failure };
        let step =
            Step { title: format!("[{}/{count}] {title}", at + 1), command, limit: LIMIT, show, log: &log };
        let ended = step.run(lang)?;
        if is_tests {
            println!("{}", total_of(&log, &disabled)?.shown(lang));
        }
        well &= ended.success();
        if !ended.success() && failure == AfterFailure::Stop {
            break;
        }
    }
    Ok(Done::well_if(well))
}

fn total_of(log: &Path, disabled: &Path) -> Result<Total> {
    let output = std::fs::read(log).map_err(CliError::system("read", log))?;
    let total = Total::of(&String::from_utf8_lossy(&output));
    // No test has written it where every version is enabled.
    let tests = std::fs::read_to_string(disabled).unwrap_or_default();
    let tests: BTreeSet<&str> = tests.lines().collect();
    Ok(total.skipping(tests.len()))
}

/// The style and the tests of one task.
fn of_task(workspace: &Workspace, backend: &Backend, task: &str) -> Vec<(String, Command)> {
    let fmt = backend.cargo(workspace, &["fmt", "--package", task, "--check"]);
    let mut clippy = backend.cargo(workspace, &["clippy", "--package", task, "--all-targets"]);
    let mut test = backend.cargo(workspace, &["test", "--package", task]);
    for command in [&mut clippy, &mut test] {
        backend.select_features(command);
    }
    clippy.args(["--", "-D", "warnings"]);
    [
        (format!("cargo fmt --package {task} --check"), fmt),
        (format!("cargo clippy --package {task} -D warnings"), clippy),
        (format!("cargo test --package {task}"), test),
    ]
    .into()
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
