//! A task in virtual time: one pass of each version on a model of a machine, as requested by `cargo wb simulate`.
//!
//! All results are exact and the same on every computer, so one pass is enough. Each pass runs in a separate process, which is
//! terminated when it takes too long, and only if there is enough memory.
use std::{io, path::Path, time::Duration};

use serde::{Deserialize, Serialize};
use wb_messages::{Lang, performance, prediction as text};
use wb_record::{ComputingCost, Prediction, RankTrace, Version};
use wb_runner::{Backends, environment, single_worker::run_worker};

use crate::{
    all_ranks,
    arguments::BenchmarkArguments,
    job::{WorkerOrder, WorkloadRequest},
    program::Package,
    record_file::RecordFile,
    settings::CampaignSettings,
    simulated::{memory::MemoryEstimate, pass::PassMode},
};

pub(crate) mod memory;
pub(crate) mod pass;
pub(crate) mod worker;

/// The time for the start and the end of a worker.
const SETUP: Duration = Duration::from_secs(30);

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
    settings: &CampaignSettings,
    arguments: &BenchmarkArguments,
    (ranks, request): (usize, &WorkloadRequest),
    calls: usize,
    lang: Lang,
) -> Result<Vec<RankTrace>, String> {
    let spec = SimulationSpec::new(settings, arguments, (Version::Mpi, ranks), request);
    let spec = SimulationSpec { computing: ComputingCost::Declared, traced: Some(calls), ..spec };
    let PassResult { modes, traces, .. } = make(&spec, &mut MemoryEstimate::default(), lang)?;
    match modes.iter().all(|mode| mode.correct != Some(false)) {
        true => Ok(traces),
        false => Err(performance::traced_run_is_wrong(lang, &request.name)),
    }
}

/// Simulates all workloads of both versions and writes a record of each.
pub(crate) fn simulate(
    package: Package,
    backends: Backends,
    settings: &CampaignSettings,
    arguments: &BenchmarkArguments,
    (has_reference, lang): (bool, Lang),
) -> Result<bool, String> {
    let to_text = |error: io::Error| error.to_string();
    let file = arguments.records.clone().ok_or_else(|| text::needs_records(lang))?;
    let run = format!("{}-simulated", package.name);
    let mut out = RecordFile::create(&file, (run, settings.subject.clone()), lang).map_err(to_text)?;
    let seed = arguments.seed.unwrap_or(SEED);
    let environment = environment::environment(Path::new(package.folder), backends, seed);
    for request in settings.select_workloads(arguments.workload.as_deref(), lang)? {
        let parallel = settings.ranks.iter().filter(|_| settings.mpi).map(|&ranks| (Version::Mpi, ranks));
        let sequential =
            [(settings.seq, Version::Seq), (arguments.reference && has_reference, Version::Reference)];
        let sequential = sequential.into_iter().filter(|(is_wanted, _)| *is_wanted);
        let versions = sequential.map(|(_, version)| (version, 1)).chain(parallel);
        let passes = if arguments.computing == ComputingCost::Measured { MEASURED_PASSES } else { 1 };
        let mut memory = MemoryEstimate::default();
        for of_version in versions.flat_map(|one| std::iter::repeat_n(one, passes)) {
            let spec = SimulationSpec::new(settings, arguments, of_version, &request);
            for prediction in make(&spec, &mut memory, lang)?.modes {
                out.write(environment.clone(), prediction, None).map_err(to_text)?;
            }
        }
    }
    Ok(true)
}

/// The simulation of a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SimulationSpec {
    pub(crate) machine: String,
    /// The faults that are injected.
    pub(crate) faults: Vec<String>,
    pub(crate) computing: ComputingCost,
    pub(crate) version: Version,
    pub(crate) ranks: usize,
    pub(crate) request: WorkloadRequest,
    pub(crate) seed: u64,
    pub(crate) limit: Option<Duration>,
    /// The largest number of calls that each rank records; `None` where nothing is traced.
    pub(crate) traced: Option<usize>,
}

impl SimulationSpec {
    /// A pass of a version on these ranks.
    fn new(
        settings: &CampaignSettings,
        arguments: &BenchmarkArguments,
        (version, ranks): (Version, usize),
        request: &WorkloadRequest,
    ) -> Self {
        Self {
            machine: arguments.machine.clone().unwrap_or_default(),
            // The parallel version is compared with a run without faults.
            faults: if version == Version::Mpi { arguments.faults.clone() } else { vec![] },
            computing: arguments.computing,
            version,
            ranks,
            request: request.clone(),
            seed: arguments.seed.unwrap_or(SEED),
            limit: settings.limit.map(|limit| limit * PASS_LIMIT_FACTOR),
            traced: None,
        }
    }

    /// A pass that only measures the memory of a rank: on this smaller number of ranks, without faults.
    pub(crate) fn with_ranks(&self, ranks: usize) -> Self {
        Self { ranks, faults: vec![], computing: ComputingCost::Declared, ..self.clone() }
    }

    pub(crate) fn pass_mode(&self) -> PassMode {
        match (self.traced, self.computing) {
            (Some(calls), _) => PassMode::Traced(calls),
            (None, ComputingCost::Declared) => PassMode::Declared,
            (None, ComputingCost::Measured) => PassMode::Measured,
        }
    }
}

/// The results of one pass of all ranks.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PassResult {
    /// The peak memory of the process of the pass, bytes.
    pub(crate) peak: Option<u64>,
    /// The results in the modes of a series.
    pub(crate) modes: Vec<Prediction>,
    /// The calls of each rank, if they were requested.
    pub(crate) traces: Vec<RankTrace>,
}

/// Makes a pass of a workload that has used this memory so far. If its memory cannot be estimated, passes on fewer ranks are made before it.
///
/// # Errors
/// The reason of the missing result, for the user: the error of the pass, or too little memory.
fn make(spec: &SimulationSpec, memory: &mut MemoryEstimate, lang: Lang) -> Result<PassResult, String> {
    let failed = |why| text::failed(lang, &spec.request.name, spec.ranks, why);
    if spec.version == Version::Mpi {
        let probe = |ranks| carry(&spec.with_ranks(ranks), lang).map(|result| result.peak);
        memory.check(spec.ranks, &spec.request.name, lang, probe).map_err(failed)?;
    }
    let result = carry(spec, lang).map_err(failed)?;
    if let Some(peak) = result.peak {
        memory.add(spec.version, spec.ranks, peak);
    }
    Ok(result)
}

/// Executes an order in a separate process.
fn carry(order: &SimulationSpec, lang: Lang) -> Result<PassResult, String> {
    let deadline = order.limit.map_or(Duration::from_secs(24 * 3600), |limit| limit + SETUP);
    let sent = run_worker(&WorkerOrder::Simulate(order.clone()), (deadline, lang));
    sent.map_err(|error| all_ranks::describe_worker_error(error, deadline, lang))
}
