//! `cargo wb barriers bench`: which barriers are measured, and which run is kept.
//!
//! A full run writes `reports/barriers`, which is kept. A run of some barriers, sizes or substrates, a quick one, and
//! one without an MPI library do not change that folder and write beside the records, in cargo's target folder.

use wb_algorithms::barriers::{Substrate, catalogue};
use wb_messages::{Lang, cli as text};
use wb_record::BarrierLine;
use wb_report::barriers as report;

use super::unknown_barrier_error;
use crate::{
    CommandStatus,
    arguments::{BarrierBenchArgs, FULL_RANKS},
    backend::SelectedBackend,
    error::{CliError, Result},
    laboratory::{self, LaboratoryBench, LaboratoryReport},
    placement::Placement,
    slurm::{self, SlurmJob},
    workspace::Workspace,
};

/// Measured forms outside the catalogue: the reference of two ranks, and the selector's choice.
const EXTRA_VARIANTS: [&str; 2] = [wb_record::REFERENCE, wb_algorithms::barriers::select::AUTO];

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
    let mut arguments = vec!["--ranks".to_owned(), laboratory::listed(&wanted.ranks)];
    for (argument, names) in [("--only", &wanted.only), ("--substrate", &wanted.substrate)] {
        if !names.is_empty() {
            arguments.extend([argument.to_owned(), names.join(",")]);
        }
    }
    arguments.extend(wanted.quick.then(|| "--quick".to_owned()));
    let is_full_request = is_full_request(wanted);
    let bench = LaboratoryBench { name: "barriers", arguments, is_full_request, is_full, report: render };
    bench.run(&workspace, &backend, lang, json)
}

/// The report in all media.
fn render(lines: &[BarrierLine], lang: Lang, width: u16) -> LaboratoryReport {
    LaboratoryReport {
        terminal: report::terminal(lines, lang, width),
        csv: report::csv(lines),
        pages: Lang::ALL.map(|lang| report::html(lines, lang)),
        documents: Lang::ALL.map(|lang| report::markdown(lines, lang)),
        charts: report::charts(lines, Lang::En),
    }
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
