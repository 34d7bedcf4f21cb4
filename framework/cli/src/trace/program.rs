//! `cargo wb trace -- COMMAND`: one run of a program that is not a task, with every call of MPI recorded.
//!
//! A library that is preloaded records the calls (`framework/tracer`): each rank leaves a log in a folder, and the trace is made from these.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use wb_messages::{Lang, cli as text};
use wb_record::{
    Backend, BuildInfo, ClockInfo, Environment, MeasuredWorkload, MessagePassing, RankLog, Subject, Text,
    Trace,
};

use super::{source_lines, write_outputs};
use crate::{
    CommandStatus,
    arguments::{BackendArgument, TraceArgs},
    backend::SelectedBackend,
    benchmark_program,
    error::{CliError, Result},
    preload, step,
    system_probe::MpiInstallation,
    workspace::Workspace,
};

const PACKAGE: &str = "wb-tracer";
const LIBRARY: &str = "wb_tracer";

/// The variable that names the folder of the logs to the library.
const FOLDER: &str = "WB_TRACE_FOLDER";

pub(super) fn run(wanted: &TraceArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    let workspace = Workspace::find()?;
    let SelectedBackend::Mpi(mpi) = SelectedBackend::select(Some(BackendArgument::Mpi), lang)? else {
        unreachable!("real MPI was asked for");
    };
    let library = match build(&workspace, &SelectedBackend::Mpi(mpi.clone()), lang)? {
        Ok(library) => library,
        Err(why) => return Ok(failure(&wanted.command, why, lang)),
    };
    let scratch = workspace.scratch("traces")?;
    let logs = tempfile::tempdir_in(&scratch).map_err(CliError::system("create", scratch))?;
    let at = jiff::Timestamp::now();
    let status = wb_process::run_in_foreground(traced_command(wanted, (&library, logs.path()), json, lang))
        .map_err(CliError::system("run", &wanted.command[0]))?;
    if !status.success() {
        let ended = wb_process::describe_status(status, lang);
        eprintln!("{}", text::traced_program_failed(lang, shown(&wanted.command), ended));
    }
    let trace =
        read_logs(logs.path(), &mpi, lang).map(|logs| trace_of(logs, &wanted.command, at, &mpi, lang));
    // The debug information has whole paths, and the user has started the program.
    match trace.and_then(|trace| write_outputs(&trace, Path::new("/"), (wanted, json), lang)) {
        Ok(written) => {
            written?.iter().for_each(|path| eprintln!("{}", text::report_written(lang, path.display())));
            Ok(CommandStatus::from_success(status.success()))
        }
        Err(why) => Ok(failure(&wanted.command, why, lang)),
    }
}

fn failure(command: &[OsString], why: String, lang: Lang) -> CommandStatus {
    eprintln!("{}", text::trace_failed(lang, shown(command), why));
    CommandStatus::Failure
}

/// The command line as a person reads it.
fn shown(command: &[OsString]) -> String {
    let words: Vec<_> = command.iter().map(|word| word.to_string_lossy()).collect();
    wb_text::escape::line(&words.join(" ")).into_owned()
}

/// Builds the library for this MPI: its file, or why there is none.
fn build(
    workspace: &Workspace,
    backend: &SelectedBackend,
    lang: Lang,
) -> Result<std::result::Result<PathBuf, String>> {
    let format = "--message-format=json-render-diagnostics";
    let command = backend.cargo(workspace, &["build", "--release", "--quiet", format, "--package", PACKAGE]);
    let (ended, library) = benchmark_program::build(command, LIBRARY)?;
    Ok(library.ok_or_else(|| step::describe_failure(&ended, benchmark_program::LIMIT, lang)))
}

fn traced_command(wanted: &TraceArgs, (library, logs): (&Path, &Path), json: bool, lang: Lang) -> Command {
    let mut command = Command::new(&wanted.command[0]);
    command.args(&wanted.command[1..]).env(FOLDER, logs).env("WB_LANG", lang.code());
    command.env(preload::VARIABLE, preload::with_former(library, std::env::var_os(preload::VARIABLE)));
    if json {
        command.stdout(Stdio::from(io::stderr()));
    }
    command
}

/// The logs of all ranks, by rank, or why there is no trace.
fn read_logs(folder: &Path, mpi: &MpiInstallation, lang: Lang) -> std::result::Result<Vec<RankLog>, String> {
    let unreadable = |error: &dyn std::fmt::Display| text::trace_unreadable(lang, error);
    let mut logs = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(|error| unreadable(&error))? {
        let bytes = entry.and_then(|entry| fs::read(entry.path())).map_err(|error| unreadable(&error))?;
        let log = RankLog::parse(&bytes).map_err(|error| unreadable(&error))?;
        logs.insert(log.start.rank, log);
    }
    let Some(ranks) = logs.values().next().map(|log| log.start.ranks) else {
        return Err(text::no_log(lang, format!("{} {}", mpi.flavour.name(), mpi.version)));
    };
    let missing: Vec<String> =
        (0..ranks).filter(|rank| !logs.contains_key(rank)).map(|rank| rank.to_string()).collect();
    if !missing.is_empty() {
        return Err(text::missing_logs(lang, missing.join(", ")));
    }
    let logs: Vec<RankLog> = logs.into_values().collect();
    match logs.iter().all(|log| log.start.clock == logs[0].start.clock) {
        true => Ok(logs),
        false => Err(text::several_clocks(lang)),
    }
}

fn trace_of(
    mut logs: Vec<RankLog>,
    command: &[OsString],
    at: jiff::Timestamp,
    mpi: &MpiInstallation,
    lang: Lang,
) -> Trace {
    source_lines::resolve(&mut logs);
    let command = shown(command);
    let start = &logs[0].start;
    let subject = Subject {
        task: package_name(&start.program),
        title: Text { en: command.clone(), ru: command.clone() },
        student: String::new(),
        group: String::new(),
        task_number: 0,
        variant: 0,
    };
    let workload =
        MeasuredWorkload { name: command, size: start.ranks.into(), unit: text::ranks_as_unit(lang) };
    let environment = environment(mpi, start.thread_level.clone());
    let at = at.round(jiff::Unit::Second).unwrap_or(at).to_string();
    Trace::new(at, subject, environment, workload, logs.into_iter().map(|log| log.trace).collect())
}

/// The name of a program in the form of a package's name.
fn package_name(program: &str) -> String {
    let file = program.rsplit('/').next().unwrap_or(program);
    let letters = file.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' });
    letters.take(64).collect()
}

fn environment(mpi: &MpiInstallation, thread_level: String) -> Environment {
    // How the program was built is not known.
    let [rustc, profile, opt_level, target] = Default::default();
    let (target_cpu, commit, dirty) = (None, None, None);
    Environment {
        machine: wb_process::host_machine(),
        message_passing: MessagePassing {
            backend: Backend::Mpi,
            library: Some(mpi.flavour.name().to_owned()),
            version: Some(mpi.version.clone()),
            thread_level: Some(thread_level),
            transport: None,
        },
        build: BuildInfo { rustc, profile, opt_level, target, target_cpu, commit, dirty },
        clock: ClockInfo::shared("CLOCK_MONOTONIC", 1.0, None),
        placement: vec![],
        variables: BTreeMap::new(),
        seed: 0,
    }
}
