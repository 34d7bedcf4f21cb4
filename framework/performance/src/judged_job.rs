//! The jobs of a judge: each repetition has an input that no other process can predict, an output that the judge checks, and
//! times that the judge takes.
//!
//! The ceiling and the sentinels are measured by the judge's own program, on as many ranks.
use std::{
    io,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
    time::{Duration, Instant},
};

use wb_comm::InputFiles;
use wb_messages::{Lang, judge as text, number};
use wb_process::sandbox::{ExcessReport, Sandbox, SandboxLimits, SandboxedCommand};
use wb_record::{Backend, ElapsedFrom, Repetition, Stages, TimedRegion, Traffic, Version};
use wb_runner::{Backends, channel::RunnerAddress, clock, launch};
use wb_task::Assignment;

use crate::{
    job::{self, Findings, JobFailure, JobResult, JobSpec, JobWork, MeasuredSeries, WorkloadRequest},
    judge::{
        AskEndCause, EndCause, Examiner, PassEnd, PassInput, PassRegion, PassTimes, RankJob, RankJobRequest,
        RankStatement, random_seed,
    },
    judged_sweep::{self, JudgedSweep},
    measure::{is_sampled_enough, to_measured_series},
    pass_data,
    sample::RepetitionSample,
    schedule::ForcedAlgorithm,
};

/// Passes in which the ranks do nothing, to determine the cost of the signals.
const SIGNAL_SAMPLES: usize = 40;

/// The inverse share of the repetitions, chosen at random, that are also compared with the reference.
const COMPARED_SHARE: u64 = 4;

/// The processors on which a rank with one thread may seem to compute. It computes on at most one; the judge reads the rank's processor
/// time and its own clock one after the other, so the quotient of the two can be a little more.
const MAX_PROCESSORS: f64 = 1.3;

/// The shortest repetition that shows on how many processors a rank computes. In a shorter one the moment between the two readings
/// counts too much.
const SHORTEST_FOR_PROCESSORS_NS: u64 = 10_000_000;

/// The path at which ranks in a sandbox see the folder of the channel to their judge.
const INSIDE: &str = "/judge";

/// The folder in which they see the files of the assignment.
const INPUT_FILES: &str = "/files";

/// Starts jobs of the student's program, and of the judge's own.
pub(crate) struct JudgedJobs<A: Assignment> {
    pub(crate) backends: Backends,
    /// The program of the student.
    pub(crate) program: PathBuf,
    pub(crate) sandbox: Option<Sandbox>,
    pub(crate) examiner: Examiner<A>,
    /// The files that all ranks may read.
    pub(crate) files: InputFiles,
    pub(crate) lang: Lang,
}

impl<A: Assignment> JudgedJobs<A> {
    /// Executes one job, and examines its evidence.
    pub(crate) fn run(
        &self,
        order: &JobSpec,
        forced: Option<ForcedAlgorithm>,
    ) -> Result<JobResult, JobFailure> {
        let mut oracle_error = None;
        let findings = match &order.work {
            JobWork::Series(requests) => self.measure(order, requests, &mut oracle_error)?,
            JobWork::Sweep(counts) => self.sweep(order, counts, forced)?,
            JobWork::Count(counts) => self.count(order, counts)?,
            JobWork::Trace(_) => return Err(JobFailure::new("a judge records no calls")),
        };
        Ok(JobResult { findings, oracle_error, traces: vec![] })
    }

    /// Starts ranks of this version, with this algorithm of the library's verb.
    pub(crate) fn start(
        &self,
        version: Version,
        backend: Backend,
        ranks: usize,
        forced: Option<ForcedAlgorithm>,
    ) -> Result<RankJob, String> {
        let of_student = version != Version::Reference;
        let sandbox = self.sandbox.as_ref().filter(|_| of_student);
        let excess = ExcessReport::default();
        let command = |arguments: &[String], folder: &Path| -> io::Result<Command> {
            let program = if of_student { self.program.clone() } else { std::env::current_exe()? };
            let mut rank = Command::new(&program);
            rank.args(arguments);
            let visible = if sandbox.is_some() { Path::new(INSIDE) } else { folder };
            RunnerAddress::Folder(visible.to_owned()).add_to(&mut rank);
            if let Some(forced) = forced {
                forced.apply(&mut rank);
            }
            let command = match self.backends.processes.filter(|_| backend == Backend::Mpi) {
                Some(mpi) => launch::on_ranks(&mpi.library(), ranks, &rank).map_err(io::Error::other)?,
                None => rank,
            };
            match sandbox {
                Some(sandbox) => {
                    in_sandbox(sandbox, &command, (&program, folder, &self.files), excess.clone())
                }
                None => Ok(command),
            }
        };
        let files = sandbox.map_or_else(|| self.files.clone(), |_| self.files.seen_in(INPUT_FILES));
        let (excess, lang) = (excess.clone(), self.lang);
        let end_cause: AskEndCause = Arc::new(move || {
            let excess = excess.get()?;
            let reason = text::sandbox_memory(lang, excess.used >> 20, excess.limit >> 20);
            Some(EndCause { reason, process: excess.largest, used: excess.used_by_largest })
        });
        RankJob::start(&RankJobRequest {
            backend,
            ranks,
            command: &command,
            files,
            end_cause: Some(end_cause),
            lang,
        })
    }

    fn measure(
        &self,
        order: &JobSpec,
        requests: &[WorkloadRequest],
        wrong: &mut Option<String>,
    ) -> Result<Findings, JobFailure> {
        let mut findings = self.machine(order, JobWork::Series(vec![]))?;
        let mut ranks = self.ranks(order.version, order, None)?;
        add_signal_cost(&mut findings, &mut ranks)?;
        for request in requests {
            let series = JudgedSeries { jobs: self, order, request };
            findings.series.extend(series.sample(&mut ranks, wrong)?);
        }
        ranks.end().map_err(JobFailure::new)?;
        Ok(findings)
    }

    /// The student's verb beside the library's at these numbers of elements.
    fn sweep(
        &self,
        order: &JobSpec,
        counts: &[usize],
        forced: Option<ForcedAlgorithm>,
    ) -> Result<Findings, JobFailure> {
        let mut findings = self.machine(order, JobWork::Sweep(vec![]))?;
        // The later job ends first: a job takes the processes that it does not know for its own.
        let library = self.ranks(Version::Reference, order, forced)?;
        let mut own = self.ranks(order.version, order, None)?;
        let signals_ns = add_signal_cost(&mut findings, &mut own)?;
        let mut sweep = JudgedSweep { order, own, library, signals_ns, lang: self.lang };
        for &count in counts {
            findings.sweep.push(sweep.sample(count)?);
        }
        sweep.end()?;
        Ok(findings)
    }

    /// Rounds of the student's verb: each size in a job of its own, whose logical clocks begin at 0.
    fn count(&self, order: &JobSpec, counts: &[usize]) -> Result<Findings, JobFailure> {
        let count = |&count| {
            judged_sweep::count_one(self.ranks(order.version, order, None)?, order, count, self.lang)
        };
        let counts = counts.iter().map(count).collect::<Result<_, _>>()?;
        Ok(Findings { counts, ..Findings::empty() })
    }

    fn ranks(
        &self,
        version: Version,
        order: &JobSpec,
        forced: Option<ForcedAlgorithm>,
    ) -> Result<RankJob, JobFailure> {
        self.start(version, order.backend, order.ranks, forced).map_err(JobFailure::new)
    }

    /// The machine on as many ranks, measured by the judge's own program: its sentinels, and its ceiling for series.
    fn machine(&self, order: &JobSpec, work: JobWork) -> Result<Findings, JobFailure> {
        let own = JobSpec { version: Version::Reference, work, ..order.clone() };
        job::run(&own, self.backends, None).map(|result| result.findings)
    }
}

/// Measures what the signals to these ranks alone take, and adds it to the findings of the machine. The judge takes all times of series and
/// sweeps on its own clock, so the comparison of the ranks' clocks does not concern them.
fn add_signal_cost(findings: &mut Findings, ranks: &mut RankJob) -> Result<u64, JobFailure> {
    let signals_ns = ranks.signal_cost_ns(SIGNAL_SAMPLES).map_err(JobFailure::new)?;
    findings.clock.uncertainty_ns = None;
    findings.clock.compared.clear();
    findings.clock.barrier_ns = Some(signals_ns as f64);
    findings.thread_level = ranks.thread_level().map(str::to_owned);
    Ok(signals_ns)
}

/// One workload of a version in one job.
struct JudgedSeries<'a, A: Assignment> {
    jobs: &'a JudgedJobs<A>,
    order: &'a JobSpec,
    request: &'a WorkloadRequest,
}

impl<A: Assignment> JudgedSeries<'_, A> {
    fn sample(
        &self,
        ranks: &mut RankJob,
        wrong: &mut Option<String>,
    ) -> Result<Vec<MeasuredSeries>, JobFailure> {
        let fresh_inputs = pass_data::are_different(&self.fresh_input()?.0, &self.fresh_input()?.0);
        let (mut run_only, mut whole) = (Vec::new(), Vec::new());
        let begin = Instant::now();
        // The checks of outputs are not part of the budget.
        let (mut checking, mut processors) = (Duration::ZERO, Vec::new());
        loop {
            let first = random()? & 1;
            for turn in [first, 1 - first] {
                let (region, samples) = match turn {
                    0 => (PassRegion::Run, &mut run_only),
                    _ => (PassRegion::Pipeline, &mut whole),
                };
                let (sample, used, checked) = self.repeat(ranks, region, wrong)?;
                processors.extend(used.map(|used| (sample.repetition.elapsed_ns, used)));
                samples.push(sample);
                checking += checked;
            }
            let spent = begin.elapsed().saturating_sub(checking);
            if is_sampled_enough(&self.order.sampling, &[&run_only, &whole], spent) {
                let series = [(TimedRegion::TaskRun, run_only), (TimedRegion::Pipeline, whole)];
                let lang = self.jobs.lang;
                if let Some(median) = several_processors(&processors) {
                    return Err(self.crashed(text::more_threads(lang, number::fixed(lang, median, 1))));
                }
                let times = (fresh_inputs, ElapsedFrom::CommonClock);
                let measured =
                    |samples| to_measured_series(self.order, self.request, samples, times, spent / 2);
                return Ok(series.map(measured).into());
            }
        }
    }

    fn fresh_input(&self) -> Result<(A::Input, Vec<u8>), JobFailure> {
        let WorkloadRequest { name, size } = self.request;
        let input = self
            .jobs
            .examiner
            .fresh_input(name, *size, self.order.ranks)
            .map_err(|error| self.crashed(error.to_string()))?;
        input.ok_or_else(|| self.crashed(format!("the assignment has no workload `{name}`")))
    }

    /// One repetition, the processors of a rank in it, and the time for its input and the check of its outputs.
    fn repeat(
        &self,
        ranks: &mut RankJob,
        region: PassRegion,
        wrong: &mut Option<String>,
    ) -> Result<(RepetitionSample, Option<f64>, Duration), JobFailure> {
        let since = Instant::now();
        let (input, encoded) = self.fresh_input()?;
        let mut judge_time = since.elapsed();
        let pass = PassInput {
            version: self.order.version,
            region,
            home: self.jobs.examiner.home(&input, ranks.size()),
            input: &encoded,
            limit: self.order.limit,
            is_isolated: false,
        };
        let (times, outputs, statements) = match ranks.run_pass(&pass) {
            PassEnd::Finished { times, outputs, statements, .. } => (times, outputs, statements),
            PassEnd::Late { reason } => {
                let limit = Some(self.order.limit.unwrap_or_default());
                return Err(JobFailure { limit, ..self.crashed(reason) });
            }
            end => return Err(self.crashed(end.into_reason())),
        };
        let since = Instant::now();
        let compares = random()? % COMPARED_SHARE == 0;
        let objection =
            self.jobs.examiner.objection(self.order.version, &input, (&outputs, &statements), compares);
        judge_time += since.elapsed();
        let is_right = objection.is_none();
        if let Some(objection) = objection {
            wrong.get_or_insert(objection);
        }
        Ok((to_sample(&times, &statements, is_right), times.processors, judge_time))
    }

    fn crashed(&self, reason: String) -> JobFailure {
        JobFailure { subject: Some(self.request.name.clone()), ..JobFailure::new(reason) }
    }
}

/// One repetition: the times are the judge's, the stages and the traffic are the statements of the ranks.
fn to_sample(times: &PassTimes, statements: &[RankStatement], is_right: bool) -> RepetitionSample {
    let most = |of: &dyn Fn(&RankStatement) -> u64| statements.iter().map(of).max().unwrap_or_default();
    // A rank may state any number: a sum of such numbers may not fit.
    let sum = |of: fn(&RankStatement) -> u64| statements.iter().map(of).fold(0, u64::saturating_add);
    RepetitionSample {
        repetition: Repetition {
            elapsed_ns: times.elapsed_ns,
            entry_skew_ns: times.start_spread_ns,
            correct: Some(is_right),
            involuntary_switches: 0,
            cpu_share: times.least_cpu_share,
            queued_ns: times.queued_ns,
        },
        stages: Stages {
            validation_ns: most(&|rank| rank.stages_ns[0]),
            preprocessing_ns: most(&|rank| rank.stages_ns[1]),
            run_ns: most(&|rank| rank.stages_ns[2]),
            postprocessing_ns: most(&|rank| rank.stages_ns[3]),
        },
        traffic: Traffic {
            messages: sum(|rank| rank.counts.sends),
            bytes: sum(|rank| rank.counts.sent_bytes),
            messages_max_rank: most(&|rank| rank.counts.sends),
            bytes_max_rank: most(&|rank| rank.counts.sent_bytes),
        },
        end: clock::now(),
        stamps: vec![],
    }
}

fn random() -> Result<u64, JobFailure> {
    random_seed().map_err(|error| JobFailure::new(error.to_string()))
}

/// The number of processors on which a rank computes, if several: such a rank is faster than its number of ranks allows. It is the median over the
/// long repetitions. Each number of processors is beside the length of its repetition in nanoseconds.
fn several_processors(processors: &[(u64, f64)]) -> Option<f64> {
    let of_long = processors.iter().filter(|(elapsed_ns, _)| *elapsed_ns >= SHORTEST_FOR_PROCESSORS_NS);
    let of_long: Vec<f64> = of_long.map(|(_, processors)| *processors).collect();
    wb_record::statistics::median(&of_long).filter(|&median| median > MAX_PROCESSORS)
}

/// The command in a sandbox that shows the program, the folder of the channel and the files of the assignment.
fn in_sandbox(
    sandbox: &Sandbox,
    command: &Command,
    (program, folder, files): (&Path, &Path, &InputFiles),
    excess: ExcessReport,
) -> io::Result<Command> {
    let mut inside =
        SandboxedCommand::new(SandboxLimits::RUN).readable(program).mounted(folder, INSIDE, false);
    for name in files.names() {
        // Each by itself: the folder may have others.
        inside = inside.mounted(files.folder().join(name), Path::new(INPUT_FILES).join(name), false);
    }
    inside = inside.reporting_to(excess);
    for (name, _) in std::env::vars_os() {
        let is_users = ["OMPI_MCA_", "PRTE_MCA_", "PMIX_MCA_", "MPIR_CVAR_", "UCX_"];
        if is_users.iter().any(|prefix| name.to_string_lossy().starts_with(prefix)) {
            inside = inside.variable(name);
        }
    }
    sandbox.command(&inside, command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_that_compute_on_two_processors_in_half_of_the_long_repetitions_have_no_series() {
        let several = |elapsed_ns: u64, processors: &[f64]| {
            several_processors(&processors.iter().map(|&used| (elapsed_ns, used)).collect::<Vec<_>>())
        };
        let long = SHORTEST_FOR_PROCESSORS_NS;
        assert_eq!(several(long, &[]), None);
        assert_eq!(several(long, &[0.9, 1.0, 1.1, 1.9, 2.0]), None, "a few readings that were interrupted");
        assert_eq!(several(long, &[1.0, 1.9, 2.0]), Some(1.9));
        assert_eq!(several(long - 1, &[1.9, 2.0, 2.0]), None);
    }
}
