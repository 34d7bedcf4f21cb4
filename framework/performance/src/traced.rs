//! Traces a task: one run of the pipeline with every call recorded, as requested by `cargo wb trace`.
use std::{
    fs, io,
    path::{Path, PathBuf},
    process::ExitCode,
};

use wb_config::machine_name;
use wb_messages::{Lang, performance as text};
use wb_record::{Backend, Environment, MeasuredWorkload, Trace, Version};
use wb_runner::{Backends, environment, launch::usable_cores};

use crate::{
    arguments::BenchmarkArguments,
    job,
    job_spec::{Findings, JobSpec, JobWork, SamplingPolicy},
    program::Package,
    settings::CampaignSettings,
    simulated,
    traced_pass::max_calls_per_rank,
};

/// Traces one workload of the parallel version at the first number of ranks, and writes the trace.
pub(crate) fn main(
    package: Package,
    backends: Backends,
    settings: &CampaignSettings,
    wanted: TraceRequest,
    lang: Lang,
) -> ExitCode {
    match trace(package, backends, settings, &wanted, lang) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{}", wb_escape::terminal(&why));
            ExitCode::FAILURE
        }
    }
}

fn trace(
    package: Package,
    backends: Backends,
    settings: &CampaignSettings,
    wanted: &TraceRequest,
    lang: Lang,
) -> Result<(), String> {
    let request = settings.select_workloads(wanted.workload.as_deref(), lang)?.swap_remove(0);
    let ranks = settings.ranks.first().copied().ok_or_else(|| text::no_ranks_to_trace(lang))?;
    let at = jiff::Timestamp::now().round(jiff::Unit::Second).map_err(|error| error.to_string())?;
    let workload =
        MeasuredWorkload { name: request.name.clone(), size: request.size as u64, unit: String::new() };
    let told = |environment, lanes| {
        let subject = settings.subject.clone();
        let trace = Trace::new(at.to_string(), subject, environment, workload, lanes);
        let trace = Trace { simulated: wanted.simulated_machine(), ..trace };
        write(&wanted.file, &trace).map_err(|error| format!("{}: {error}", wanted.file.display()))
    };
    if let Some(machine) = &wanted.machine {
        let environment = environment::environment(Path::new(package.folder), backends, wanted.seed);
        let asked = (wanted.requested_seed, max_calls_per_rank(ranks));
        let machine = (machine.as_str(), &wanted.faults[..]);
        return told(environment, simulated::trace(machine, ranks, &request, settings, asked, lang)?);
    }
    let backends = wanted.select_backends(backends, lang)?;
    let environment = environment::environment(Path::new(package.folder), backends, wanted.seed);
    let order = JobSpec {
        version: Version::Mpi,
        backend: environment.message_passing.backend,
        ranks,
        seed: wanted.seed,
        spins: ranks <= usable_cores(),
        limit: settings.limit,
        work: JobWork::Trace(request),
        sampling: SamplingPolicy { ceiling: 0, ..settings.short },
    };
    let found = job::run(&order, backends, None).map_err(|failure| job::render(&failure, lang))?;
    if let Some(wrong) = found.oracle_error {
        return Err(text::traced_run_is_wrong(lang, wrong));
    }
    let Findings { clock, placement, .. } = found.findings;
    // The clock of one host is that of this process.
    let clock = if clock.compared.is_empty() { environment.clock.clone() } else { clock };
    told(Environment { clock, placement, ..environment }, found.traces)
}

/// The trace that is requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TraceRequest {
    /// The file of the trace.
    file: PathBuf,
    /// The workload; by default the first one of the task.
    workload: Option<String>,
    /// The backend; by default the linked library, or threads without one.
    backend: Option<Backend>,
    /// The machine to simulate, if times are to be virtual.
    machine: Option<String>,
    /// What goes wrong on it.
    faults: Vec<String>,
    /// The seed of the input.
    seed: u64,
    /// The seed if it was requested; a simulation has a constant seed by default.
    requested_seed: Option<u64>,
}

impl TraceRequest {
    /// The request on the command line.
    pub(crate) fn from_arguments(file: PathBuf, arguments: &BenchmarkArguments) -> Self {
        let seed = arguments.seed.unwrap_or_else(|| jiff::Timestamp::now().as_nanosecond() as u64);
        let (workload, machine) = (arguments.workload.clone(), arguments.machine.clone());
        let (backend, seed_asked, faults) = (arguments.backend, arguments.seed, arguments.faults.clone());
        Self { file, workload, backend, machine, faults, seed, requested_seed: seed_asked }
    }

    /// The name of the simulated machine with its faults: `cluster-ib + deaf:0`.
    fn simulated_machine(&self) -> Option<String> {
        let machine = machine_name(self.machine.as_deref()?).to_owned();
        Some(self.faults.iter().fold(machine, |name, fault| format!("{name} + {fault}")))
    }

    /// The requested backends.
    fn select_backends(&self, backends: Backends, lang: Lang) -> Result<Backends, String> {
        match (self.backend, backends.processes) {
            (Some(Backend::Mpi), None) => Err(text::no_mpi_to_trace(lang)),
            (Some(Backend::Threads), _) => Ok(Backends { processes: None, ..backends }),
            _ => Ok(backends),
        }
    }
}

fn write(file: &Path, trace: &Trace) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    wb_process::write_atomically(file, trace.to_line() + "\n")
}
