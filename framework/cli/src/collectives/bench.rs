//! `cargo wb collectives bench`: every algorithm beside the library's own call; of barriers, `cargo wb barriers bench`.
//!
//! A full run beside an MPI library at its usual thread level writes `reports/collectives`, which is kept; another one writes beside its records.

use wb_algorithms::collectives::{broadcast, shared_memory};
use wb_comm::Verb;
use wb_messages::{Lang, barrier_bench as bench_text, collectives as text};
use wb_record::BarrierLine;
use wb_report::collectives::CollectiveReport;

use super::{find_verb, message_algorithms};
use crate::{
    CommandStatus,
    arguments::{
        BackendArgument, BarrierBenchArgs, CollectiveBenchArgs, PlacementArgs, SlurmArgs, ThreadLevelArgument,
    },
    backend::SelectedBackend,
    barriers,
    error::{CliError, Result},
    laboratory::{LaboratoryBench, LaboratoryReport, listed},
    workspace::Workspace,
};

/// The bytes of blocks, from 4 bytes to 16 MiB.
pub(super) const BYTES: [u64; 12] =
    [4, 8, 64, 512, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20];

/// Those of a quick run.
const QUICK_BYTES: [u64; 6] = [8, 512, 4 << 10, 16 << 10, 64 << 10, 1 << 20];

/// The number of ranks of the committed report.
const FULL_RANKS: usize = 2;

pub(crate) fn run(wanted: &CollectiveBenchArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    let verbs = wanted.verbs.iter().map(|name| find_verb(name, lang)).collect::<Result<Vec<Verb>>>()?;
    if verbs == [Verb::Barrier] {
        let barriers = BarrierBenchArgs {
            ranks: wanted.ranks.clone(),
            substrate: vec![],
            only: wanted.only.clone(),
            quick: wanted.quick,
            placement: PlacementArgs::default(),
            slurm: SlurmArgs::default(),
        };
        return barriers::bench(&barriers, lang, json);
    }
    check(wanted, &verbs, lang)?;
    let workspace = Workspace::find()?;
    let backend = SelectedBackend::select_library(wanted.backend, wanted.mpi, lang)?;
    let names: Vec<&str> =
        verbs.iter().filter(|verb| **verb != Verb::Barrier).map(|verb| verb.name()).collect();
    let calls = if names.is_empty() { "all".to_owned() } else { names.join(",") };
    let bytes = match (&wanted.bytes[..], wanted.quick) {
        ([], false) => listed(&BYTES),
        ([], true) => listed(&QUICK_BYTES),
        (bytes, _) => listed(bytes),
    };
    let mut arguments =
        ["--ranks", &listed(&wanted.ranks), "--calls", &calls, "--bytes", &bytes].map(str::to_owned).to_vec();
    if !wanted.only.is_empty() {
        arguments.extend(["--only".to_owned(), wanted.only.join(",")]);
    }
    let is_funneled = wanted.thread_level == ThreadLevelArgument::Funneled;
    let is_threads = wanted.backend == Some(BackendArgument::Threads);
    let switches = [(wanted.quick, "--quick"), (is_threads, "--threads"), (is_funneled, "--funneled")];
    arguments.extend(switches.iter().filter(|(is_set, _)| *is_set).map(|(_, switch)| (*switch).to_owned()));
    let is_default = wanted.verbs.is_empty() && wanted.bytes.is_empty() && wanted.only.is_empty();
    let is_full_request = is_default && !wanted.quick && !is_funneled && backend.is_mpi();
    let bench = LaboratoryBench {
        not_kept: text::report_not_kept,
        name: "collectives",
        arguments,
        is_full_request,
        is_full,
        report: render,
    };
    bench.run(&workspace, &backend, lang, json)
}

/// The errors that can be detected before the build.
fn check(wanted: &CollectiveBenchArgs, verbs: &[Verb], lang: Lang) -> Result<()> {
    if let Some(bytes) = wanted.bytes.iter().find(|bytes| *bytes % 4 != 0) {
        return Err(CliError::Usage(bench_text::bad_bytes(lang, bytes)));
    }
    let is_wanted = |verb: &Verb| verbs.is_empty() || verbs.contains(verb);
    let over_messages = message_algorithms(None).filter(|algorithm| is_wanted(&algorithm.verb));
    let in_memory = shared_memory::all().into_iter().filter(|entry| entry.verbs.iter().any(is_wanted));
    // All broadcasts are measured where this verb is named.
    let broadcasts = if verbs.contains(&Verb::Bcast) { broadcast::all() } else { vec![] };
    let mut names: Vec<&str> = over_messages.map(|algorithm| algorithm.name).collect();
    names.extend(in_memory.map(|entry| entry.name).chain(broadcasts.iter().map(|entry| entry.name)));
    names.sort_unstable();
    names.dedup();
    match wanted.only.iter().find(|name| !names.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => Err(CliError::Usage(bench_text::unknown_name(lang, name, names.join(", ")))),
    }
}

/// Whether it is a run whose report is kept: of everything, by processes, at the usual thread level and of the default library.
fn is_full(lines: &[BarrierLine]) -> bool {
    let run = lines.iter().find_map(|line| match line {
        BarrierLine::BarrierRun(run) => Some(run),
        BarrierLine::BarrierSeries(_) => None,
    });
    run.is_some_and(|run| {
        let passing = &run.environment.message_passing;
        let level = passing.thread_level.as_deref().unwrap_or_default();
        run.is_full(&[FULL_RANKS])
            && run.bytes == BYTES
            && level.ends_with("MULTIPLE")
            && passing.library.as_deref() == Some("Open MPI")
    })
}

/// The report in all media.
fn render(lines: &[BarrierLine], lang: Lang, width: u16) -> LaboratoryReport {
    let report = CollectiveReport::new(lines);
    LaboratoryReport {
        terminal: report.terminal(lang, width),
        csv: report.csv(),
        pages: Lang::ALL.map(|lang| report.html(lang)),
        documents: Lang::ALL.map(|lang| report.markdown(lang)),
        charts: vec![],
    }
}
