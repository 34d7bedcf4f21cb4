//! `cargo wb report`: measures every enabled task, predicts it with its models, traces one more run, and writes the pages.
//!
//! A task that fails does not stop the others; the summary names it and the exit code is 1. As a job of Slurm the launches of one task
//! are measured in parts, which are collected when the job has ended, however it ended.

mod collected_run;
mod task_report;

use std::{
    fs,
    time::{Duration, Instant},
};

use wb_messages::{Lang, WIDTH, cli as text, layout::shortened, slurm as slurm_text, wrap};
use wb_record::Record;
use wb_report::{OverviewRow, TaskReport};

use crate::{
    CommandStatus, arguments,
    backend::SelectedBackend,
    error::{CliError, Result, describe_config_error},
    measure::{self, BenchmarkRunner},
    model, output,
    pages::{self, localized_file_name},
    placement::Placement,
    run_part::RunPart,
    slurm::{self, SlurmJob, SlurmOutcome},
    workspace::{TaskEntry, Workspace},
};
use collected_run::CollectedRun;

pub(crate) fn run(wanted: &arguments::ReportArgs, lang: Lang) -> Result<CommandStatus> {
    let mut workspace = Workspace::find()?;
    let tasks = match &wanted.task {
        Some(name) => vec![workspace.task(name, lang)?],
        None => workspace.tasks(),
    };
    if wanted.render {
        let page = match &tasks[..] {
            [task] if wanted.task.is_some() => pages::task_page(&workspace, &task.name, lang),
            _ => pages::index_page(&workspace, lang),
        };
        let closing = Closing { wanted, text: pages::shown_path(&page) + "\n" };
        return write_pages(&workspace, &tasks, Vec::new(), &closing, lang);
    }
    if let Some(run) = &wanted.collect {
        return collect(&workspace, &tasks[0], (run, wanted), lang);
    }
    let backend = SelectedBackend::select(wanted.backend, lang)?;
    let placement = Placement::new(workspace.root(), &wanted.placement, backend.is_mpi(), lang)?;
    workspace.place(placement);
    if wanted.slurm.is_wanted() {
        return run_as_job(&workspace, &backend, wanted, lang);
    }
    let reports = workspace.root().join("reports");
    // A missing machine is reported before anything is measured.
    let machines = model::machines(wanted.model.as_deref(), lang)?;
    let beyond = model::extra_ranks(wanted.model_ranks.as_ref());
    fs::create_dir_all(&reports).map_err(CliError::system("create", &reports))?;
    output::check(&reports.join(localized_file_name("index", "html", lang)))?;
    let (failed, text) = measure_all(&workspace, (&tasks, backend), wanted, (&machines, &beyond), lang)?;
    match wanted.part {
        None => write_pages(&workspace, &tasks, failed, &Closing { wanted, text }, lang),
        // The pages are written from all parts.
        Some(_) => Ok(CommandStatus::from_success(failed.is_empty())),
    }
}

/// Measures the parts of a run as elements of an array of jobs, and writes the report from what they have measured.
fn run_as_job(
    workspace: &Workspace,
    backend: &SelectedBackend,
    wanted: &arguments::ReportArgs,
    lang: Lang,
) -> Result<CommandStatus> {
    let task = wanted.task.as_deref().ok_or_else(|| CliError::Usage(slurm_text::needs_task(lang)))?;
    let task = workspace.task(&measure::enabled_task(workspace, task, lang)?, lang)?;
    model::machines(wanted.model.as_deref(), lang)?;
    let job = SlurmJob {
        name: &task.name,
        flavour: backend.flavour(),
        wanted: &wanted.slurm,
        parts: Some(wanted.array.unwrap_or(1)),
    };
    let build = measure::build(workspace, backend, &task.name);
    match slurm::run(workspace, &job, build, lang)? {
        SlurmOutcome::Ended { number, status } => {
            let collected = collect(workspace, &task, (&number, wanted), lang)?;
            let is_success = [status, collected] == [CommandStatus::Success; 2];
            Ok(CommandStatus::from_success(is_success))
        }
        outcome => Ok(outcome.status()),
    }
}

/// Writes the report of a task from the parts of a run that were measured.
fn collect(
    workspace: &Workspace,
    task: &TaskEntry,
    (run, wanted): (&str, &arguments::ReportArgs),
    lang: Lang,
) -> Result<CommandStatus> {
    let collected = CollectedRun::read(workspace, &task.name, run, lang)?;
    let is_complete = collected.is_complete();
    collected.describe(lang);
    let folder = workspace.root().join("reports").join(&task.name);
    let records = task_report::write_report(collected.verdicts, collected.records, (task, &folder), lang);
    let records = records.map_err(CliError::Usage)?;
    let closing = Closing { wanted, text: task_result(workspace, &task.name, Some(&records), wanted, lang) };
    let written = write_pages(workspace, std::slice::from_ref(task), Vec::new(), &closing, lang)?;
    Ok(CommandStatus::from_success(is_complete && written == CommandStatus::Success))
}

/// What is printed when the pages have been written.
struct Closing<'a> {
    wanted: &'a arguments::ReportArgs,
    text: String,
}

/// Writes the pages of tasks, of which some have failed already.
fn write_pages(
    workspace: &Workspace,
    tasks: &[TaskEntry],
    failed: Vec<String>,
    closing: &Closing<'_>,
    lang: Lang,
) -> Result<CommandStatus> {
    let unreadable = pages::write_all(workspace, tasks, closing.wanted.verbose, lang)?;
    let names: Vec<String> = failed.into_iter().chain(unreadable).collect();
    // One task has been named with its failure.
    if !names.is_empty() && closing.wanted.task.is_none() {
        eprintln!("{}", text::failed_tasks(lang, names.join(", ")));
    }
    print!("{}", closing.text);
    Ok(CommandStatus::from_success(names.is_empty()))
}

/// The result of one task; nothing without records.
fn task_result(
    workspace: &Workspace,
    task: &str,
    records: Option<&[Record]>,
    wanted: &arguments::ReportArgs,
    lang: Lang,
) -> String {
    let page = pages::shown_path(&pages::task_page(workspace, task, lang));
    match records {
        None => String::new(),
        Some(records) if wanted.verbose => output::whole_report(records, lang) + &page + "\n",
        Some(records) => wb_report::screen(records, &page, lang),
    }
}

/// Measures the tasks and saves their records in the folders of reports. Returns the names of the tasks that failed, and the result.
fn measure_all(
    workspace: &Workspace,
    (tasks, backend): (&[TaskEntry], SelectedBackend),
    wanted: &arguments::ReportArgs,
    models: (&[model::ModelledMachine], &[u32]),
    lang: Lang,
) -> Result<(Vec<String>, String)> {
    let (enabled, mut failed) = enabled_tasks(tasks, lang);
    let index = pages::shown_path(&pages::index_page(workspace, lang)) + "\n";
    if enabled.is_empty() {
        println!("{}", text::nothing_to_report(lang));
        return Ok((failed, index));
    }
    let ranks = measure::rank_counts(wanted.ranks.as_ref());
    let part = wanted.part.zip(wanted.run.as_ref());
    let runner = BenchmarkRunner {
        workspace,
        backend,
        quick: wanted.quick,
        ranks: &ranks,
        quiet: false,
        progress: None,
        sandbox: None,
        part: part.map(|(launches, run)| RunPart { launches, run: run.to_string() }),
    };
    if enabled.len() > 1 {
        runner.build_all(&enabled.iter().map(|task| task.name.as_str()).collect::<Vec<_>>(), lang)?;
    }
    // A part is a job whose output is a log.
    let has_line = !wanted.verbose && runner.part.is_none();
    let (started, mut rows) = (Instant::now(), Vec::new());
    for (at, task) in enabled.iter().enumerate() {
        let prefix = progress_prefix(at, enabled.len(), &task.name, started.elapsed(), lang);
        let runner = runner.with_progress(has_line.then_some(&prefix));
        if !has_line {
            println!("{}", text::measuring(lang, at + 1, enabled.len(), &task.name));
        }
        let measured = task_report::measure_task(&runner, task, models, lang)?;
        measured.failures.iter().for_each(|failure| eprintln!("{}", wrap(failure, "", "  ", WIDTH)));
        failed.extend((!measured.failures.is_empty()).then(|| task.name.clone()));
        let records = measured.records.as_deref();
        if wanted.task.is_some() {
            return Ok((failed, task_result(workspace, &task.name, records, wanted, lang)));
        }
        let report = records.map(TaskReport::new);
        let row = report.and_then(|report| report.overview_row(lang));
        let row = row.unwrap_or_else(|| OverviewRow::not_measured(&task.name, lang));
        match records.filter(|_| wanted.verbose) {
            Some(records) => println!("{}", output::whole_report(records, lang)),
            None => println!("{}", row.line()),
        }
        rows.push(row);
    }
    Ok((failed, format!("\n{}{index}", wb_report::overview(&rows, lang))))
}

/// The most columns of a task's name in the line of progress.
const PREFIX_TASK: usize = 30;

/// `[3/18] TASK, 4 min left: `, without anything where there is one task.
fn progress_prefix(at: usize, of: usize, task: &str, elapsed: Duration, lang: Lang) -> String {
    if of == 1 {
        return String::new();
    }
    let left = elapsed.as_secs_f64() / at.max(1) as f64 * (of - at) as f64;
    let left = (at > 0).then(|| match left {
        left if left < 90.0 => text::seconds_left(lang, left.ceil()),
        left => text::minutes_left(lang, (left / 60.0).ceil()),
    });
    let left = left.map(|left| format!(", {left}")).unwrap_or_default();
    format!("[{}/{of}] {}{left}: ", at + 1, shortened(task, PREFIX_TASK))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_progress_names_the_task_and_the_time_that_remains() {
        let prefix = |at, of, seconds| {
            progress_prefix(at, of, "example_p_integral", Duration::from_secs(seconds), Lang::En)
        };
        assert_eq!(prefix(0, 1, 0), "", "one task");
        assert_eq!(prefix(0, 18, 0), "[1/18] example_p_integral: ");
        assert_eq!(prefix(2, 18, 30), "[3/18] example_p_integral, 4 min left: ");
        assert_eq!(prefix(17, 18, 170), "[18/18] example_p_integral, 10 s left: ");
        let long = progress_prefix(9, 10, &"a".repeat(64), Duration::from_secs(9000), Lang::Ru);
        assert!(long.chars().count() < 70, "room for what is measured: {long}");
    }
}
