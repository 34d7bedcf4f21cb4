//! The measurements of one task for its report: tests, times, predictions and a trace.

use std::{fs, path::Path};

use wb_config::VersionStatus;
use wb_messages::{Lang, cli as text};
use wb_record::{Measurement, Record, Version};

use crate::{
    error::{CliError, Result},
    measure::{self, BenchmarkResult, BenchmarkRunner},
    model, output,
    pages::RECORDS,
    run_part::RunPart,
    task_lock, trace,
    workspace::{TaskEntry, Workspace},
};

/// The number of calls of a rank that a report keeps of a trace: the record is committed, and a call takes a hundred bytes.
const MAX_CALLS: usize = 1 << 12;

/// The ending of the file with the records of a part that are not measurements.
pub(super) const ADDITIONAL: &str = "additional.jsonl";

/// Tests, measures, predicts and traces one task, and saves its records. Returns whether all of it succeeded.
pub(super) fn measure_task(
    runner: &BenchmarkRunner<'_>,
    task: &TaskEntry,
    models: (&[model::ModelledMachine], &[u32]),
    lang: Lang,
) -> Result<bool> {
    let what = match &runner.part {
        None => task.name.clone(),
        Some(part) => format!("{}-{}-{}", task.name, part.run, part.launches.index()),
    };
    let _lock = match task_lock::lock_task(runner.workspace, &what, lang) {
        Ok(lock) => lock,
        Err(busy) => {
            eprintln!("{}", text::measurement_failed(lang, &task.name, busy.render(lang)));
            return Ok(false);
        }
    };
    let folder = runner.workspace.root().join("reports").join(&task.name);
    // What is done once for a run belongs to its first part.
    let is_first = runner.part.as_ref().is_none_or(|part| part.launches.index() == 0);
    // A quick report is about time only.
    let tested = if runner.quick || !is_first { None } else { Some(runner.test(&task.name, lang)?) };
    let measured = runner.measure(&task.name, lang)?;
    let (additional, errors) = match is_first {
        true => model_and_trace_records(runner, task, &measured, models, lang)?,
        false => Default::default(),
    };
    let saved = match &runner.part {
        None => save_records(tested.as_ref(), &measured, additional, (task, &folder), lang),
        Some(part) => save_part(runner.workspace, part, &measured, additional, lang),
    };
    // A part is shown together with the others.
    if let (Ok(records), None) = (&saved, &runner.part) {
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
    let ranks: Vec<u32> = match runner.ranks {
        [] => settings.performance.ranks.iter().map(|&ranks| ranks as u32).collect(),
        wanted => wanted.iter().map(|&ranks| u32::from(ranks)).collect(),
    };
    let (mut additional, mut errors) = model::records(runner, machines, head, (&ranks, beyond), lang)?;
    // Ranks that share a core wait for it, and a trace reports that wait as work.
    let has_cores = |record: &Record| match &record.measurement {
        Measurement::Timing(timing) if timing.series.version == Version::Mpi => {
            let ranks = timing.series.ranks;
            (ranks > 1 && !record.environment.most_crowded(ranks).is_oversubscribed()).then_some(ranks)
        }
        _ => None,
    };
    let Some(most) = records.iter().filter_map(has_cores).max() else { return Ok((additional, errors)) };
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

/// Keeps the records of predictions and of the trace beside those of the measurements, which the benchmark has written, and returns
/// all of the part.
fn save_part(
    workspace: &Workspace,
    part: &RunPart,
    measured: &BenchmarkResult,
    additional: Vec<Record>,
    lang: Lang,
) -> std::result::Result<Vec<Record>, String> {
    let mut records = measured.records(lang)?;
    let folder =
        workspace.scratch(&part.folder(&measured.expected.task)).map_err(|error| error.render(lang))?;
    let file = folder.join(part.file(ADDITIONAL));
    wb_process::write_atomically(&file, lines(&additional))
        .map_err(|error| CliError::system("write", &file)(error).render(lang))?;
    records.extend(additional);
    Ok(records)
}

/// Records as the lines of a file.
pub(super) fn lines(records: &[Record]) -> String {
    records.iter().map(|record| record.to_line() + "\n").collect()
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
    // Tests without records have failed, and the page reports that.
    let verdicts = tested.map(|tested| tested.records(lang).unwrap_or_default());
    write_report(verdicts, records, (task, folder), lang)
}

/// Writes the records of a report. Without new verdicts the former ones stay, which have their own date and commit.
pub(super) fn write_report(
    verdicts: Option<Vec<Record>>,
    mut records: Vec<Record>,
    (task, folder): (&TaskEntry, &Path),
    lang: Lang,
) -> std::result::Result<Vec<Record>, String> {
    let verdicts = match verdicts {
        Some(verdicts) => verdicts,
        None => measure::read_for_task(&task.name, &folder.join(RECORDS), lang).unwrap_or_default(),
    };
    let is_verdict = |record: &Record| matches!(record.measurement, Measurement::Functional(_));
    records.splice(0..0, verdicts.into_iter().filter(is_verdict));
    let made = fs::create_dir_all(folder).map_err(CliError::system("write", folder));
    let written = made.and_then(|()| output::write_in_report(&folder.join(RECORDS), lines(&records), lang));
    written.map(|()| records).map_err(|error| error.render(lang))
}
