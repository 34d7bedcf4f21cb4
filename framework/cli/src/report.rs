//! `cargo wb report`: measures every enabled task and writes the pages.
//!
//! A task that fails stops no other one; the summary names it and the exit code tells.

use std::{
    fs,
    path::{Path, PathBuf},
};

use wb_messages::{Lang, cli as text};
use wb_record::Record;

use crate::{
    Done, arguments,
    backend::Backend,
    error::{CliError, Result, tell_settings},
    measure::{self, Campaign, Measured},
    workspace::{TaskEntry, Workspace},
};

/// The file of a task's records in its folder of reports.
const RECORDS: &str = "records.jsonl";

pub(crate) fn run(wanted: &arguments::Report, lang: Lang) -> Result<Done> {
    let workspace = Workspace::find()?;
    let tasks = match &wanted.task {
        Some(name) => vec![workspace.task(name, lang)?],
        None => workspace.tasks(),
    };
    let reports = workspace.root().join("reports");
    let failed = match wanted.render {
        true => Vec::new(),
        false => measure_all(&workspace, &tasks, wanted, lang)?,
    };
    let unreadable = write_all(&reports, &workspace.tasks(), lang)?;
    let names: Vec<String> = failed.into_iter().chain(unreadable).collect();
    if !names.is_empty() {
        eprintln!("{}", text::failed_tasks(lang, names.join(", ")));
    }
    Ok(Done::well_if(names.is_empty()))
}

/// Measures the tasks and puts their records into the folders of reports. The answer names those that failed.
fn measure_all(
    workspace: &Workspace,
    tasks: &[TaskEntry],
    wanted: &arguments::Report,
    lang: Lang,
) -> Result<Vec<String>> {
    let mut failed = Vec::new();
    let mut enabled = Vec::new();
    for task in tasks {
        match &task.settings {
            Ok(settings) if measure::is_enabled(settings) => enabled.push(task),
            Ok(_) => println!("{}", text::disabled(lang, &task.name)),
            Err(error) => {
                eprintln!("{}", text::report_failed(lang, &task.name, tell_settings(error, lang)));
                failed.push(task.name.clone());
            }
        }
    }
    if enabled.is_empty() {
        println!("{}", text::nothing_to_report(lang));
        return Ok(failed);
    }
    let backend = Backend::choose(wanted.backend, lang)?;
    let campaign = Campaign { workspace, backend, quick: wanted.quick, ranks: &[], quiet: false };
    for (at, task) in enabled.iter().enumerate() {
        println!("{}", text::measuring(lang, at + 1, enabled.len(), &task.name));
        let folder = workspace.root().join("reports").join(&task.name);
        // Who is in a hurry tests by hand: a quick report is about time only.
        let tested = if wanted.quick { None } else { Some(campaign.test(&task.name, lang)?) };
        let measured = campaign.measure(&task.name, lang)?;
        let kept = keep(tested.as_ref(), &measured, &folder, lang);
        if let Ok(records) = &kept {
            println!("{}", wb_report::terminal(records, lang));
        }
        let failures = [tested.and_then(|tested| tested.failure), measured.failure.or(kept.err())];
        for why in failures.iter().flatten() {
            eprintln!("{}", text::measurement_failed(lang, &task.name, why));
        }
        if failures.iter().any(Option::is_some) {
            failed.push(task.name.clone());
        }
    }
    Ok(failed)
}

/// Puts the records of tests and measurement into the folder of a task's report, and hands them back.
fn keep(
    tested: Option<&Measured>,
    measured: &Measured,
    folder: &Path,
    lang: Lang,
) -> std::result::Result<Vec<Record>, String> {
    let mut records = measured.records(lang)?;
    // Tests that left no record have failed, which is told by itself.
    let verdicts = tested.and_then(|tested| tested.records(lang).ok()).unwrap_or_default();
    records.splice(0..0, verdicts);
    let lines: String = records.iter().map(|record| record.to_line() + "\n").collect();
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(folder.join(RECORDS), lines));
    written.map(|()| records).map_err(|error| text::cannot(lang, "write", folder.display(), error))
}

/// Writes the pages of every task that has records, and the index of them all. The answer names those whose records
/// cannot be read.
fn write_all(reports: &Path, tasks: &[TaskEntry], lang: Lang) -> Result<Vec<String>> {
    let mut unreadable = Vec::new();
    let mut readable = Vec::new();
    for task in tasks {
        let folder = reports.join(&task.name);
        let file = folder.join(RECORDS);
        if !file.is_file() {
            continue;
        }
        match measure::read(&file, lang) {
            Ok(records) => readable.push((folder, records)),
            Err(why) => {
                eprintln!("{}", text::report_failed(lang, &task.name, why));
                unreadable.push(task.name.clone());
            }
        }
    }
    for (folder, records) in &readable {
        write_task(folder, records)?;
        println!("{}", text::report_written(lang, folder.join(named("report", "html", lang)).display()));
    }
    let all: Vec<&[Record]> = readable.iter().map(|(_, records)| records.as_slice()).collect();
    for page_lang in Lang::ALL {
        write(&reports.join(named("index", "html", page_lang)), &wb_report::index(&all, page_lang))?;
    }
    println!("{}", text::report_written(lang, reports.join(named("index", "html", lang)).display()));
    Ok(unreadable)
}

/// The pages of one task in both languages.
fn write_task(folder: &Path, records: &[Record]) -> Result<()> {
    for lang in Lang::ALL {
        write(&folder.join(named("report", "md", lang)), &wb_report::markdown(records, lang))?;
        write(&folder.join(named("report", "html", lang)), &wb_report::html(records, lang))?;
    }
    Ok(())
}

/// `report.html` in English, `report.ru.html` in Russian.
fn named(stem: &str, extension: &str, lang: Lang) -> PathBuf {
    PathBuf::from(match lang {
        Lang::En => format!("{stem}.{extension}"),
        Lang::Ru => format!("{stem}.{}.{extension}", lang.code()),
    })
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(CliError::system("create", folder))?;
    }
    fs::write(path, text).map_err(CliError::system("write", path))
}
