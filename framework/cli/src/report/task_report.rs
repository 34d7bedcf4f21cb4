//! The measurements of one task for its report: tests, times, predictions and a trace.

use std::{
    fs,
    path::{Path, PathBuf},
};

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

/// The measurements of a task.
pub(super) struct MeasuredTask {
    /// The records of its report; none of a part, which is shown together with the others.
    pub(super) records: Option<Vec<Record>>,
    /// The failures.
    pub(super) failures: Vec<String>,
}

/// Tests, measures, predicts and traces one task, and saves its records.
pub(super) fn measure_task(
    runner: &BenchmarkRunner<'_>,
    task: &TaskEntry,
    models: (&[model::ModelledMachine], &[u32]),
    lang: Lang,
) -> Result<MeasuredTask> {
    let what = match &runner.part {
        None => task.name.clone(),
        Some(part) => format!("{}-{}-{}", task.name, part.run, part.launches.index()),
    };
    let _lock = match task_lock::lock_task(runner.workspace, &what, lang) {
        Ok(lock) => lock,
        Err(busy) => {
            let failure = text::measurement_failed(lang, &task.name, busy.render(lang));
            return Ok(MeasuredTask { records: None, failures: vec![failure] });
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
        None => save_records(runner, tested.as_ref(), &measured, additional, (task, &folder), lang),
        Some(part) => save_part(runner.workspace, part, &measured, additional, lang),
    };
    let unrecorded = tested.as_ref().filter(|tested| tested.failure.is_none());
    let unrecorded = unrecorded.and_then(|tested| tested.records(lang).err());
    let unrecorded = unrecorded.map(|error| text::records_without_tests(lang, error));
    let (records, unsaved) = saved.map_or_else(|why| (None, Some(why)), |records| (Some(records), None));
    let failed = [tested.and_then(|tested| tested.failure), unrecorded, measured.failure.or(unsaved)];
    let failed: Vec<String> = failed.into_iter().flatten().collect();
    let failed = (!failed.is_empty()).then(|| text::measurement_failed(lang, &task.name, failed.join("; ")));
    let failures = failed.into_iter().chain(errors).collect();
    Ok(MeasuredTask { records: records.filter(|_| runner.part.is_none()), failures })
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
            (ranks > 1 && !record.environment.highest_load(ranks).is_oversubscribed()).then_some(ranks)
        }
        _ => None,
    };
    let Some(most) = records.iter().filter_map(has_cores).max() else { return Ok((additional, errors)) };
    if runner.progress.is_none() {
        println!("{}", text::tracing(lang, &task.name, most));
    }
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
    runner: &BenchmarkRunner<'_>,
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
    let verdicts = verdicts.or_else(|| last_verdicts(runner, task, folder, lang));
    write_report(verdicts, records, (task, folder), lang)
}

/// The verdicts of the last complete run of `cargo test`, if its sources are those of now and the report has no later verdicts.
fn last_verdicts(
    runner: &BenchmarkRunner<'_>,
    task: &TaskEntry,
    report: &Path,
    lang: Lang,
) -> Option<Vec<Record>> {
    let workspace = runner.workspace;
    let kept = workspace.scratch("verdicts").ok()?.join(&task.name).with_extension("jsonl");
    let needed = workspace.dependencies(&task.name);
    let assignments = workspace.assignments().into_iter().filter(|entry| needed.contains(&entry.name));
    let folders: Vec<PathBuf> = assignments.map(|entry| entry.folder).chain([task.folder.clone()]).collect();
    let verdicts = verdicts_of_sources((&task.name, &kept), &folders, &report.join(RECORDS), lang)?;
    let at = &verdicts.first()?.at;
    if runner.progress.is_none() {
        println!("{}", text::tests_kept(lang, at));
    }
    Some(verdicts)
}

/// The verdicts in the file `kept`, unless a file of these folders is not older, or those of the report are later.
fn verdicts_of_sources(
    (task, kept): (&str, &Path),
    folders: &[PathBuf],
    report: &Path,
    lang: Lang,
) -> Option<Vec<Record>> {
    let verdicts = measure::read_for_task(task, kept, lang).ok()?;
    let tested: jiff::Timestamp = verdicts.first()?.at.parse().ok()?;
    let is_newer = |file: &PathBuf| match fs::metadata(file).and_then(|file| file.modified()) {
        Ok(changed) => changed >= tested.into(),
        Err(_) => true,
    };
    let reported = measure::read_for_task(task, report, lang).unwrap_or_default();
    let is_later = |record: &Record| {
        let at = record.at.parse::<jiff::Timestamp>();
        matches!(record.measurement, Measurement::Functional(_)) && at.is_ok_and(|at| at > tested)
    };
    let mut files = folders.to_vec();
    while let Some(file) = files.pop() {
        match fs::read_dir(&file) {
            Ok(entries) => files.extend(entries.flatten().map(|entry| entry.path())),
            Err(_) if is_newer(&file) => return None,
            Err(_) => {}
        }
    }
    (!reported.iter().any(is_later)).then_some(verdicts)
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

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use wb_record::{FunctionalRecord, example};

    use super::*;

    #[test]
    fn the_verdicts_of_the_same_sources_are_used_and_no_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let records = |seconds: i64| {
            let at = jiff::Timestamp::from_second(seconds).expect("a time").to_string();
            Record { at, measurement: FunctionalRecord::example().into(), ..example() }
        };
        fs::create_dir_all(at("task/src")).expect("made");
        fs::write(at("task/src/lib.rs"), "").expect("written");
        let source = fs::File::options().append(true).open(at("task/src/lib.rs")).expect("a file");
        fs::write(at("kept"), lines(&[records(1000)])).expect("written");
        let task = example().subject.task;
        let found = |changed: u64, report: Option<i64>| {
            source.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(changed)).expect("set");
            fs::write(at("report"), report.map_or_else(String::new, |at| lines(&[records(at)])))
                .expect("written");
            verdicts_of_sources((&task, &at("kept")), &[at("task")], &at("report"), Lang::En).is_some()
        };
        assert!(found(999, None) && found(999, Some(900)));
        assert!(!found(1001, None), "the source has changed since");
        assert!(!found(999, Some(1100)), "the report was tested later");
    }
}
