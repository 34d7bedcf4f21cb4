//! Traces a task: one run of the pipeline with every call recorded, as requested by `cargo wb trace`; and one rank of it.
//!
//! The pass before it is not traced, so that costs of the first execution (pages touched for the first time,
//! connections made) are not attributed to the program. The traced world has a separate communicator; the harness
//! synchronises the ranks before and after the pass, but not in it.
use std::{fs, io, path::Path};

use wb_comm::{CallSite, Verb};
use wb_config::machine_name;
use wb_messages::{Lang, performance as text};
use wb_record::{Backend, Environment, RankTrace, Trace, Version, max_calls_per_rank};
use wb_runner::{Backends, environment, launch::cores_of_jobs};
use wb_task::{Progress, Task};
use wb_world::{FrameworkCalls as _, World};

use crate::{
    arguments::BenchmarkArguments,
    job::{self, Findings, JobSpec, JobWork, SamplingPolicy},
    measure::MeasuredRank,
    pass_data::MeasureError,
    program::Package,
    sample,
    settings::CampaignSettings,
    simulated,
};

/// Traces one workload of the parallel version at the first number of ranks, and writes the trace into `file`.
pub(crate) fn trace(
    package: Package,
    backends: Backends,
    settings: &CampaignSettings,
    (file, arguments): (&Path, &BenchmarkArguments),
    lang: Lang,
) -> Result<bool, String> {
    let request = settings.select_workloads(arguments.workload.as_deref(), lang)?.swap_remove(0);
    let ranks = settings.ranks.first().copied().ok_or_else(|| text::no_ranks_to_trace(lang))?;
    let seed = arguments.seed.unwrap_or_else(|| jiff::Timestamp::now().as_nanosecond() as u64);
    let at = jiff::Timestamp::now().round(jiff::Unit::Second).map_err(|error| error.to_string())?;
    let workload = request.measured();
    let written = |environment, rank_traces| {
        let subject = settings.subject.clone();
        let trace = Trace::new(at.to_string(), subject, environment, workload, rank_traces);
        let written = write(file, &Trace { simulated: simulated_machine(arguments), ..trace });
        written.map(|()| true).map_err(|error| format!("{}: {error}", file.display()))
    };
    if arguments.machine.is_some() {
        let environment = environment::environment(Path::new(package.folder), backends, seed);
        let rank_traces =
            simulated::trace(settings, arguments, (ranks, &request), max_calls_per_rank(ranks), lang)?;
        return written(environment, rank_traces);
    }
    let backends = match (arguments.backend, backends.processes) {
        (Some(Backend::Mpi), None) => return Err(text::no_mpi_to_trace(lang)),
        (Some(Backend::Threads), _) => Backends { processes: None, ..backends },
        _ => backends,
    };
    let environment = environment::environment(Path::new(package.folder), backends, seed);
    let order = JobSpec {
        version: Version::Mpi,
        backend: environment.message_passing.backend,
        ranks,
        launch: 0,
        seed,
        spins: ranks <= cores_of_jobs(),
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
    written(Environment { clock, placement, ..environment }, found.traces)
}

/// The name of the simulated machine with its faults: `cluster-ib + deaf:0`.
fn simulated_machine(arguments: &BenchmarkArguments) -> Option<String> {
    let machine = machine_name(arguments.machine.as_deref()?).to_owned();
    Some(arguments.faults.iter().fold(machine, |name, fault| format!("{name} + {fault}")))
}

fn write(file: &Path, trace: &Trace) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    wb_process::write_atomically(file, trace.to_line() + "\n")
}

/// The number of traced passes, of which the shortest is kept: while another program has the processor of a rank, the
/// others seem to wait.
const TRACED_PASSES: usize = 3;

impl<T: Task> MeasuredRank<'_, T> {
    /// Collective: one pass that is not traced, some that are, and some without overlap where there is some.
    pub(crate) fn trace(&self, wrong: &mut Option<String>) -> Result<RankTrace, MeasureError> {
        self.repeat_pipeline(wrong)?;
        let mut rank_trace = self.shortest_pass(true, wrong)?;
        let starts = u64::from(rank_trace.starts_collectives());
        if self.bench.allgather(&[starts])?.iter().any(|starts| *starts > 0) {
            let blocking = self.shortest_pass(false, wrong)?;
            rank_trace.without_overlap = Some(blocking.as_without_overlap());
        }
        self.bench.compare_clocks()?;
        Ok(self.bench.correct_trace(rank_trace))
    }

    /// Collective: the shortest of several traced passes, in which started collective operations may overlap with other work.
    fn shortest_pass(&self, overlaps: bool, wrong: &mut Option<String>) -> Result<RankTrace, MeasureError> {
        let mut shortest: Option<(u64, RankTrace)> = None;
        for _ in 0..TRACED_PASSES {
            let rank_trace = self.pass(overlaps, wrong)?;
            // The elapsed time is that of all ranks, so that all of them keep the same pass.
            let stamps = self.bench.stamps(rank_trace.begin_ns, rank_trace.end_ns)?;
            let elapsed = sample::interim_span(&self.bench.clock, &stamps).elapsed_ns;
            if shortest.as_ref().is_none_or(|(least, _)| elapsed < *least) {
                shortest = Some((elapsed, rank_trace));
            }
        }
        Ok(shortest.expect("at least one pass").1)
    }

    /// Collective: one traced pass.
    fn pass(&self, overlaps: bool, wrong: &mut Option<String>) -> Result<RankTrace, MeasureError> {
        let bench = self.bench;
        let transport = bench.world.transport().dup(CallSite::caller(Verb::Agreement))?;
        let processor_ns = bench.cpu_scope.reader();
        let (world, log) = World::traced_with(transport, max_calls_per_rank(bench.size()), processor_ns);
        if !overlaps {
            log.complete_at_start();
        }
        let progress = Progress::default();
        let submitted = self.submit(&world, &progress);
        bench.watchdog.arm(bench.slot);
        bench.common_start()?.wait();
        let (processor, begin) = (processor_ns(), world.transport().now());
        let result = submitted.validation().and_then(|validated| {
            let prepared = validated.preprocessing()?;
            let raw = prepared.run()?;
            let output = prepared.postprocessing(raw)?;
            Ok((prepared, output))
        });
        let (end, processor) = (world.transport().now(), processor_ns() - processor);
        bench.watchdog.disarm(bench.slot);
        let (_prepared, output) = result?;
        self.check_output(&output, wrong);
        let computed_ns = processor.saturating_sub(log.take_in_calls_ns());
        Ok(RankTrace { computed_ns: Some(computed_ns), ..log.rank_trace(begin, end) })
    }
}
