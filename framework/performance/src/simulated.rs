//! A task in virtual time: one pass of each version on a model of a machine, as requested by `cargo wb simulate`.
//!
//! All results are exact and the same on every computer, so one pass is enough. The versions run in a separate process,
//! which is terminated when it takes too long.
use std::{io, path::Path, process::ExitCode};

use wb_config::machine_name;
use wb_messages::{Lang, performance, prediction as text};
use wb_record::{ComputingCost, MeasuredWorkload, Prediction, RankTrace, Record, Series, Version};
use wb_runner::{Backends, environment};

use crate::{
    arguments::BenchmarkArguments,
    job_spec::WorkloadRequest,
    program::Package,
    record_file::RecordFile,
    settings::CampaignSettings,
    simulated::{
        mode_totals::ModeTotals,
        passes::Passes,
        spec::{PassResult, SimulationSpec},
    },
};

pub(crate) mod memory;
mod mode_totals;
pub(crate) mod pass;
mod passes;
pub(crate) mod shared_input;
pub(crate) mod spec;
mod stopwatch;
pub(crate) mod worker;

/// The seed of the inputs, which is constant so that a prediction is the same on every computer and day.
const SEED: u64 = 1;

/// The ratio of the limit of a simulated pass to the limit of one pass, since it does the work of all ranks.
const PASS_LIMIT_FACTOR: u32 = 12;

/// The number of passes with measured computing, each in a separate process; the median is reported.
const MEASURED_PASSES: usize = 3;

/// The calls of every rank of the parallel version in one pass in virtual time, up to a limit for each rank.
///
/// # Errors
/// The error of the pass, or the oracle's objection; both are for the user.
pub(crate) fn trace(
    (machine, faults): (&str, &[String]),
    ranks: usize,
    request: &WorkloadRequest,
    settings: &CampaignSettings,
    (seed, calls): (Option<u64>, usize),
    lang: Lang,
) -> Result<Vec<RankTrace>, String> {
    let order = SimulationSpec {
        machine: machine.to_owned(),
        faults: faults.to_vec(),
        computing: ComputingCost::Declared,
        version: Version::Mpi,
        ranks,
        request: request.clone(),
        seed: seed.unwrap_or(SEED),
        limit: settings.limit.map(|limit| limit * PASS_LIMIT_FACTOR),
        traced: Some(calls),
    };
    let PassResult { modes, traces: lanes, .. } = Passes::new(lang).make(&order)?;
    match modes.iter().all(|mode| mode.correct != Some(false)) {
        true => Ok(lanes),
        false => Err(performance::traced_run_is_wrong(lang, &request.name)),
    }
}

/// Simulates all workloads of both versions and writes a record of each.
pub(crate) fn main(
    package: Package,
    backends: Backends,
    settings: &CampaignSettings,
    (machine, arguments): (&str, &BenchmarkArguments),
    (has_reference, lang): (bool, Lang),
) -> ExitCode {
    match simulate(package, backends, settings, (machine, arguments), (has_reference, lang)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{}", wb_escape::terminal(&why));
            ExitCode::FAILURE
        }
    }
}

fn simulate(
    package: Package,
    backends: Backends,
    settings: &CampaignSettings,
    (machine, arguments): (&str, &BenchmarkArguments),
    (has_reference, lang): (bool, Lang),
) -> Result<(), String> {
    let told = |error: io::Error| error.to_string();
    let file = arguments.records.clone().ok_or_else(|| text::needs_records(lang))?;
    let mut out = RecordFile::create(&file, lang).map_err(told)?;
    let seed = arguments.seed.unwrap_or(SEED);
    let environment = environment::environment(Path::new(package.folder), backends, seed);
    let run = format!("{}-simulated", package.name);
    for request in settings.select_workloads(arguments.workload.as_deref(), lang)? {
        let parallel = settings.ranks.iter().filter(|_| settings.mpi).map(|&ranks| (Version::Mpi, ranks));
        let sequential =
            [(settings.seq, Version::Seq), (arguments.reference && has_reference, Version::Reference)];
        let sequential = sequential.into_iter().filter(|(is_wanted, _)| *is_wanted);
        let versions = sequential.map(|(_, version)| (version, 1)).chain(parallel);
        let passes = if arguments.computing == ComputingCost::Measured { MEASURED_PASSES } else { 1 };
        let mut made = Passes::new(lang);
        for (version, ranks) in versions.flat_map(|one| std::iter::repeat_n(one, passes)) {
            let order = SimulationSpec {
                machine: machine.to_owned(),
                // It is compared with a run without faults.
                faults: if version != Version::Mpi { vec![] } else { arguments.faults.clone() },
                computing: arguments.computing,
                version,
                ranks,
                request: request.clone(),
                seed,
                limit: settings.limit.map(|limit| limit * PASS_LIMIT_FACTOR),
                traced: None,
            };
            for seen in made.make(&order)?.modes {
                let at =
                    jiff::Timestamp::now().round(jiff::Unit::Second).map_err(|error| error.to_string())?;
                let prediction = prediction(seen, &order);
                let (subject, environment) = (settings.subject.clone(), environment.clone());
                let record = Record::new(run.clone(), at.to_string(), subject, environment, prediction);
                out.write(&record).map_err(told)?;
            }
        }
    }
    Ok(())
}

/// The recorded prediction of one mode.
fn prediction(totals: ModeTotals, order: &SimulationSpec) -> Prediction {
    let ModeTotals { mode, elapsed_ns, worked_ns, worked_max_ns, traffic, correct } = totals;
    let WorkloadRequest { name, size } = order.request.clone();
    let workload = MeasuredWorkload { name, size: size as u64, unit: String::new() };
    let series = Series { workload, version: order.version, mode, ranks: order.ranks as u32 };
    let (machine, faults) = (machine_name(&order.machine).to_owned(), order.faults.clone());
    let computing = order.computing;
    Prediction { series, machine, faults, computing, elapsed_ns, worked_ns, worked_max_ns, traffic, correct }
}
