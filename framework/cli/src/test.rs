//! `cargo wb test`: set-up, style, documentation, and the whole test suite, in this order; the first failure stops. Of one
//! task: set-up, its style and its tests, which run also where the style is wrong, since the program is still being written.
//! A task is built before clippy reads it: what does not compile is reported once. `--changed` runs the part of this that a
//! change can affect.

mod changed;
mod programs;
mod side_by_side;

use std::{fs::File, io::BufReader, path::PathBuf, process::Command, time::Duration};

use tempfile::TempDir;
use wb_messages::{Lang, WIDTH, cli as text, doctor, slurm as slurm_text, wrap};
use wb_process::JobExit;

use crate::{
    CommandStatus, arguments,
    arguments::BackendArgument,
    backend::SelectedBackend,
    error::{CliError, Result},
    placement::Placement,
    sandboxed_task::{OutputFile, SandboxedTask},
    setup,
    slurm::{self, SlurmJob},
    step::{CommandStep, OutputMode},
    test_program::{self, STEP_LIMIT},
    test_totals::{RECORDS_VARIABLE, TestTotals, count_disabled},
    workspace::Workspace,
};
use programs::{DurationClass, Program};

pub(crate) fn run(wanted: &arguments::TestArgs, lang: Lang) -> Result<CommandStatus> {
    let mut workspace = Workspace::find()?;
    // The tests do not need a task's settings, but the instructor does: a mistake in them is reported here.
    match (&wanted.task, &wanted.changed) {
        (Some(task), _) => drop(workspace.task(task, lang)?.settings?),
        // A student's change does not depend on the settings of others.
        (None, Some(_)) => {}
        (None, None) => workspace.tasks().into_iter().try_for_each(|task| task.settings.map(drop))?,
    }
    let backend = match wanted.backend {
        BackendArgument::Mpi => {
            SelectedBackend::for_tests(setup::ensure_mpi(wanted.mpi, !wanted.no_install, lang)?, lang)
        }
        BackendArgument::Threads => SelectedBackend::Threads,
    };
    let placement = Placement::new(workspace.root(), &wanted.placement, backend.is_mpi(), lang)?;
    workspace.place(placement);
    if wanted.slurm.is_wanted() {
        let task = wanted.task.as_deref().ok_or_else(|| CliError::Usage(slurm_text::needs_task(lang)))?;
        let build = backend.cargo(&workspace, &["build", "--tests", "--package", task]);
        let title = format!("cargo build -p {task} --tests");
        let job = SlurmJob { name: task, flavour: backend.flavour(), wanted: &wanted.slurm, parts: None };
        return Ok(slurm::run(&workspace, &job, (title, build), lang)?.status());
    }
    println!("{}", text::tests_of_backend(lang, backend.describe(lang)));
    let mut suite = Suite::new(&workspace, &backend, &wanted.libtest, lang)?;
    let well = match (&wanted.task, &wanted.changed) {
        (Some(task), _) if wanted.sandbox => suite.test_in_sandbox(task)?,
        (Some(task), _) => suite.test_packages(&[task])?,
        (None, Some(base)) => suite.test_change(base, wanted.sandbox)?,
        (None, None) => suite.test_workspace()?,
    };
    Ok(CommandStatus::from_success(well))
}

/// The state that the checks and tests of one command share.
struct Suite<'a> {
    workspace: &'a Workspace,
    backend: &'a SelectedBackend,
    /// Arguments for every test program.
    libtest: &'a [String],
    lang: Lang,
    logs: TempDir,
    /// The file with the records of tests.
    verdicts: OutputFile,
    /// The workspace whose files are formatted.
    formatted: &'a Workspace,
    /// The sandbox in which a task is built and tested, if there is one.
    sandbox: Option<SandboxedTask>,
}

impl<'a> Suite<'a> {
    fn new(
        workspace: &'a Workspace,
        backend: &'a SelectedBackend,
        libtest: &'a [String],
        lang: Lang,
    ) -> Result<Self> {
        let scratch = workspace.scratch("test")?;
        let logs = tempfile::tempdir_in(&scratch).map_err(CliError::system("create", scratch))?;
        let verdicts = logs.path().join("verdicts.jsonl");
        File::create(&verdicts).map_err(CliError::system("create", &verdicts))?;
        let verdicts = OutputFile { inside: verdicts.clone(), outside: verdicts };
        Ok(Self { workspace, backend, libtest, lang, logs, verdicts, formatted: workspace, sandbox: None })
    }

    /// The style and the tests of one task, which is built and run in a sandbox.
    fn test_in_sandbox(&self, task: &str) -> Result<bool> {
        let (shown, sandbox) = SandboxedTask::unchanged(self.workspace, task, self.lang)?;
        let (sandbox, verdicts) = sandbox.with_output_file("verdicts.jsonl")?;
        let inside = Suite::new(&shown, self.backend, self.libtest, self.lang)?;
        Suite { verdicts, sandbox: Some(sandbox), formatted: self.workspace, ..inside }.test_packages(&[task])
    }

    /// The style and the tests of tasks.
    fn test_packages(&self, names: &[&str]) -> Result<bool> {
        let packages: Vec<&str> = names.iter().flat_map(|name| ["--package", name]).collect();
        let shown: String = names.iter().map(|name| format!(" -p {name}")).collect();
        let formatted = self.format("[1/4]", &packages, shown.trim_start())?;
        let build = self.cargo(&[&["build", "--tests"][..], &packages].concat(), &[]);
        if !self.task_step(format!("[2/4] cargo build{shown} --tests"), build, OutputMode::Failure)? {
            return Ok(false);
        }
        // A newer clippy may find more in the framework, which a student cannot correct.
        let clippy = &["clippy", "--all-targets", "--no-deps"][..];
        let clippy = self.cargo(&[clippy, &packages].concat(), &["--", "-D", "warnings"]);
        let linted = self.task_step(format!("[3/4] cargo clippy{shown}"), clippy, OutputMode::Failure)?;
        let tests = self.cargo(&[&["test", "--no-fail-fast"][..], &packages].concat(), &[]);
        let limit = test_program::limit(self.workspace)? * self.workspace.test_programs(names);
        let passed = self.run_tests((format!("[4/4] cargo test{shown}"), names.join(", ")), tests, limit)?;
        let style = [(formatted, format!("cargo fmt{shown}")), (linted, format!("cargo clippy{shown}"))];
        let failed: Vec<_> = style.into_iter().filter_map(|(well, check)| (!well).then_some(check)).collect();
        if !failed.is_empty() {
            println!("{}", text::style_failed(self.lang, failed.join(", ")));
        }
        Ok(passed && failed.is_empty())
    }

    /// Runs `cargo test` of these packages with the arguments for the test programs, and shows the total.
    fn run_tests(
        &self,
        (title, packages): (String, String),
        mut tests: Command,
        limit: Duration,
    ) -> Result<bool> {
        self.prepare(&mut tests);
        if !self.libtest.is_empty() {
            tests.arg("--").args(self.libtest);
        }
        let tests = self.in_sandbox(tests)?;
        let ended = self.limited_step(title, tests, OutputMode::Live, limit)?;
        let output = std::fs::read(self.log()).map_err(CliError::system("read", self.log()))?;
        let output = String::from_utf8_lossy(&output);
        if ended.has_timed_out {
            let report = test_program::describe_unended(&packages, limit, &output, self.lang);
            println!("{}", wrap(&report, "", "  ", WIDTH));
        }
        let total = TestTotals::from_output(&output);
        self.show_total(total, ended.is_success())?;
        // Words for the test programs may ask for a list.
        let is_empty = ended.is_success() && self.libtest.is_empty() && total == TestTotals::default();
        if is_empty {
            println!("{}", text::no_test_result(self.lang));
        }
        Ok(ended.is_success() && !is_empty)
    }

    /// All checks and tests of the workspace.
    fn test_workspace(&self) -> Result<bool> {
        let clippy = self.workspace_cargo(&["clippy", "--all-targets"], &["--", "-D", "warnings"]);
        let mut doc = self.workspace_cargo(&["doc", "--no-deps"], &[]);
        // The documentation of a task is not published. cargo refuses to exclude all packages, which may be tasks and those of MPI.
        let tasks = self.workspace.task_names();
        if self.backend.is_mpi() && tasks.len() < self.workspace.packages_by_manifest().len() {
            doc.args(tasks.iter().flat_map(|task| ["--exclude", task]));
        }
        doc.env("RUSTDOCFLAGS", "-D warnings");
        let build =
            self.workspace_cargo(&["test", "--no-run", "--message-format=json-render-diagnostics"], &[]);
        let well = self.format("[1/4]", &["--all"], "--all")?
            && self.step("[2/4] cargo clippy -D warnings".into(), clippy, OutputMode::Failure)?
            && self.step("[3/4] cargo doc -D warnings".into(), doc, OutputMode::Failure)?
            && self.step("[4/4] cargo test".into(), build, OutputMode::Errors)?;
        Ok(well && self.run_programs()?)
    }

    /// `cargo fmt --check` of these packages, and the command that fixes its findings.
    fn format(&self, number: &str, packages: &[&str], shown: &str) -> Result<bool> {
        let mut fmt = self.backend.cargo(self.formatted, &["fmt", "--check"]);
        // rustfmt writes colours into files too, unless it is forbidden.
        fmt.args(packages).args(["--", "--color", "never"]);
        let well = self.step(format!("{number} cargo fmt {shown} --check"), fmt, OutputMode::Failure)?;
        if !well {
            println!("{}", doctor::fix(self.lang, format!("cargo fmt {shown}")));
        }
        Ok(well)
    }

    /// Runs the programs that the last step has built, and the examples in the documentation.
    fn run_programs(&self) -> Result<bool> {
        let messages = File::open(self.log()).map_err(CliError::system("read", self.log()))?;
        let mut programs =
            programs::from_messages(BufReader::new(messages), &self.workspace.packages_by_manifest())?;
        programs.push(Program {
            package: "documentation".into(),
            title: "cargo test --doc".into(),
            repeat: "cargo test --workspace --doc".into(),
            command: self.workspace_cargo(&["test", "--doc", "--no-fail-fast"], &["--"]),
            runs_alone: false,
            limit: STEP_LIMIT,
            duration: DurationClass::Medium,
        });
        let tasks = self.workspace.task_names();
        let limit = if tasks.is_empty() { STEP_LIMIT } else { test_program::limit(self.workspace)? };
        for program in &mut programs {
            program.command.args(self.libtest);
            // Some of them build programs of their own.
            self.backend.set_build_variables(&mut program.command, self.workspace.target());
            self.prepare(&mut program.command);
            if tasks.contains(&program.package) {
                program.limit = limit;
            }
        }

        let settings = side_by_side::Settings {
            logs: self.logs.path(),
            show_all: !self.libtest.is_empty(),
            lang: self.lang,
        };
        println!("{}", text::programs_side_by_side(self.lang, programs.len(), side_by_side::at_a_time()));
        let results = side_by_side::run(programs, settings)?;
        for repeat in &results.failed {
            println!("{}", text::repeat_tests(self.lang, repeat));
        }
        let passed = results.failed.is_empty();
        self.show_total(results.total, passed)?;
        Ok(passed)
    }

    /// cargo with the features of the backend: `before` goes in front of them.
    fn cargo(&self, before: &[&str], after: &[&str]) -> Command {
        self.with_features(self.backend.cargo(self.workspace, before), after)
    }

    /// cargo on all packages that can be built with the backend.
    fn workspace_cargo(&self, before: &[&str], after: &[&str]) -> Command {
        let mut command = self.backend.cargo(self.workspace, before);
        command.arg("--workspace");
        if let SelectedBackend::Threads = self.backend {
            for package in self.workspace.packages_of_mpi() {
                command.args(["--exclude", &package]);
            }
        }
        self.with_features(command, after)
    }

    fn with_features(&self, mut command: Command, after: &[&str]) -> Command {
        self.backend.select_features(&mut command);
        command.args(after);
        command
    }

    /// Gives a command that runs tests its language, and the file of their records.
    fn prepare(&self, tests: &mut Command) {
        tests.env("WB_LANG", self.lang.code()).env(RECORDS_VARIABLE, &self.verdicts.inside);
    }

    /// Runs a step that executes code of the task.
    fn task_step(&self, title: String, command: Command, show: OutputMode) -> Result<bool> {
        self.step(title, self.in_sandbox(command)?, show)
    }

    /// The command in the sandbox, if there is one.
    fn in_sandbox(&self, command: Command) -> Result<Command> {
        match &self.sandbox {
            Some(sandbox) => sandbox.command(&command),
            None => Ok(command),
        }
    }

    /// Runs one step; true when it succeeded. Its output replaces that of the step before.
    fn step(&self, title: String, command: Command, show: OutputMode) -> Result<bool> {
        Ok(self.limited_step(title, command, show, STEP_LIMIT)?.is_success())
    }

    fn limited_step(
        &self,
        title: String,
        command: Command,
        show: OutputMode,
        limit: Duration,
    ) -> Result<JobExit> {
        CommandStep { title, command, limit, show, log: &self.log() }.run(self.lang)
    }

    /// The output of the last step.
    fn log(&self) -> PathBuf {
        self.logs.path().join("step.log")
    }

    /// The last line: tests of disabled versions count as skipped. Words that select no test are a wrong command line.
    fn show_total(&self, total: TestTotals, passed: bool) -> Result<()> {
        let disabled = count_disabled(&self.verdicts.outside, self.lang)?;
        println!("{}", total.with_skipped(disabled).render(self.lang));
        match passed && total.has_selected_nothing() {
            true => Err(CliError::Usage(text::no_test_selected(self.lang, self.libtest.join(" ")))),
            false => Ok(()),
        }
    }
}

impl SelectedBackend {
    pub(crate) fn describe(&self, lang: Lang) -> String {
        match self {
            Self::Mpi(mpi) => format!("{} {}", mpi.flavour.name(), mpi.version),
            Self::Threads => text::threads_asked(lang),
        }
    }
}
