//! The records of a run that several jobs have measured, as those of one run.

use std::{collections::BTreeMap, fs, path::Path};

use wb_messages::{Lang, slurm as text, usage_error};
use wb_record::{
    LaunchPart, Measurement, MeasurementPlan, Record, Series, SeriesOutcome, statistics::relative_half_width,
};

use super::task_report::ADDITIONAL;
use crate::{
    arguments::RunName,
    error::{CliError, Result},
    measure, record_input,
    run_part::RunPart,
    workspace::Workspace,
};

/// The endings of the files of a part: what its benchmark and its tests have written.
const MEASURED: &str = "jsonl";
const VERDICTS: &str = "verdicts.jsonl";

/// A run with the parts of it that were measured.
pub(super) struct CollectedRun {
    run: String,
    /// The number of parts.
    of: u32,
    /// The parts that have records.
    parts: Vec<u32>,
    /// Those of them that ended before their last launch.
    ended_early: Vec<u32>,
    /// The verdicts of the functional tests, if they were run.
    pub(super) verdicts: Option<Vec<Record>>,
    /// All other records.
    pub(super) records: Vec<Record>,
}

impl CollectedRun {
    /// Reads the run of this name, or the last one for the empty name.
    ///
    /// # Errors
    /// There is no such run, it has no records, or its records cannot be read or belong to different plans.
    pub(super) fn read(workspace: &Workspace, task: &str, run: &str, lang: Lang) -> Result<Self> {
        let folder = workspace.scratch(&RunPart::folder_of_runs(task))?;
        let run = select_run(&folder, task, run, lang)?;
        let folder = folder.join(&run);
        let files = fs::read_dir(&folder).map_err(CliError::system("read", &folder))?;
        let mut found: Vec<LaunchPart> =
            files.flatten().filter_map(|file| RunPart::of_file(&file.path(), MEASURED)).collect();
        found.sort_by_key(|part| part.index());
        let no_parts = || CliError::Usage(text::no_parts(lang, task));
        let of = found.first().ok_or_else(no_parts)?.of();
        if found.iter().any(|part| part.of() != of) {
            return Err(CliError::Usage(text::mixed_parts(lang, &run, folder.display())));
        }
        let mut collected = Self {
            run: run.clone(),
            of,
            parts: vec![],
            ended_early: vec![],
            verdicts: None,
            records: vec![],
        };
        let mut measured = BTreeMap::new();
        let mut additional = vec![];
        for launches in found {
            let part = RunPart { launches, run: run.clone() };
            let read = |ending: &str| read_part(&folder.join(part.file(ending)), task, lang);
            let unreadable =
                |reason| CliError::Usage(text::part_unreadable(lang, &run, launches.index(), reason));
            let records = read(MEASURED).map_err(unreadable)?;
            if !records.is_empty() {
                measured.insert(launches.index(), records);
            }
            let verdicts = read(VERDICTS).map_err(unreadable)?;
            if !verdicts.is_empty() {
                collected.verdicts = Some(verdicts);
            }
            additional.extend(read(ADDITIONAL).map_err(unreadable)?);
        }
        if measured.is_empty() {
            return Err(no_parts());
        }
        collected.parts = measured.keys().copied().collect();
        collected.ended_early =
            measured.iter().filter(|(_, records)| !has_outcomes(records)).map(|(part, _)| *part).collect();
        let merged = merge(&measured, of).map_err(|part| CliError::Usage(text::other_plan(lang, part)))?;
        let name = format!("{task}-{run}");
        let of_run = |record: Record| Record { run: name.clone(), ..record };
        collected.records = merged.into_iter().chain(additional).map(of_run).collect();
        Ok(collected)
    }

    /// Whether all parts were measured to their end.
    pub(super) fn is_complete(&self) -> bool {
        self.parts.len() as u32 == self.of && self.ended_early.is_empty()
    }

    /// Shows which parts there are.
    pub(super) fn describe(&self, lang: Lang) {
        println!("{}", text::collected(lang, &self.run, self.parts.len(), self.of));
        for part in &self.ended_early {
            eprintln!("{}", text::part_incomplete(lang, &self.run, part));
        }
    }
}

/// The run of this name, or the one whose folder was changed last.
fn select_run(folder: &Path, task: &str, run: &str, lang: Lang) -> Result<String> {
    let runs = fs::read_dir(folder).map_err(CliError::system("read", folder))?;
    let mut runs: Vec<_> = runs
        .flatten()
        .filter_map(|entry| {
            Some((entry.metadata().ok()?.modified().ok()?, entry.file_name().into_string().ok()?))
        })
        .collect();
    runs.sort();
    let Some((_, last)) = runs.last() else { return Err(CliError::Usage(text::no_parts(lang, task))) };
    if run.is_empty() {
        return Ok(last.clone());
    }
    let run: RunName =
        run.parse().map_err(|_| CliError::Usage(usage_error::bad_run(lang, "--collect", run)))?;
    match runs.iter().any(|(_, name)| name == run.as_str()) {
        true => Ok(run.to_string()),
        false => {
            let known: Vec<&str> = runs.iter().map(|(_, name)| name.as_str()).collect();
            Err(CliError::Usage(text::no_run(lang, run, known.join(", "))))
        }
    }
}

/// The records of a file of a part; none without a file. A job that was killed may have left half a line at its end.
fn read_part(file: &Path, task: &str, lang: Lang) -> std::result::Result<Vec<Record>, String> {
    let Ok(text_of_file) = record_input::read(file) else { return Ok(vec![]) };
    let whole = text_of_file.rfind('\n').map_or("", |end| &text_of_file[..=end]);
    measure::parse_for_task(task, whole, lang)
}

/// Whether the benchmark of a part has come to its end.
fn has_outcomes(records: &[Record]) -> bool {
    records.iter().any(|record| matches!(record.measurement, Measurement::Outcome(_)))
}

/// The records of all parts with one plan and one outcome of each series. A series has an outcome only where all parts have measured
/// it to the end. The error is the number of a part with another plan.
fn merge(parts: &BTreeMap<u32, Vec<Record>>, of: u32) -> std::result::Result<Vec<Record>, u32> {
    let mut merged: Vec<Record> = vec![];
    let mut plan: Option<MeasurementPlan> = None;
    let mut outcomes: BTreeMap<Series, (Record, Vec<SeriesOutcome>)> = BTreeMap::new();
    for (part, records) in parts {
        for record in records {
            match &record.measurement {
                Measurement::Plan(of_part) => match &plan {
                    None => {
                        plan = Some(of_part.clone());
                        merged.push(record.clone());
                    }
                    Some(first) if first == of_part => {}
                    Some(_) => return Err(*part),
                },
                Measurement::Outcome(outcome) => {
                    let entry = outcomes.entry(outcome.series.clone());
                    entry.or_insert_with(|| (record.clone(), vec![])).1.push(outcome.clone());
                }
                _ => merged.push(record.clone()),
            }
        }
    }
    let target = plan.map_or(0.0, |plan| plan.target_half_width);
    for (series, (record, of_parts)) in outcomes {
        if of_parts.len() as u32 == of {
            let outcome = merged_outcome(&series, &of_parts, &merged, target);
            merged.push(Record { measurement: outcome.into(), ..record });
        }
    }
    Ok(merged)
}

/// How a series ended that was measured in parts: it has converged if all its samples together have.
fn merged_outcome(
    series: &Series,
    parts: &[SeriesOutcome],
    records: &[Record],
    target: f64,
) -> SeriesOutcome {
    let of_series = records.iter().filter_map(|record| match &record.measurement {
        Measurement::Timing(timing) if timing.series == *series => Some(timing),
        _ => None,
    });
    let samples: Vec<f64> = of_series
        .flat_map(|timing| &timing.repetitions)
        .map(|repetition| repetition.elapsed_ns as f64)
        .collect();
    let half_width = relative_half_width(&samples);
    let failure = parts.iter().find_map(|part| part.failure.clone());
    SeriesOutcome {
        series: series.clone(),
        converged: failure.is_none() && half_width.is_some_and(|width| width < target),
        half_width,
        budget_s: parts.iter().map(|part| part.budget_s).fold(0.0, f64::max),
        spent_s: parts.iter().map(|part| part.spent_s).sum(),
        repeated_launches: parts.iter().map(|part| part.repeated_launches).sum(),
        failure,
    }
}

#[cfg(test)]
mod tests;
