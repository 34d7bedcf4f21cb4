//! `cargo wb judge`: judges a task by the judge of its assignment, and keeps the judge's records.
//!
//! The judge is a program of the assignment's crate and is built outside the sandbox. The task is built by the same command
//! without `--sandbox`, and inside the sandbox with it.

mod build;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use wb_config::TaskSettings;
use wb_messages::{Lang, judge as text};
use wb_process::Job;

use crate::{
    CommandStatus, arguments,
    backend::SelectedBackend,
    error::{CliError, Result},
    measure, output, readable_workspace,
    sandboxed_task::SandboxedTask,
    step, task_lock, task_workspace,
    workspace::{AssignmentEntry, TaskEntry, Workspace},
};

/// The time limit of a judge, which also has limits of its own.
const LIMIT: Duration = Duration::from_secs(2 * 3600);

/// The exit code of a judge that refuses its arguments, settings or private inputs; it has said why.
const EXIT_REFUSED: i32 = 2;

/// The exit code of a judge whose sandbox is not available.
const EXIT_MISSING: i32 = 4;

pub(crate) fn run(wanted: &arguments::JudgeArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    let judged = judge_task(&readable_workspace::find()?, wanted, lang, json)?;
    print_records(&judged.records, lang, json);
    if let Some(failure) = &judged.failure {
        eprintln!("{failure}");
    }
    Ok(CommandStatus::from_success(judged.failure.is_none()))
}

/// The results of a judge; one that failed may also have records.
pub(crate) struct JudgedTask {
    /// The file of the judge's records.
    pub(crate) records: PathBuf,
    /// The failure.
    pub(crate) failure: Option<String>,
}

/// Judges a task. With `quiet`, standard output is for the caller only.
pub(crate) fn judge_task(
    workspace: &Workspace,
    wanted: &arguments::JudgeArgs,
    lang: Lang,
    quiet: bool,
) -> Result<JudgedTask> {
    let TaskEntry { name: task, folder, settings } = workspace.task(&wanted.task, lang)?;
    let settings = settings?;
    if !measure::is_enabled(&settings) {
        return Err(CliError::Usage(wb_messages::cli::disabled(lang, task)));
    }
    let assignment = assignment_of(workspace, (&task, &settings), lang)?;
    check_private_folder(wanted.private.as_deref(), &assignment, lang)?;
    let backend = SelectedBackend::select(wanted.backend, lang)?;
    let _lock = task_lock::lock_task(workspace, &task, lang)?;
    let workspace = &task_workspace::graded(workspace, (&task, &folder, &settings), Some(&assignment))?;
    let records = empty_records_file(workspace, &task)?;
    let builder = build::ProgramBuilder { workspace, backend: &backend, lang };
    let judge = builder.judge(&assignment.name)?;
    // The sandbox takes the libraries that are built now.
    let sandbox = SandboxedTask::if_wanted(wanted.sandbox, workspace, &task, lang)?;
    let program = match builder.task(&task, sandbox.as_ref()) {
        Ok(program) => program,
        // The verdict of this task.
        Err(error) => return Ok(JudgedTask { records, failure: Some(error.render(lang)) }),
    };
    let mut command = Command::new(judge);
    add_arguments(&mut command, wanted, lang);
    let folder = workspace.task(&task, lang)?.folder;
    command.arg("--wb-task").arg(folder).arg("--wb-program").arg(program).arg("--wb-records").arg(&records);
    if let SelectedBackend::Threads = backend {
        command.arg("--wb-threads");
    }
    if quiet {
        command.stdout(std::process::Stdio::from(std::io::stderr()));
    }
    let ended =
        Job::spawn(command).and_then(|job| job.wait(LIMIT)).map_err(CliError::system("run", "judge"))?;
    match ended.status.code() {
        Some(EXIT_MISSING) => return Err(CliError::Missing(text::sandbox_lost(lang))),
        Some(EXIT_REFUSED) => return Err(CliError::Usage(text::judge_refuses(lang, task))),
        _ => {}
    }
    let failure = (!ended.is_success()).then(|| step::describe_failure(&ended, LIMIT, lang));
    Ok(JudgedTask { records, failure })
}

/// The assignment of the task, which must have a judge.
fn assignment_of(
    workspace: &Workspace,
    (task, settings): (&str, &TaskSettings),
    lang: Lang,
) -> Result<AssignmentEntry> {
    let found = workspace.assignment(settings.task_number, settings.variant);
    let assignment = found.ok_or_else(|| CliError::Usage(text::no_assignment(lang, task)))?;
    match assignment.folder.join("benches/judge.rs").is_file() {
        true => Ok(assignment),
        false => Err(CliError::Usage(text::no_judge(lang, assignment.name))),
    }
}

/// Nothing is built where the private inputs of the assignment are missing: without them no verdict counts.
fn check_private_folder(private: Option<&Path>, assignment: &AssignmentEntry, lang: Lang) -> Result<()> {
    let Some(folder) = private.map(|private| private.join(&assignment.name)) else { return Ok(()) };
    match folder.is_dir() {
        true => Ok(()),
        false => Err(CliError::Usage(text::no_private_folder(lang, folder.display()))),
    }
}

/// The file of the judge's records, empty: records of an earlier run must not be taken for this one's.
fn empty_records_file(workspace: &Workspace, task: &str) -> Result<PathBuf> {
    let file = workspace.scratch("records")?.join(format!("{task}.judged.jsonl"));
    fs::write(&file, "").map_err(CliError::system("write", &file))?;
    Ok(file)
}

fn add_arguments(command: &mut Command, wanted: &arguments::JudgeArgs, lang: Lang) {
    command.args(["--wb-lang", lang.code()]);
    let flags = [
        (wanted.quick, "--wb-quick"),
        (wanted.verdicts_only, "--wb-verdicts-only"),
        (wanted.sandbox, "--wb-sandbox"),
    ];
    command.args(flags.iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag));
    if let Some(ranks) = &wanted.ranks {
        let list: Vec<String> = ranks.iter().map(ToString::to_string).collect();
        command.args(["--wb-ranks", &list.join(",")]);
    }
    if let Some(seed) = wanted.seed {
        command.args(["--wb-seed", &seed.to_string()]);
    }
    if let Some(folder) = &wanted.private {
        command.arg("--wb-private").arg(folder);
    }
}

/// Shows the table of the records, or with `--json` the records.
fn print_records(file: &Path, lang: Lang, json: bool) {
    match measure::read(file, lang) {
        Ok(records) if json => records.iter().for_each(|record| println!("{}", record.to_line())),
        Ok(records) => {
            println!("{}", output::whole_report(&records, lang));
            println!("{}", text::records_are_in(lang, file.display()));
        }
        Err(why) => eprintln!("{why}"),
    }
}
