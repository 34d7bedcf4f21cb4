//! `cargo wb trace`: one run of a task, or of another MPI program, with every call recorded; the page, the text, the file for Perfetto.

mod program;
mod source_lines;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use wb_config::VersionStatus;
use wb_messages::{Lang, cli as text};
use wb_record::Trace;
use wb_report::trace as report;

use crate::{
    CommandStatus,
    arguments::{self, BackendArgument, TraceBackendArgument},
    backend::SelectedBackend,
    error::{CliError, Result},
    measure::{self, BenchmarkRunner, MachineWithFaults},
    output,
    placement::Placement,
    record_input, simulate,
    slurm::{self, SlurmJob},
    task_lock,
    workspace::Workspace,
};

pub(crate) fn run(wanted: &arguments::TraceArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    for path in std::iter::once(&wanted.output).chain(&wanted.perfetto) {
        output::check(path)?;
    }
    let Some(task) = &wanted.task else { return program::run(wanted, lang, json) };
    let mut workspace = Workspace::find()?;
    let task = workspace.task(task, lang)?;
    if task.settings?.status.mpi != VersionStatus::Enabled {
        return Err(CliError::Usage(text::disabled(lang, task.name)));
    }
    let (backend, machine) = backend_and_machine(wanted, lang)?;
    let placement = Placement::new(workspace.root(), &wanted.placement, backend.is_mpi(), lang)?;
    workspace.place(placement);
    if wanted.slurm.is_wanted() {
        let job =
            SlurmJob { name: &task.name, flavour: backend.flavour(), wanted: &wanted.slurm, parts: None };
        let build = measure::build(&workspace, &backend, &task.name);
        return Ok(slurm::run(&workspace, &job, build, lang)?.status());
    }
    let _lock = task_lock::lock_task(&workspace, &task.name, lang)?;
    let ranks = [wanted.ranks];
    let runner = BenchmarkRunner {
        workspace: &workspace,
        backend,
        quick: true,
        ranks: &ranks,
        quiet: json,
        progress: None,
        sandbox: None,
        part: None,
    };
    let file = runner.trace(&task.name, wanted.workload.as_deref(), machine, lang)?;
    let written_files =
        file.and_then(|file| write_outputs(&read(&file, lang)?, workspace.root(), (wanted, json), lang));
    match written_files {
        Ok(written) => {
            written?.iter().for_each(|path| eprintln!("{}", text::report_written(lang, path.display())));
            Ok(CommandStatus::Success)
        }
        Err(why) => {
            eprintln!("{}", text::trace_failed(lang, &task.name, why));
            Ok(CommandStatus::Failure)
        }
    }
}

/// What carries the messages, and the machine with its faults if times are virtual.
fn backend_and_machine(
    wanted: &arguments::TraceArgs,
    lang: Lang,
) -> Result<(SelectedBackend, Option<MachineWithFaults<'_>>)> {
    let (backend, machine) = match wanted.backend {
        None => (SelectedBackend::select(None, lang)?, None),
        Some(TraceBackendArgument::Mpi) => (SelectedBackend::select(Some(BackendArgument::Mpi), lang)?, None),
        Some(TraceBackendArgument::Threads) => (SelectedBackend::Threads, None),
        Some(TraceBackendArgument::Sim) => {
            (SelectedBackend::Threads, Some((wanted.machine.as_str(), &wanted.faults[..])))
        }
    };
    if machine.is_none() && !wanted.faults.is_empty() {
        return Err(CliError::Usage(text::faults_need_virtual_time(lang)));
    }
    simulate::check_faults(&wanted.faults, &[wanted.ranks.into()], lang)?;
    Ok((backend, machine))
}

/// The trace in `file`, or the reason why it is refused.
pub(crate) fn read(file: &Path, lang: Lang) -> std::result::Result<Trace, String> {
    let unreadable = |error: &dyn std::fmt::Display| text::trace_unreadable(lang, error);
    let line = record_input::read(file).map_err(|error| unreadable(&error))?;
    Trace::parse_line(line.trim_end()).map_err(|error| unreadable(&error))
}

/// The most bytes of a file that is read as a source: a longer one was made by a program.
const MAX_SOURCE_BYTES: u64 = 4 << 20;

/// The texts of the files in `root` that make calls, as far as they can be read. Another file is not read: the names are those that the ranks of
/// a task have sent, and a page must not show what its author did not write. Relative names are those of a build in `root`.
fn read_sources(trace: &Trace, root: &Path) -> report::Sources {
    let Ok(root) = root.canonicalize() else { return report::Sources::new() };
    let calls = trace.ranks.iter().flat_map(|rank| &rank.calls);
    let files: BTreeSet<&str> = calls.filter(|call| call.line > 0).map(|call| call.file.as_str()).collect();
    let read = |file: &str| {
        let path = root.join(file).canonicalize().ok().filter(|path| path.starts_with(&root))?;
        let about = fs::metadata(&path).ok()?;
        let is_source = about.is_file() && about.len() <= MAX_SOURCE_BYTES;
        is_source.then(|| fs::read_to_string(path).ok()).flatten()
    };
    files.into_iter().filter_map(|file| Some((file.to_owned(), read(file)?))).collect()
}

/// Writes the requested outputs and returns their files; the outer error is that of an invalid trace. Source files are those in `root`.
fn write_outputs(
    trace: &Trace,
    root: &Path,
    (wanted, json): (&arguments::TraceArgs, bool),
    lang: Lang,
) -> std::result::Result<Result<Vec<PathBuf>>, String> {
    let unreadable = |error: &dyn std::fmt::Display| text::trace_unreadable(lang, error);
    let page = report::html(trace, &read_sources(trace, root), lang).map_err(|error| unreadable(&error))?;
    let mut pages = vec![(&wanted.output, page)];
    if let Some(path) = &wanted.perfetto {
        pages.push((path, report::perfetto(trace).map_err(|error| unreadable(&error))?));
    }
    match json {
        true => println!("{}", trace.to_line()),
        false => println!("{}", report::terminal(trace, lang).map_err(|error| unreadable(&error))?),
    }
    let write = |(path, page): (&PathBuf, String)| {
        wb_process::write_atomically(path, page).map_err(CliError::system("write", path))?;
        Ok(path.clone())
    };
    Ok(pages.into_iter().map(write).collect())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn only_files_in_the_folder_are_read() {
        let (folder, elsewhere) =
            (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("another"));
        let secret = elsewhere.path().join("secret");
        for (path, text) in [(&folder.path().join("mpi.rs"), "ours"), (&secret, "theirs")] {
            fs::write(path, text).expect("written");
        }
        symlink(&secret, folder.path().join("link.rs")).expect("a link");
        let secret = secret.to_str().expect("plain");
        let names = ["mpi.rs", "./mpi.rs", "none.rs", "link.rs", ".", "/etc/passwd", secret];
        let mut trace = wb_record::example_trace();
        let call = trace.ranks[0].calls[0].clone();
        let called =
            |name: &&str| wb_record::SourceCall { file: (*name).to_owned(), line: 1, ..call.clone() };
        trace.ranks[0].calls = names.iter().map(called).collect();
        trace.ranks.truncate(1);
        let read = read_sources(&trace, folder.path());
        assert_eq!(
            read,
            [("./mpi.rs", "ours"), ("mpi.rs", "ours")].map(|(name, text)| (name.into(), text.into())).into()
        );
    }
}
