//! `cargo wb summary`: checks a change as a pull request does, and writes one page in Markdown about it.
//!
//! Each check is a command of this program in a process of its own; the page contains its result and what it printed. The
//! text of a student's program is untrusted: it is shown in a block that it cannot close, shortened, with hidden characters
//! spelt out, and the program does not get the variables by which it could write to the page or to later steps of a job. Rules are
//! checked first, and a program whose sources break one is not started.

mod page;

use std::{
    fs::{self, OpenOptions},
    io::Write,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use tempfile::TempDir;
use wb_messages::Lang;

use crate::{
    CommandStatus, arguments,
    arguments::BackendArgument,
    change::ChangeScope,
    error::{CliError, Result},
    repository::Repository,
    step::{CommandStep, OutputMode},
    workspace::{TaskEntry, Workspace},
};
use page::{CheckOutcome, CheckResult, SummaryPage};

/// Names the page of a job on GitHub.
const PAGE_VARIABLE: &str = "GITHUB_STEP_SUMMARY";

/// Variables of a job on GitHub that name files which later steps read, or services.
const JOB_VARIABLES: [&str; 8] = [
    PAGE_VARIABLE,
    "GITHUB_ENV",
    "GITHUB_PATH",
    "GITHUB_OUTPUT",
    "GITHUB_STATE",
    "ACTIONS_RUNTIME_TOKEN",
    "ACTIONS_RUNTIME_URL",
    "ACTIONS_CACHE_URL",
];

/// The time limit of one check.
const LIMIT: Duration = Duration::from_secs(30 * 60);

pub(crate) fn run(wanted: &arguments::SummaryArgs, lang: Lang) -> Result<CommandStatus> {
    let workspace = Workspace::find()?;
    let repository = Repository::find(workspace.root())?;
    let commit = repository.merge_base(wanted.base.as_deref())?;
    let files = repository.changed_files(&commit)?;
    let scope = ChangeScope::of_files(&files, &workspace.members());
    let own = own_tasks(&workspace, &files);
    let runner = CheckRunner::new(&workspace, lang)?;
    let changed: Vec<&str> =
        own.iter().map(|task| task.name.as_str()).filter(|name| scope.packages.contains(*name)).collect();
    let mut checks =
        rule_checks(&changed).into_iter().map(|check| runner.run(check)).collect::<Result<Vec<_>>>()?;
    let keep_rules = checks.iter().all(|check| check.outcome == CheckOutcome::Passed);
    for check in program_checks(&changed, &commit, wanted) {
        checks.push(if keep_rules { runner.run(check)? } else { check.not_run() });
    }
    let page = SummaryPage {
        commit: &commit,
        tasks: own.iter().map(|task| (task.name.clone(), author(task))).collect(),
        outside: outside_files(&files, &own),
        checks: &checks,
    };
    write(&page.markdown(lang), wanted.output.as_deref())?;
    Ok(CommandStatus::from_success(!checks.iter().any(|check| check.outcome == CheckOutcome::Failed)))
}

/// The tasks in whose own folders files have changed.
fn own_tasks(workspace: &Workspace, files: &[PathBuf]) -> Vec<TaskEntry> {
    workspace.tasks_where(|task| files.iter().any(|file| is_of_task(file, task)))
}

/// Whether a file is in one of the two folders of a task.
fn is_of_task(file: &Path, task: &str) -> bool {
    ["tasks", "reports"].iter().any(|folder| file.starts_with(Path::new(folder).join(task)))
}

/// The student of a task; empty where its settings cannot be read.
fn author(task: &TaskEntry) -> String {
    task.settings.as_ref().map(|settings| settings.student.to_string()).unwrap_or_default()
}

/// The changed files that belong to none of the tasks.
fn outside_files(files: &[PathBuf], own: &[TaskEntry]) -> Vec<PathBuf> {
    let is_outside = |file: &&PathBuf| !own.iter().any(|task| is_of_task(file, &task.name));
    files.iter().filter(is_outside).cloned().collect()
}

/// A command of this program that checks a part of the change.
struct PlannedCheck {
    arguments: Vec<String>,
    /// Whether its failure is that of the whole command.
    required: bool,
}

impl PlannedCheck {
    fn new(required: bool, words: &[&str]) -> Self {
        Self { arguments: words.iter().map(ToString::to_string).collect(), required }
    }

    fn title(&self) -> String {
        format!("cargo wb {}", self.arguments.join(" "))
    }

    /// The result of a check that does not run because the sources break a rule.
    fn not_run(&self) -> CheckResult {
        CheckResult {
            title: self.title(),
            outcome: CheckOutcome::NotRun,
            seconds: 0.0,
            output: String::new(),
        }
    }

    fn outcome(&self, is_success: bool) -> CheckOutcome {
        match (is_success, self.required) {
            (true, _) => CheckOutcome::Passed,
            (false, true) => CheckOutcome::Failed,
            (false, false) => CheckOutcome::Unavailable,
        }
    }
}

/// The checks of the changed tasks that read their sources only.
fn rule_checks(tasks: &[&str]) -> Vec<PlannedCheck> {
    tasks.iter().map(|task| PlannedCheck::new(true, &["rules", "-p", task])).collect()
}

/// The checks that build and start programs: what the change can affect, then each changed task by itself.
fn program_checks(tasks: &[&str], commit: &str, wanted: &arguments::SummaryArgs) -> Vec<PlannedCheck> {
    let backend = match wanted.backend {
        BackendArgument::Mpi => "mpi",
        BackendArgument::Threads => "threads",
    };
    let sandbox: &[&str] = if wanted.sandbox { &["--sandbox"] } else { &[] };
    let check = |required, words: &[&str]| PlannedCheck::new(required, &[words, sandbox].concat());
    let mut checks = vec![check(true, &["test", "--backend", backend, "--changed", commit])];
    for task in tasks {
        checks.push(check(true, &["perf", "-p", task, "--quick", "--backend", backend]));
        checks.push(check(false, &["grade", "-p", task, "--dry-run"]));
    }
    checks
}

/// Runs checks and keeps their output.
struct CheckRunner<'a> {
    workspace: &'a Workspace,
    lang: Lang,
    logs: TempDir,
}

impl<'a> CheckRunner<'a> {
    fn new(workspace: &'a Workspace, lang: Lang) -> Result<Self> {
        let scratch = workspace.scratch("summary")?;
        let logs = tempfile::tempdir_in(&scratch).map_err(CliError::system("create", scratch))?;
        Ok(Self { workspace, lang, logs })
    }

    fn run(&self, check: PlannedCheck) -> Result<CheckResult> {
        let program = std::env::current_exe().map_err(CliError::system("run", "wb"))?;
        let title = check.title();
        let mut command = Command::new(program);
        command.args(&check.arguments).args(["--lang", self.lang.code()]).current_dir(self.workspace.root());
        for name in JOB_VARIABLES {
            command.env_remove(name);
        }
        let log = self.logs.path().join("check.log");
        let step =
            CommandStep { title: title.clone(), command, limit: LIMIT, show: OutputMode::Live, log: &log };
        let ended = step.run(self.lang)?;
        let output = fs::read(&log).map_err(CliError::system("read", log))?;
        Ok(CheckResult {
            title,
            outcome: check.outcome(ended.is_success()),
            seconds: ended.elapsed.as_secs_f64(),
            output: String::from_utf8_lossy(&output).into_owned(),
        })
    }
}

/// Appends the page to the file, else to the page of the job, else prints it.
fn write(markdown: &str, file: Option<&Path>) -> Result<()> {
    let of_job = std::env::var_os(PAGE_VARIABLE).map(PathBuf::from);
    let Some(path) = file.map(Path::to_owned).or(of_job) else {
        println!("{markdown}");
        return Ok(());
    };
    let opened = OpenOptions::new().create(true).append(true).open(&path);
    opened.and_then(|mut file| file.write_all(markdown.as_bytes())).map_err(CliError::system("write", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folders_of_a_task_are_its_sources_and_its_report() {
        for file in ["tasks/ivanov_i_sum/src/lib.rs", "reports/ivanov_i_sum/report.md"] {
            assert!(is_of_task(Path::new(file), "ivanov_i_sum"), "{file}");
        }
        for file in ["tasks/ivanov_i_sum_2/src/lib.rs", "docs/ivanov_i_sum/x", "tasks/course.yaml"] {
            assert!(!is_of_task(Path::new(file), "ivanov_i_sum"), "{file}");
        }
    }
}
