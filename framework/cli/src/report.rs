//! `cargo wb report`: measures every enabled task, predicts it with its models, traces one more run, and writes the pages.
//!
//! A task that fails does not stop the others; the summary names it and the exit code is 1.

use std::{fs, path::Path};

use wb_config::VersionStatus;
use wb_messages::{Lang, cli as text};
use wb_record::{Measurement, Record};

use crate::{
    CommandStatus, arguments,
    backend::SelectedBackend,
    error::{CliError, Result, describe_config_error},
    measure::{self, BenchmarkResult, BenchmarkRunner},
    model, output,
    pages::{self, RECORDS, localized_file_name},
    task_lock, trace,
    workspace::{TaskEntry, Workspace},
};

/// The number of calls of a rank that a report keeps of a trace: the record is committed, and a call takes a hundred bytes.
const MAX_CALLS: usize = 1 << 12;

pub(crate) fn run(wanted: &arguments::ReportArgs, lang: Lang) -> Result<CommandStatus> {
    let workspace = Workspace::find()?;
    let tasks = match &wanted.task {
        Some(name) => vec![workspace.task(name, lang)?],
        None => workspace.tasks(),
    };
    let reports = workspace.root().join("reports");
    let failed = match wanted.render {
        true => Vec::new(),
        false => {
            // A missing machine is reported before anything is measured.
            let machines = model::machines(wanted.model.as_deref(), lang)?;
            let beyond = model::extra_ranks(wanted.model_ranks.as_ref());
            fs::create_dir_all(&reports).map_err(CliError::system("create", &reports))?;
            output::check(&reports.join(localized_file_name("index", "html", lang)))?;
            measure_all(&workspace, &tasks, wanted, (&machines, &beyond), lang)?
        }
    };
    let unreadable = pages::write_all(&workspace, &tasks, lang)?;
    let names: Vec<String> = failed.into_iter().chain(unreadable).collect();
    if !names.is_empty() {
        eprintln!("{}", text::failed_tasks(lang, names.join(", ")));
    }
    Ok(CommandStatus::from_success(names.is_empty()))
}

/// Measures the tasks and saves their records in the folders of reports. Returns the names of the tasks that failed.
fn measure_all(
    workspace: &Workspace,
    tasks: &[TaskEntry],
    wanted: &arguments::ReportArgs,
    models: (&[model::ModelledMachine], &[u32]),
    lang: Lang,
) -> Result<Vec<String>> {
    let (enabled, mut failed) = enabled_tasks(tasks, lang);
    if enabled.is_empty() {
        println!("{}", text::nothing_to_report(lang));
        return Ok(failed);
    }
    let backend = SelectedBackend::select(wanted.backend, lang)?;
    let runner =
        BenchmarkRunner { workspace, backend, quick: wanted.quick, ranks: &[], quiet: false, sandbox: None };
    for (at, task) in enabled.iter().enumerate() {
        println!("{}", text::measuring(lang, at + 1, enabled.len(), &task.name));
        if !measure_task(&runner, task, models, lang)? {
            failed.push(task.name.clone());
        }
    }
    Ok(failed)
}

/// The tasks to measure, and the names of those whose settings are wrong.
fn enabled_tasks(tasks: &[TaskEntry], lang: Lang) -> (Vec<&TaskEntry>, Vec<String>) {
    let (mut enabled, mut failed) = (Vec::new(), Vec::new());
    for task in tasks {
        match &task.settings {
            Ok(settings) if measure::is_enabled(settings) => enabled.push(task),
            Ok(_) => println!("{}", text::disabled(lang, &task.name)),
            Err(error) => {
                eprintln!("{}", text::report_failed(lang, &task.name, describe_config_error(error, lang)));
                failed.push(task.name.clone());
            }
        }
    }
    (enabled, failed)
}

/// Tests, measures, predicts and traces one task, and saves its records. Returns whether all of it succeeded.
fn measure_task(
    runner: &BenchmarkRunner<'_>,
    task: &TaskEntry,
    models: (&[model::ModelledMachine], &[u32]),
    lang: Lang,
) -> Result<bool> {
    let _lock = match task_lock::lock_task(runner.workspace, &task.name, lang) {
        Ok(lock) => lock,
        Err(busy) => {
            eprintln!("{}", text::measurement_failed(lang, &task.name, busy.render(lang)));
            return Ok(false);
        }
    };
    let folder = runner.workspace.root().join("reports").join(&task.name);
    // A quick report is about time only.
    let tested = if runner.quick { None } else { Some(runner.test(&task.name, lang)?) };
    let measured = runner.measure(&task.name, lang)?;
    let (additional, errors) = model_and_trace_records(runner, task, &measured, models, lang)?;
    let saved = save_records(tested.as_ref(), &measured, additional, (task, &folder), lang);
    if let Ok(records) = &saved {
        println!("{}", wb_report::terminal(records, lang));
    }
    let unrecorded = tested.as_ref().filter(|tested| tested.failure.is_none());
    let unrecorded = unrecorded.and_then(|tested| tested.records(lang).err());
    let unrecorded = unrecorded.map(|error| text::records_without_tests(lang, error));
    let failures = [tested.and_then(|tested| tested.failure), unrecorded, measured.failure.or(saved.err())];
    for failure in failures.iter().flatten() {
        eprintln!("{}", text::measurement_failed(lang, &task.name, failure));
    }
    errors.iter().for_each(|error| eprintln!("{error}"));
    Ok(errors.is_empty() && failures.iter().all(Option::is_none))
}

/// Predicts and traces a task after its measurements, which it would disturb otherwise. Returns the records and the errors.
fn model_and_trace_records(
    runner: &BenchmarkRunner<'_>,
    task: &TaskEntry,
    measured: &BenchmarkResult,
    (machines, beyond): (&[model::ModelledMachine], &[u32]),
    lang: Lang,
) -> Result<(Vec<Record>, Vec<String>)> {
    let (Ok(settings), Ok(records)) = (&task.settings, measured.records(lang)) else {
        return Ok(Default::default());
    };
    let head = records.first().filter(|_| settings.status.mpi == VersionStatus::Enabled);
    let Some(head) = head else { return Ok(Default::default()) };
    let ranks: Vec<u32> = settings.performance.ranks.iter().map(|&ranks| ranks as u32).collect();
    let (mut additional, mut errors) = model::records(runner, machines, head, (&ranks, beyond), lang)?;
    // Ranks that share a core wait for it, and a trace reports that wait as work.
    let cores = head.environment.machine.usable_cores;
    let Some(most) = ranks.into_iter().filter(|p| (2..=cores).contains(p)).max() else {
        return Ok((additional, errors));
    };
    println!("{}", text::tracing(lang, &task.name, most));
    let on_most = [most as u16];
    let runner = runner.with_ranks(&on_most);
    let largest = settings.performance.workloads.iter().rev().max_by_key(|workload| workload.size);
    let file = runner.trace(&task.name, largest.map(|workload| workload.name.as_str()), None, lang)?;
    match file.and_then(|file| trace::read(&file, lang)) {
        Ok(trace) => {
            let (at, environment) = (trace.at.clone(), trace.environment.clone());
            let trace = trace.truncated(MAX_CALLS);
            additional.push(Record { at, environment, measurement: trace.into(), ..head.clone() });
        }
        Err(error) => errors.push(text::trace_failed(lang, &task.name, error)),
    }
    Ok((additional, errors))
}

/// Saves the records of tests, measurement, prediction and trace in the folder of a task's report, and returns them.
fn save_records(
    tested: Option<&BenchmarkResult>,
    measured: &BenchmarkResult,
    additional: Vec<Record>,
    (task, folder): (&TaskEntry, &Path),
    lang: Lang,
) -> std::result::Result<Vec<Record>, String> {
    let mut records = measured.records(lang)?;
    records.extend(additional);
    let verdicts = match tested {
        // Tests without records have failed, and the page reports that.
        Some(tested) => tested.records(lang).unwrap_or_default(),
        // A run without tests keeps the former verdicts, which have their own date and commit.
        None => measure::read_for_task(&task.name, &folder.join(RECORDS), lang).unwrap_or_default(),
    };
    let is_verdict = |record: &Record| matches!(record.measurement, Measurement::Functional(_));
    records.splice(0..0, verdicts.into_iter().filter(is_verdict));
    let lines: String = records.iter().map(|record| record.to_line() + "\n").collect();
    let made = fs::create_dir_all(folder).map_err(CliError::system("write", folder));
    let written = made.and_then(|()| output::write_in_report(&folder.join(RECORDS), lines, lang));
    written.map(|()| records).map_err(|error| error.render(lang))
}
