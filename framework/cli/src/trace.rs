//! `cargo wb trace`: one run of a task with every call written down; the page, the words, the file for Perfetto.

use std::path::{Path, PathBuf};

use wb_config::Status;
use wb_messages::{Lang, cli as text};
use wb_record::Trace;
use wb_report::trace as report;

use crate::{
    Done,
    arguments::{self, BackendArgument, TraceBackend},
    backend::Backend,
    busy,
    error::{CliError, Result},
    input,
    measure::Campaign,
    output,
    workspace::Workspace,
};

pub(crate) fn run(wanted: &arguments::Trace, lang: Lang, json: bool) -> Result<Done> {
    for path in std::iter::once(&wanted.output).chain(&wanted.perfetto) {
        output::check(path)?;
    }
    let workspace = Workspace::find()?;
    let task = workspace.task(&wanted.task, lang)?;
    if task.settings?.status.mpi != Status::Enabled {
        return Err(CliError::Usage(text::disabled(lang, task.name)));
    }
    let (backend, machine) = match wanted.backend {
        None => (Backend::choose(None, lang)?, None),
        Some(TraceBackend::Mpi) => (Backend::choose(Some(BackendArgument::Mpi), lang)?, None),
        Some(TraceBackend::Threads) => (Backend::Threads, None),
        Some(TraceBackend::Sim) => (Backend::Threads, Some(wanted.machine.as_str())),
    };
    let _held = busy::hold(&workspace, &task.name, lang)?;
    let ranks = [wanted.ranks];
    let campaign = Campaign { workspace: &workspace, backend, quick: true, ranks: &ranks, quiet: json };
    let file = campaign.trace(&task.name, wanted.workload.as_deref(), machine, lang)?;
    let told = file.and_then(|file| tell(&file, wanted, json, lang));
    match told {
        Ok(written) => {
            written?.iter().for_each(|path| eprintln!("{}", text::report_written(lang, path.display())));
            Ok(Done::Well)
        }
        Err(why) => {
            eprintln!("{}", text::trace_failed(lang, &task.name, why));
            Ok(Done::Badly)
        }
    }
}

/// The trace in `file`, or what is wrong with it.
pub(crate) fn read(file: &Path, lang: Lang) -> std::result::Result<Trace, String> {
    let unreadable = |told: &dyn std::fmt::Display| text::trace_unreadable(lang, told);
    let line = input::read(file).map_err(|error| unreadable(&error))?;
    Trace::parse_line(line.trim_end()).map_err(|error| unreadable(&error))
}

/// Writes what was asked for and gives the files; the first error is that of a trace that cannot be told.
fn tell(
    file: &Path,
    wanted: &arguments::Trace,
    json: bool,
    lang: Lang,
) -> std::result::Result<Result<Vec<PathBuf>>, String> {
    let unreadable = |told: &dyn std::fmt::Display| text::trace_unreadable(lang, told);
    let trace = read(file, lang)?;
    let mut pages = vec![(&wanted.output, report::html(&trace, lang).map_err(|error| unreadable(&error))?)];
    if let Some(path) = &wanted.perfetto {
        pages.push((path, report::perfetto(&trace).map_err(|error| unreadable(&error))?));
    }
    match json {
        true => println!("{}", trace.to_line()),
        false => println!("{}", report::terminal(&trace, lang).map_err(|error| unreadable(&error))?),
    }
    let write = |(path, page): (&PathBuf, String)| {
        wb_process::replace(path, page).map_err(CliError::system("write", path))?;
        Ok(path.clone())
    };
    Ok(pages.into_iter().map(write).collect())
}
