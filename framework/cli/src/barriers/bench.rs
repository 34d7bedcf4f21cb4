//! `cargo wb barriers bench`: builds and runs the barrier benchmark, and writes a report from its records.
//!
//! A full run writes `reports/barriers`, which is kept. A run of some barriers, sizes or substrates, a quick one, and
//! one without an MPI library do not change that folder and write beside the records, in cargo's target folder.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use wb_algorithms::barriers::{Substrate, catalogue};
use wb_messages::{Lang, cli as text};
use wb_process::JobExit;
use wb_record::BarrierLine;
use wb_report::barriers as report;

use super::unknown_barrier_error;
use crate::{
    CommandStatus,
    arguments::{BarrierBenchArgs, FULL_RANKS},
    backend::SelectedBackend,
    error::{CliError, Result},
    laboratory,
    placement::Placement,
    slurm::{self, SlurmJob},
    step, task_lock, terminal,
    workspace::Workspace,
};

/// The benchmark limits its own time; this limit ends one that does not.
const LIMIT: Duration = Duration::from_secs(3600);

/// Measured forms outside the catalogue: the reference of two ranks, and the selector's choice.
const EXTRA_VARIANTS: [&str; 2] = [wb_record::REFERENCE, wb_algorithms::barriers::select::AUTO];

/// The exit code of a benchmark that refuses its arguments.
const EXIT_BAD_ARGUMENTS: i32 = 2;

pub(crate) fn run(wanted: &BarrierBenchArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    check(wanted, lang)?;
    let mut workspace = Workspace::find()?;
    let backend = SelectedBackend::select(None, lang)?;
    let placement = Placement::new(workspace.root(), &wanted.placement, backend.is_mpi(), lang)?;
    workspace.place(placement);
    if wanted.slurm.is_wanted() {
        let job =
            SlurmJob { name: "barriers", flavour: backend.flavour(), wanted: &wanted.slurm, parts: None };
        return Ok(slurm::run(&workspace, &job, laboratory::build(&workspace, &backend), lang)?.status());
    }
    let _lock = task_lock::lock_task(&workspace, "barriers", lang)?;
    let scratch = workspace.scratch("barriers")?;
    let file = scratch.join("records.jsonl");
    let kept = workspace.root().join("reports").join("barriers");
    if is_full_request(wanted) {
        // Checked now, not after minutes of measuring.
        fs::create_dir_all(&kept).map_err(CliError::system("create", &kept))?;
    }
    // Records of an earlier run must not be mixed with this one's.
    fs::write(&file, "").map_err(CliError::system("write", &file))?;
    let ended = measure(wanted, &workspace, &backend, &file, lang)?;
    let lines = read(&file, lang);
    let failure = (!ended.is_success()).then(|| step::describe_failure(&ended, LIMIT, lang));
    if lines.is_empty() {
        let why = failure.unwrap_or_else(|| text::nothing_recorded(lang));
        if ended.status.code() == Some(EXIT_BAD_ARGUMENTS) {
            return Err(CliError::Usage(why));
        }
        eprintln!("{}", text::measurement_failed(lang, "barriers", why));
        return Ok(CommandStatus::Failure);
    }
    match json {
        true => lines.iter().for_each(|line| println!("{}", line.to_line())),
        false => println!("{}", report::terminal(&lines, lang, terminal::width())),
    }
    let is_kept = is_full(&lines);
    let page = write_all(if is_kept { &kept } else { &scratch }, &lines, lang)?;
    eprintln!("{}", text::report_written(lang, page.display()));
    if !is_kept {
        eprintln!("{}", text::report_not_kept(lang));
    }
    Ok(CommandStatus::from_success(failure.is_none()))
}

/// Will the report be kept, if there is an MPI library?
fn is_full_request(wanted: &BarrierBenchArgs) -> bool {
    let ranks = FULL_RANKS.iter().all(|ranks| wanted.ranks.contains(ranks));
    ranks && wanted.only.is_empty() && wanted.substrate.is_empty() && !wanted.quick
}

/// Whether it is a run whose report is kept.
fn is_full(lines: &[BarrierLine]) -> bool {
    let ranks = FULL_RANKS.map(|ranks| ranks as usize);
    lines.iter().any(|line| matches!(line, BarrierLine::BarrierRun(run) if run.is_full(&ranks)))
}

/// The errors that can be detected before the build.
fn check(wanted: &BarrierBenchArgs, lang: Lang) -> Result<()> {
    let barriers: Vec<&str> = catalogue::all().iter().map(|entry| entry.name).chain(EXTRA_VARIANTS).collect();
    if let Some(name) = wanted.only.iter().find(|name| !barriers.contains(&name.as_str())) {
        return Err(unknown_barrier_error(name, &barriers, lang));
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
    wanted: &BarrierBenchArgs,
    workspace: &Workspace,
    backend: &SelectedBackend,
    records: &Path,
    lang: Lang,
) -> Result<JobExit> {
    let mut command = laboratory::program(workspace, backend);
    command.args(["--lang", lang.code(), "--ranks", &listed(&wanted.ranks), "--records"]).arg(records);
    for (argument, names) in [("--only", &wanted.only), ("--substrate", &wanted.substrate)] {
        if !names.is_empty() {
            command.args([argument, &names.join(",")]);
        }
    }
    if wanted.quick {
        command.arg("--quick");
    }
    laboratory::run(command, LIMIT)
}

/// The records; none if they cannot be read, with a message.
fn read(file: &Path, lang: Lang) -> Vec<BarrierLine> {
    let text_of_file = fs::read_to_string(file).unwrap_or_default();
    BarrierLine::read_all(&text_of_file).unwrap_or_else(|error| {
        eprintln!("{}", text::records_unreadable(lang, error));
        vec![]
    })
}

/// Writes records, tables, charts and pages; returns the page of `lang`.
fn write_all(folder: &Path, lines: &[BarrierLine], lang: Lang) -> Result<PathBuf> {
    fs::create_dir_all(folder).map_err(CliError::system("create", folder))?;
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        wb_process::write_atomically(&path, text).map_err(CliError::system("write", &path))
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
