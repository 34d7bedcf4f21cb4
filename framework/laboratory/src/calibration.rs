//! Fits the simulator's model to this host, or to two hosts: measures messages of two processes, and predicts collectives from them.
//!
//! The invariant: *predicted values are not fitted values.* Parameters are fitted only to messages between two
//! processes. Barriers and broadcasts are measured in the same jobs and only compared. One program text is
//! measured and simulated.
//!
//! Where ranks are placed on hosts, the link within a host and the link between hosts are fitted each to its own pair, and the
//! operations of all ranks of the first two hosts are predicted from both.
//!
//! | module | contents |
//! |---|---|
//! | `probe` | the ranks that are measured together, and the timed loops of a rank |
//! | `program` | the programs that are timed and simulated |
//! | `link_fit` | the fit of one link, its errors, and the machine of the fitted links |
mod link_fit;
mod probe;
mod program;

use std::{collections::BTreeMap, io, path::Path, process::ExitCode, sync::Arc, time::Duration};

use link_fit::{calibrate_link, compare, machine, machine_file, median_of_jobs};
use probe::{ProbeKind, ProbeResult, groups};
use serde::{Deserialize, Serialize};
use wb_algorithms::barriers::GroupConfig;
use wb_comm::Transport;
use wb_local::sim::machine_library::MachineDescription;
use wb_record::{Backend, Calibration, HostPlacement, LinkCalibration, ModelComparison, SCHEMA_VERSION};
use wb_runner::{
    Backends, OrderedRank, OrderedRanks, RankEnd, StopReason,
    job::{Answers, JobFailure, JobRequest, RankAnswer, run_job},
    launch, placement,
};

use crate::{
    bench::site,
    job::{CalibrationSpec, LaboratoryOrder},
    job_ranks::{JobRanks, bind_rank},
};

/// The number of jobs, and of batches of each program in a job: launches differ more than batches do.
const EFFORT: (usize, usize) = (3, 15);

/// The same for a test: its figures are of no use.
const QUICK_EFFORT: (usize, usize) = (1, 1);

/// The longest duration of a job.
const LIMIT: Duration = Duration::from_secs(120);

/// The planning part: measures, fits, predicts, and writes the record to `file` and the machine to the file of
/// the same name with the ending `yaml`.
pub(crate) fn main(file: &Path, is_quick: bool, backends: Backends) -> ExitCode {
    let done = backends
        .processes
        .ok_or_else(not_linked)
        .and_then(|processes| calibrate(file, is_quick, backends, &processes.library().version));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// The measurements of one rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct CalibrationResult {
    /// The node of each rank.
    nodes: Vec<usize>,
    /// The results of the groups that it belongs to.
    results: Vec<(ProbeKind, ProbeResult)>,
}

/// The results of one job.
struct CalibrationLaunch {
    placement: Vec<HostPlacement>,
    nodes: Vec<usize>,
    results: BTreeMap<ProbeKind, ProbeResult>,
}

/// The end of a rank: it measured, or failed.
pub(crate) type CalibrationEnd = RankEnd<CalibrationResult, ()>;

/// Executes the order on each rank of a job.
pub(crate) fn run_ranks(
    spec: CalibrationSpec,
    answers: Answers<CalibrationEnd>,
    backends: Backends,
) -> io::Result<bool> {
    let (backend, size, limit) = (Backend::Mpi, spec.ranks, None);
    let work = Arc::new(move |rank: OrderedRank<()>| {
        let measured = measure(&*rank.transport, &spec);
        measured.map(RankEnd::Done).map_err(|error| StopReason::Error(error.to_string()))
    });
    OrderedRanks { backends, backend, size, limit, answers, work }.execute()
}

fn measure(transport: &dyn Transport, spec: &CalibrationSpec) -> io::Result<CalibrationResult> {
    let (number, count) = JobRanks::new(transport).map_err(io::Error::other)?.on_this_kernel();
    bind_rank(number, count, &spec.cpus)?;
    let nodes = transport.nodes(site()).map_err(io::Error::other)?;
    let mut results = vec![];
    for group in groups(&nodes) {
        let found = group.probe(transport, &nodes, spec.batches).map_err(io::Error::other)?;
        results.extend(found.map(|found| (group.kind, found)));
    }
    Ok(CalibrationResult { nodes, results })
}

fn not_linked() -> io::Error {
    io::Error::other("this program is not linked with MPI")
}

fn calibrate(file: &Path, is_quick: bool, backends: Backends, version: &str) -> io::Result<()> {
    let is_placed = launch::places_ranks();
    let cpus = wb_process::usable_cpus();
    let no_size = || io::Error::other("Slurm does not say how many ranks a node gets (--ntasks-per-node)");
    let ranks = if is_placed { launch::ranks_of_two_hosts().ok_or_else(no_size)? } else { 2 };
    let mut launches: Vec<CalibrationLaunch> = vec![];
    let (jobs, batches) = if is_quick { QUICK_EFFORT } else { EFFORT };
    let cpus_of_ranks = if is_placed { vec![] } else { cpus.clone() };
    for _ in 0..jobs {
        launches.push(one_job(ranks, (cpus_of_ranks.clone(), batches), backends)?);
    }
    let results = |kind: ProbeKind| -> Vec<ProbeResult> {
        launches.iter().filter_map(|launch| launch.results.get(&kind).cloned()).collect()
    };
    let fit =
        |kind: ProbeKind| Some(results(kind)).filter(|all| !all.is_empty()).map(|all| calibrate_link(&all));
    let (within, between) = (fit(ProbeKind::WithinHost), fit(ProbeKind::BetweenHosts));
    let (first, network) = match (within.transpose()?, between.transpose()?) {
        (Some(within), between) => (within, between),
        (None, Some(between)) => (between, None),
        (None, None) => return Err(io::Error::other("one rank has no other rank to send to")),
    };
    // Further parts of an MPI's version text describe its build.
    let library = version.split(',').next().unwrap_or_default().to_owned();
    let placement = if is_placed { launches[0].placement.clone() } else { vec![] };
    let mut calibration = record(first, network, placement, (library, cpus.len(), jobs));
    let node_cores = if is_placed { ranks_of_first_node(&launches[0].nodes)? } else { cpus.len().max(2) };
    calibration.all_ranks =
        predict_all_ranks(&calibration, &results(ProbeKind::AllRanks), &launches[0].nodes, node_cores)?;
    let yaml = machine_file(&calibration, node_cores);
    wb_process::write_atomically(&file.with_extension("yaml"), yaml)?;
    wb_process::write_atomically(file, serde_json::to_string(&calibration)?)
}

fn record(
    first: LinkCalibration,
    network: Option<LinkCalibration>,
    placement: Vec<HostPlacement>,
    (library, cpus, launches): (String, usize, usize),
) -> Calibration {
    let LinkCalibration { link, fitted, held_out_sizes, held_out_launches, falls, predicted } = first;
    Calibration {
        schema: SCHEMA_VERSION,
        at: jiff::Timestamp::now().to_string(),
        library,
        cpus,
        launches,
        link,
        fitted,
        held_out_sizes,
        held_out_launches,
        falls,
        predicted,
        placement,
        network,
        all_ranks: vec![],
    }
}

/// The number of ranks on the first node. The machines of the simulator have nodes of one size, which ranks fill in order.
fn ranks_of_first_node(nodes: &[usize]) -> io::Result<usize> {
    let first = nodes.iter().filter(|&&node| node == nodes[0]).count();
    let is_filled = nodes.iter().enumerate().all(|(rank, &node)| node == rank / first);
    let other = || io::Error::other(format!("ranks do not fill nodes of one size in order: {nodes:?}"));
    is_filled.then_some(first).ok_or_else(other)
}

/// The operations of all ranks beside the predictions of both links; none without such measurements.
fn predict_all_ranks(
    calibration: &Calibration,
    launches: &[ProbeResult],
    nodes: &[usize],
    node_cores: usize,
) -> io::Result<Vec<ModelComparison>> {
    if launches.is_empty() {
        return Ok(vec![]);
    }
    let config = GroupConfig { nodes: nodes.to_vec(), ..GroupConfig::new(nodes.len()) };
    let description = MachineDescription::from(machine(calibration, node_cores));
    let machine = description.machine("hosts", nodes.len()).map_err(io::Error::other)?;
    let compared = compare(&median_of_jobs(launches)?, &machine, &config)?;
    Ok(compared.into_iter().map(|(_, comparison)| comparison).collect())
}

fn one_job(
    ranks: usize,
    (cpus, batches): (Vec<usize>, usize),
    backends: Backends,
) -> io::Result<CalibrationLaunch> {
    let spec = CalibrationSpec { ranks, cpus, batches };
    let request = JobRequest { backends, backend: Backend::Mpi, ranks, limit: None, deadline: LIMIT };
    let answers = run_job(request, &LaboratoryOrder::Calibrate(spec), |_| {}, |_| {});
    let failed = |failure: JobFailure<()>| io::Error::other(failure.details);
    merge(&answers.map_err(failed)?)
        .ok_or_else(|| io::Error::other("the processes have measured different things"))
}

/// The results of all ranks; `None` if they differ in what they measured.
fn merge(answers: &[RankAnswer<CalibrationEnd>]) -> Option<CalibrationLaunch> {
    let found = || answers.iter().filter_map(|answer| answer.result.findings());
    let nodes = found().next()?.nodes.clone();
    let mut of_kind: BTreeMap<ProbeKind, Vec<&ProbeResult>> = BTreeMap::new();
    for (kind, result) in found().flat_map(|found| &found.results) {
        of_kind.entry(*kind).or_default().push(result);
    }
    let merged = of_kind.into_iter().map(|(kind, ranks)| Some((kind, ProbeResult::slowest_rank(&ranks)?)));
    let placement = placement::hosts(answers.iter().map(|answer| &answer.place));
    Some(CalibrationLaunch { placement, nodes, results: merged.collect::<Option<_>>()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_of_one_size_that_are_filled_in_order_are_a_machine() {
        assert_eq!(ranks_of_first_node(&[0, 0, 1, 1]).ok(), Some(2));
        assert_eq!(ranks_of_first_node(&[0, 1]).ok(), Some(1));
        assert!(ranks_of_first_node(&[0, 1, 0, 1]).is_err() && ranks_of_first_node(&[0, 1, 1]).is_err());
    }
}
