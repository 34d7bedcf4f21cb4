//! `cargo wb barriers bench`: builds and runs the laboratory, and writes a report from its records.
//!
//! A full run writes `reports/barriers`, which is kept. A run of some barriers, sizes or substrates, a quick one, and one
//! without an MPI library leave that alone and write where the records are, in cargo's target folder.

use std::{
    fs,
    io::IsTerminal,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use wb_collectives::catalogue::{self, Substrate};
use wb_messages::{Lang, cli as text};
use wb_process::{Ended, Job};
use wb_record::BarrierLine;
use wb_report::barriers as report;

use super::unknown;
use crate::{
    Done,
    arguments::{Bench, FULL_RANKS},
    backend::Backend,
    busy,
    error::{CliError, Result},
    screen, step,
    workspace::Workspace,
};

/// The laboratory watches its own time; this ends one that does not.
const LIMIT: Duration = Duration::from_secs(3600);

/// What is measured and in no catalogue: the reference of two ranks, and the selector's choice.
const BESIDE: [&str; 2] = [wb_record::REFERENCE, wb_collectives::select::AUTO];

/// The exit code of a laboratory that refuses its arguments.
const REFUSED: i32 = 2;

pub(crate) fn run(wanted: &Bench, lang: Lang, json: bool) -> Result<Done> {
    check(wanted, lang)?;
    let workspace = Workspace::find()?;
    let backend = Backend::choose(None, lang)?;
    let _held = busy::hold(&workspace, "barriers", lang)?;
    let scratch = workspace.scratch("barriers")?;
    let file = scratch.join("records.jsonl");
    let kept = workspace.root().join("reports").join("barriers");
    if asks_for_everything(wanted) {
        // Better now than after minutes of measuring.
        fs::create_dir_all(&kept).map_err(CliError::system("create", &kept))?;
    }
    // What an earlier run left must not be taken for this one's.
    fs::write(&file, "").map_err(CliError::system("write", &file))?;
    let ended = measure(wanted, &workspace, &backend, &file, lang)?;
    let lines = read(&file, lang);
    let failure = (!ended.success()).then(|| step::why(&ended, LIMIT, lang));
    if lines.is_empty() {
        let why = failure.unwrap_or_else(|| text::nothing_recorded(lang));
        if ended.status.code() == Some(REFUSED) {
            return Err(CliError::Usage(why));
        }
        eprintln!("{}", text::measurement_failed(lang, "barriers", why));
        return Ok(Done::Badly);
    }
    match json {
        true => lines.iter().for_each(|line| println!("{}", line.to_line())),
        false => println!("{}", report::terminal(&lines, lang, screen::width())),
    }
    let is_kept = is_full(&lines);
    let page = write_all(if is_kept { &kept } else { &scratch }, &lines, lang)?;
    eprintln!("{}", text::report_written(lang, page.display()));
    if !is_kept {
        eprintln!("{}", text::report_not_kept(lang));
    }
    Ok(Done::well_if(failure.is_none()))
}

/// Will the report be kept, if there is an MPI library?
fn asks_for_everything(wanted: &Bench) -> bool {
    let ranks = FULL_RANKS.iter().all(|ranks| wanted.ranks.contains(ranks));
    ranks && wanted.only.is_empty() && wanted.substrate.is_empty() && !wanted.quick
}

/// Is it a run whose report is kept?
fn is_full(lines: &[BarrierLine]) -> bool {
    let ranks = FULL_RANKS.map(|ranks| ranks as usize);
    lines.iter().any(|line| matches!(line, BarrierLine::BarrierRun(run) if run.is_full(&ranks)))
}

/// What can be seen to be wrong before anything is built.
fn check(wanted: &Bench, lang: Lang) -> Result<()> {
    let barriers: Vec<&str> = catalogue::all().iter().map(|entry| entry.name).chain(BESIDE).collect();
    if let Some(name) = wanted.only.iter().find(|name| !barriers.contains(&name.as_str())) {
        return Err(unknown(name, &barriers, lang));
    }
    let substrates = Substrate::ALL.map(Substrate::name);
    if let Some(name) = wanted.substrate.iter().find(|name| !substrates.contains(&name.as_str())) {
        return Err(CliError::Usage(text::unknown_name(lang, name, substrates.join(", "))));
    }
    Ok(())
}

fn listed(ranks: &[u32]) -> String {
    ranks.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

fn measure(
    wanted: &Bench,
    workspace: &Workspace,
    backend: &Backend,
    records: &Path,
    lang: Lang,
) -> Result<Ended> {
    let mut command = backend.cargo(workspace, &["run", "--release", "--package", "wb-laboratory"]);
    backend.select_features(&mut command);
    if !std::io::stderr().is_terminal() {
        command.arg("--quiet");
    }
    command.args(["--", "--lang", lang.code(), "--ranks", &listed(&wanted.ranks), "--records"]).arg(records);
    for (argument, names) in [("--only", &wanted.only), ("--substrate", &wanted.substrate)] {
        if !names.is_empty() {
            command.args([argument, &names.join(",")]);
        }
    }
    if wanted.quick {
        command.arg("--quick");
    }
    command.stdout(Stdio::from(std::io::stderr()));
    Job::spawn(command).and_then(|job| job.wait(LIMIT)).map_err(CliError::system("run", "cargo run"))
}

/// The records, none when there are none that can be read; why is told.
fn read(file: &Path, lang: Lang) -> Vec<BarrierLine> {
    let text_of_file = fs::read_to_string(file).unwrap_or_default();
    BarrierLine::read_all(&text_of_file).unwrap_or_else(|error| {
        eprintln!("{}", text::records_unreadable(lang, error));
        vec![]
    })
}

/// Writes records, tables, charts and pages; gives the page of `lang`.
fn write_all(folder: &Path, lines: &[BarrierLine], lang: Lang) -> Result<PathBuf> {
    fs::create_dir_all(folder).map_err(CliError::system("create", folder))?;
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        wb_process::replace(&path, text).map_err(CliError::system("write", &path))
    };
    let records: String = lines.iter().map(|line| line.to_line() + "\n").collect();
    write("records.jsonl", &records)?;
    write("barriers.csv", &report::csv(lines))?;
    for (lang, page, document) in
        [(Lang::En, "report.html", "report.md"), (Lang::Ru, "report.ru.html", "report.ru.md")]
    {
        write(page, &report::html(lines, lang))?;
        write(document, &report::markdown(lines, lang))?;
    }
    for (name, chart) in report::charts(lines, Lang::En) {
        write(&name, &chart)?;
    }
    Ok(folder.join(match lang {
        Lang::En => "report.html",
        Lang::Ru => "report.ru.html",
    }))
}
