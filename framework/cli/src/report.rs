//! `cargo wb report`: measures every enabled task, lets its models predict the same, traces one more run, writes the pages.
//!
//! A task that fails stops no other one; the summary names it and the exit code tells.

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

/// Calls of one rank that a report keeps of a trace: what is kept is committed, and a call takes a hundred bytes.
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

/// Measures the tasks and puts their records into the folders of reports. The answer names those that failed.
fn measure_all(
    workspace: &Workspace,
    tasks: &[TaskEntry],
    wanted: &arguments::ReportArgs,
    models: (&[model::ModelledMachine], &[u32]),
    lang: Lang,
) -> Result<Vec<String>> {
    let mut failed = Vec::new();
    let mut enabled = Vec::new();
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
    if enabled.is_empty() {
        println!("{}", text::nothing_to_report(lang));
        return Ok(failed);
    }
    let backend = SelectedBackend::select(wanted.backend, lang)?;
    let campaign = BenchmarkRunner { workspace, backend, quick: wanted.quick, ranks: &[], quiet: false };
    for (at, task) in enabled.iter().enumerate() {
        println!("{}", text::measuring(lang, at + 1, enabled.len(), &task.name));
        let _held = match task_lock::lock_task(workspace, &task.name, lang) {
            Ok(held) => held,
            Err(busy) => {
                eprintln!("{}", text::measurement_failed(lang, &task.name, busy.render(lang)));
                failed.push(task.name.clone());
                continue;
            }
        };
        let folder = workspace.root().join("reports").join(&task.name);
        // Who is in a hurry tests by hand: a quick report is about time only.
        let tested = if wanted.quick { None } else { Some(campaign.test(&task.name, lang)?) };
        let measured = campaign.measure(&task.name, lang)?;
        let (beside, lost) = model_and_trace_records(&campaign, task, &measured, models, lang)?;
        let kept = save_records(tested.as_ref(), &measured, beside, (task, &folder), lang);
        if let Ok(records) = &kept {
            println!("{}", wb_report::terminal(records, lang));
        }
        let untested = tested.as_ref().filter(|tested| tested.failure.is_none());
        let untested = untested.and_then(|tested| tested.records(lang).err());
        let untested = untested.map(|why| text::records_without_tests(lang, why));
        let failures = [tested.and_then(|tested| tested.failure), untested, measured.failure.or(kept.err())];
        for why in failures.iter().flatten() {
            eprintln!("{}", text::measurement_failed(lang, &task.name, why));
        }
        lost.iter().for_each(|why| eprintln!("{why}"));
        if !lost.is_empty() || failures.iter().any(Option::is_some) {
            failed.push(task.name.clone());
        }
    }
    Ok(failed)
}

/// What stands beside the measurements, when those are over and cannot be disturbed any more: what models predict, and one
/// more run with every call written down. The answer has the records, and what went wrong.
fn model_and_trace_records(
    campaign: &BenchmarkRunner<'_>,
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
    let (mut beside, mut lost) = model::records(campaign, machines, head, (&ranks, beyond), lang)?;
    // Ranks that share a core wait for it, and a trace takes that for work.
    let cores = head.environment.machine.usable_cores;
    let Some(most) = ranks.into_iter().filter(|p| (2..=cores).contains(p)).max() else {
        return Ok((beside, lost));
    };
    println!("{}", text::tracing(lang, &task.name, most));
    let on_most = [most as u16];
    let campaign = campaign.with_ranks(&on_most);
    let largest = settings.performance.workloads.iter().rev().max_by_key(|workload| workload.size);
    let file = campaign.trace(&task.name, largest.map(|workload| workload.name.as_str()), None, lang)?;
    match file.and_then(|file| trace::read(&file, lang)) {
        Ok(trace) => {
            let (at, environment) = (trace.at.clone(), trace.environment.clone());
            let trace = trace.truncated(MAX_CALLS);
            beside.push(Record { at, environment, measurement: trace.into(), ..head.clone() });
        }
        Err(why) => lost.push(text::trace_failed(lang, &task.name, why)),
    }
    Ok((beside, lost))
}

/// Puts the records of tests, measurement and what stands beside it into the folder of a task's report, and hands them back.
fn save_records(
    tested: Option<&BenchmarkResult>,
    measured: &BenchmarkResult,
    beside: Vec<Record>,
    (task, folder): (&TaskEntry, &Path),
    lang: Lang,
) -> std::result::Result<Vec<Record>, String> {
    let mut records = measured.records(lang)?;
    records.extend(beside);
    let verdicts = match tested {
        // Tests that left no record have failed, and the page says so.
        Some(tested) => tested.records(lang).unwrap_or_default(),
        // A run that does not test keeps the last verdicts, which say from when and of which commit they are.
        None => measure::read_for_task(&task.name, &folder.join(RECORDS), lang).unwrap_or_default(),
    };
    let is_verdict = |record: &Record| matches!(record.measurement, Measurement::Functional(_));
    records.splice(0..0, verdicts.into_iter().filter(is_verdict));
    let lines: String = records.iter().map(|record| record.to_line() + "\n").collect();
    let written =
        fs::create_dir_all(folder).and_then(|()| wb_process::write_atomically(&folder.join(RECORDS), lines));
    written.map(|()| records).map_err(|error| CliError::system("write", folder)(error).render(lang))
}
